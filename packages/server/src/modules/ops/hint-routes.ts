import { opsMessages } from '@castellan/contract/messages/ops'
import { batches } from '../../db/batches.ts'
import { stringList, text } from '../../kernel/fields/index.ts'
import { defineRoute } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { accessToMany, grantedAssetsIn } from '../perms/index.ts'

/** Variables that commands may contain, with what they mean. */
const variables = {
  jms_username: opsMessages.variable_username,
  'jms_asset.id': opsMessages.variable_asset_id,
  'jms_asset.type': opsMessages.variable_asset_type,
  'jms_asset.category': opsMessages.variable_asset_category,
  'jms_asset.name': opsMessages.variable_asset_name,
  'jms_asset.address': opsMessages.variable_asset_address,
  'jms_asset.port': opsMessages.variable_asset_port,
  jms_job_id: opsMessages.variable_job_id,
  jms_job_name: opsMessages.variable_job_name,
} as const

const mostHints = 10

const hintFields = {
  nodes: stringList({ nullable: true, max: 64, maxItems: 10_000 }),
  assets: stringList({ default: [], max: 36, maxItems: 10_000 }),
  query: text({ max: 128, required: true, blank: true }),
}

interface Asked {
  nodes?: string[] | null
  assets: string[]
  query: string
}

/** Usernames that the caller may use on assets, the rarest first. Accounts that are not granted to them are not named. */
async function usernamesOn(ctx: Context, { nodes, assets, query }: Asked) {
  const ids = new Set([...assets, ...(await grantedAssetsIn(ctx, ctx.me, nodes ?? []))])
  const wanted = query.toLowerCase()
  const counts = new Map<string, number>()
  for (const some of batches([...ids]))
    for (const { accounts } of (await accessToMany(ctx, ctx.me, some)).values())
      for (const { account } of accounts) {
        const username = account?.username
        if (!username || /^(?:jms|js)_/.test(username) || !username.toLowerCase().includes(wanted)) continue
        counts.set(username, (counts.get(username) ?? 0) + 1)
      }
  return [...counts]
    .map(([username, total]) => ({ username, total }))
    .sort((a, b) => a.total - b.total || (a.username < b.username ? 1 : -1))
    .slice(0, mostHints)
}

export const hintRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/ops/variables/help/',
    requires: 'valid',
    summary: 'Variables that commands may contain, and what they mean',
    handle: ({ ctx }) =>
      Object.fromEntries(Object.entries(variables).map(([name, meaning]) => [name, meaning[ctx.language]])),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/ops/username-hints/',
    requires: 'valid',
    summary: 'Usernames on some assets that the caller may use, to complete `query`',
    fields: { POST: hintFields },
    // It only reads, and the index of the tree is not used within transactions.
    transaction: 'none',
    handle: ({ ctx, request }) => usernamesOn(ctx, readBody<Asked>(ctx, hintFields, request.body)),
  }),
]
