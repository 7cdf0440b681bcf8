import type { PermissionCode } from '@castellan/contract/permissions'
import { batches } from '../../db/batches.ts'
import { contains } from '../../db/search.ts'
import { updateRows } from '../../db/update-rows.ts'
import { normalUuid, type StoredRow, textIn } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import type { Params } from '../../kernel/http/route.ts'
import { Reply } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { actionRoutes, listReply } from '../../kernel/resource/resource-routes.ts'
import { node, outermost, subtree } from '../assets/index.ts'
import { account } from './account.ts'
import { bulkAdd } from './bulk-add.ts'
import { bulkFields } from './call-fields.ts'
import { amountsKept, remember } from './history.ts'
import { idsIn } from './ids-in.ts'

const famous = ['root', 'admin', 'administrator']

/** Permissions whose forms name accounts; other callers get no usernames, in any organization. */
const namesAccounts: readonly PermissionCode[] = [
  'accounts.view_account',
  'perms.view_assetpermission',
  'acls.view_loginassetacl',
  'acls.view_commandfilteracl',
]

/** Up to ten usernames of existing accounts of these assets, the most common ones first. */
async function usernames(ctx: Context, body: StoredRow): Promise<string[]> {
  if (!namesAccounts.some((code) => ctx.can(code))) return []
  const list = (value: unknown) => (Array.isArray(value) ? value : []).flatMap((id) => normalUuid(id) ?? [])
  const [assetIds, nodeIds] = [list(body.assets), list(body.nodes)]
  const keys = nodeIds.length > 0 ? await findAll(ctx, node, (query) => query.where('t.id', 'in', nodeIds)) : []
  const tops = outermost(keys.map(({ key }) => String(key)))
  const rows = await findAll(ctx, account, (query) => {
    let narrowed = query
    if (assetIds.length + tops.length > 0)
      narrowed = query.where((eb) =>
        eb.or([
          ...(assetIds.length > 0 ? [eb('t.asset_id', 'in', assetIds)] : []),
          ...tops.map((key) =>
            eb(
              't.asset_id',
              'in',
              ctx.acrossOrganizations
                .selectFrom('assets_node as n')
                .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
                .select('m.asset_id')
                .where(subtree(key, 'n.key')),
            ),
          ),
        ]),
      )
    const term = textIn(body.username)
    if (term) narrowed = narrowed.where((eb) => contains(ctx.dialect, eb.ref('t.username'), term))
    return narrowed.clearSelect().select('t.username').distinct() as typeof query
  })
  const found = rows.map(({ username }) => String(username)).filter(Boolean)
  const first = famous.filter((name) => found.includes(name)).sort()
  return [...first, ...found.filter((name) => !famous.includes(name)).sort()].slice(0, 10)
}

async function clearSecrets(ctx: Context, ids: readonly string[]): Promise<void> {
  for (const some of batches(ids)) {
    const rows = await findAll(ctx, account, (query) => query.where('t.id', 'in', some))
    const amount = await amountsKept(
      ctx,
      rows.map(({ id }) => id),
    )
    const cleared = rows.map(({ id }) => ({ id, secret: null, version: Math.max(amount(id), 1) }))
    const stamped = cleared.map((row) => ({ ...row, fingerprint: '', date_updated: ctx.now }))
    await updateRows(ctx.rawDb, ctx.dialect, account.shape, stamped)
    await remember(
      ctx,
      cleared.map((row, at) => ({ ...row, secret_type: rows[at]?.secret_type ?? '' })),
    )
  }
}

/** Accounts from which another one may be switched: its siblings, or all of an asset. */
async function suFrom(
  ctx: Context,
  query: Params,
): Promise<{ assetId: string; without: string | undefined } | undefined> {
  const accountId = normalUuid(query.account)
  if (accountId) {
    const [row] = await findAll(ctx, account, (rows) => rows.where('t.id', '=', accountId))
    return row ? { assetId: String(row.asset_id), without: row.id } : undefined
  }
  const assetId = normalUuid(query.asset)
  return assetId ? { assetId, without: undefined } : undefined
}

export const accountRoutes = actionRoutes(account, [
  {
    path: 'su-from-accounts',
    methods: ['GET'],
    requires: 'accounts.view_account',
    summary: 'Accounts from which an account may be switched',
    handle: async ({ ctx, request }) => {
      const wanted = await suFrom(ctx, request.query)
      if (!wanted) return []
      const { account: _account, asset: _asset, ...query } = request.query
      return listReply(ctx, account, { ...request, query }, (list) => {
        const same = list.where('t.asset_id', '=', wanted.assetId)
        if (!wanted.without) return same
        return same
          .where('t.id', '!=', wanted.without)
          .where((eb) => eb.or([eb('t.su_from_id', 'is', null), eb('t.su_from_id', '!=', wanted.without)]))
      })
    },
  },
  {
    path: 'username-suggestions',
    methods: ['POST'],
    requires: 'valid',
    summary: 'Usernames of the accounts of some assets',
    handle: ({ ctx, request }) => usernames(ctx, objectOf(request.body)),
  },
  {
    path: 'clear-secret',
    methods: ['PATCH'],
    requires: 'accounts.change_account',
    summary: 'Clear the secrets of accounts',
    withoutBody: true,
    handle: async ({ ctx, request }) => {
      await clearSecrets(ctx, idsIn(request.body, 'account_ids'))
      return new Reply(200)
    },
  },
  {
    path: 'bulk',
    methods: ['POST'],
    requires: 'accounts.add_account',
    summary: 'Add an account to many assets',
    fields: { POST: bulkFields },
    handle: ({ ctx, request }) => bulkAdd(ctx, objectOf(request.body)),
  },
])
