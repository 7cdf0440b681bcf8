import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { defineRoute } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { actionRoutes } from '../../kernel/resource/resource-routes.ts'
import { playbook } from './playbook.ts'
import { readFiles } from './playbook-files.ts'
import { sandboxProblem } from './playbook-run/sandbox.ts'
import { syntaxProblems } from './playbook-syntax.ts'

/** Why no playbook runs on this machine, with how to change it; null if they do. */
async function engineProblem(ctx: Context): Promise<{ code: string; reason: string } | null> {
  const code = await sandboxProblem(ctx.services.dataDir)
  return code ? { code, reason: say(opsMessages[code], ctx.language) } : null
}

export const checkRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/ops/playbook-engine/',
    requires: 'ops.view_playbook',
    summary: 'Whether playbooks can run on this machine, and what is missing',
    handle: async ({ ctx }) => ({ problem: await engineProblem(ctx) }),
  }),
  ...actionRoutes(playbook, [
    {
      path: 'check',
      methods: ['GET'],
      detail: true,
      requires: 'ops.view_playbook',
      summary: 'What is wrong with the files of a playbook, with lines',
      handle: async ({ ctx, row }) => ({ problems: await syntaxProblems(ctx, await readFiles(ctx, String(row.id))) }),
    },
  ]),
]
