import { opsMessages } from '@castellan/contract/messages/ops'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, text } from '../../../kernel/module/errors.ts'
import type { Row } from '../../../kernel/resource/resource.ts'
import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { serializeOne } from '../../../kernel/resource/serialize.ts'
import { playbook } from '../playbook.ts'
import { type PlaybookFile, replaceFiles } from '../playbook-files.ts'
import { filesOfRepository } from './repository.ts'

type PlaybookRow = Row<typeof playbook>

export const isFromRepository = (row: { create_method: unknown }): boolean => row.create_method === 'vcs'

/** Takes the files of a playbook from its repository. They replace those it had, or all of those stay. @throws 400 */
export async function refreshFiles(ctx: Context, row: PlaybookRow, ending?: AbortSignal): Promise<PlaybookFile[]> {
  const files = await filesOfRepository(ctx, row.vcs_url ?? '', ending)
  await ctx.transaction((inside) => replaceFiles(inside, row.id, files))
  return files
}

export const refreshRoutes = actionRoutes(playbook, [
  {
    path: 'refresh',
    methods: ['POST'],
    detail: true,
    requires: 'ops.change_playbook',
    summary: 'Take the files of a playbook from its Git repository again',
    transaction: 'none',
    async handle({ ctx, row }) {
      const own = row as PlaybookRow
      if (!isFromRepository(own)) throw badRequest(text(opsMessages.vcs_none), 'vcs_none')
      await refreshFiles(ctx, own)
      return serializeOne(ctx, playbook, own)
    },
  },
])
