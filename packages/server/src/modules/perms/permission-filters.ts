import { errors } from '@castellan/contract/messages/errors'
import { contains } from '../../db/search.ts'
import { noRow } from '../../db/text.ts'
import { booleanOf, normalUuid } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text } from '../../kernel/module/errors.ts'
import type { Filter, ListQuery } from '../../kernel/resource/resource.ts'
import { lineage } from '../assets/index.ts'
import { concernsAsset, concernsNodes, concernsUser, keysAbove, permissions, validNow } from './valid-permissions.ts'

type Params = Readonly<Record<string, string>>
// biome-ignore lint/suspicious/noExplicitAny: conditions for queries over tables the builder does not know
type Condition = (eb: any) => any

/** `all`, true by default: includes permissions by groups and by ancestor nodes. */
const wide = (params: Params) => booleanOf(params.all ?? '') !== false

/** Narrows the list to permissions that fulfill `condition`; to nothing without one. */
function where(ctx: Context, query: ListQuery, condition: Condition | undefined): ListQuery {
  if (!condition) return query.where(noRow)
  return query.where('t.id', 'in', permissions(ctx.rawDb).select('p.id').where(condition))
}

/** Rows of a table in the caller's organization (users belong to none). */
const rowsOf = (ctx: Context, table: string, scoped = true) => {
  const all = ctx.acrossOrganizations.selectFrom(table).selectAll()
  return scoped && !ctx.isRootOrg ? all.where('org_id', '=', ctx.orgId) : all
}

const idOr = (value: string) => normalUuid(value) ?? ''

async function byUser(ctx: Context, query: ListQuery, column: 'id' | 'username', value: string, params: Params) {
  const row = await rowsOf(ctx, 'users_user', false).where(column, '=', value).executeTakeFirst()
  return where(ctx, query, row && concernsUser(row.id, wide(params)))
}

async function byGroup(ctx: Context, query: ListQuery, column: 'id' | 'name', value: string) {
  const row = await rowsOf(ctx, 'users_usergroup').where(column, '=', value).executeTakeFirst()
  return where(
    ctx,
    query,
    row &&
      ((eb) =>
        eb('p.id', 'in', (inner: never) =>
          (inner as Parameters<Condition>[0])
            .selectFrom('perms_assetpermission_user_groups')
            .select('assetpermission_id')
            .where('usergroup_id', '=', row.id),
        )),
  )
}

async function byAsset(
  ctx: Context,
  query: ListQuery,
  column: 'id' | 'name' | 'address',
  value: string,
  params: Params,
) {
  const row = await rowsOf(ctx, 'assets_asset').select('id').where(column, '=', value).executeTakeFirst()
  if (!row) return where(ctx, query, undefined)
  const keys = wide(params) ? await keysAbove(ctx, row.id) : []
  return where(ctx, query, concernsAsset(row.id, keys, wide(params)))
}

async function byNode(ctx: Context, query: ListQuery, column: 'id' | 'value', value: string, params: Params) {
  const row = await rowsOf(ctx, 'assets_node').where(column, '=', value).orderBy('key').executeTakeFirst()
  return where(ctx, query, row && concernsNodes(wide(params) ? lineage(row.key) : [row.key]))
}

/** Of several names of the same filter only the first has effect. */
const unless =
  (names: readonly string[], filter: Filter): Filter =>
  (ctx, query, value, params) =>
    names.some((name) => params[name]) ? query : filter(ctx, query, value, params)

const linked =
  (table: string): Condition =>
  (eb) =>
    eb('p.id', 'in', (inner: Parameters<Condition>[0]) =>
      inner.selectFrom(`perms_assetpermission_${table}`).select('assetpermission_id'),
    )

/** Grants access now. */
const effective =
  (ctx: Context): Condition =>
  (eb) =>
    eb.and([
      eb.or([linked('users')(eb), linked('user_groups')(eb)]),
      eb.or([linked('assets')(eb), linked('nodes')(eb)]),
      eb('p.actions', '>', 0),
      validNow(ctx.now)(eb),
    ])

function byTruth(condition: (ctx: Context) => Condition): Filter {
  return (ctx, query, value) => {
    const truth = booleanOf(value)
    if (truth === undefined) return query
    return where(ctx, query, truth ? condition(ctx) : (eb) => eb.not(condition(ctx)(eb)))
  }
}

const day = 86_400_000

/** Permissions in force that expire within some days. */
const expiringWithin: Filter = (ctx, query, value) => {
  // Limits the number of days: the database could not represent a much later timestamp.
  if (!/^\d{1,5}$/.test(value)) throw invalid({ expires_within: [text(errors.not_an_integer)] })
  const end = ctx.now + Number(value) * day
  return where(ctx, query, (eb) => eb.and([validNow(ctx.now)(eb), eb('p.date_expired', '<=', end)]))
}

/** Permissions whose list contains every one of some accounts, or @ALL. */
const byAccounts: Filter = async (ctx, query, value) => {
  const wanted = value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
  if (wanted.length === 0) return query
  // The stored list is JSON: a text search finds candidates, which are then checked.
  const all = permissions(ctx.rawDb).select(['p.id', 'p.accounts'])
  const rows = await (ctx.isRootOrg ? all : all.where('p.org_id', '=', ctx.orgId))
    .where((eb) => {
      const has = (word: string) => contains(ctx.dialect, eb.ref('p.accounts'), JSON.stringify(word))
      return eb.or([has('@ALL'), eb.and(wanted.map(has))])
    })
    .execute()
  const ids = rows.flatMap((row) => {
    const list: string[] = JSON.parse(row.accounts)
    return list.includes('@ALL') || wanted.every((word) => list.includes(word)) ? [row.id as string] : []
  })
  return where(ctx, query, ids.length > 0 ? (eb) => eb('p.id', 'in', ids) : undefined)
}

/** Parameters that are accepted without effect, as in the contract. */
const ignored: Filter = (_ctx, query) => query

export const permissionFilters: Record<string, Filter> = {
  is_valid: byTruth((ctx) => validNow(ctx.now)),
  is_effective: byTruth(effective),
  expires_within: expiringWithin,
  user_id: (ctx, query, value, params) => byUser(ctx, query, 'id', idOr(value), params),
  username: unless(['user_id'], (ctx, query, value, params) => byUser(ctx, query, 'username', value, params)),
  user_group_id: (ctx, query, value) => byGroup(ctx, query, 'id', idOr(value)),
  user_group: unless(['user_group_id'], (ctx, query, value) => byGroup(ctx, query, 'name', value)),
  asset_id: (ctx, query, value, params) => byAsset(ctx, query, 'id', idOr(value), params),
  asset_name: unless(['asset_id'], (ctx, query, value, params) => byAsset(ctx, query, 'name', value, params)),
  address: unless(['asset_id', 'asset_name'], (ctx, query, value, params) =>
    byAsset(ctx, query, 'address', value, params),
  ),
  node_id: (ctx, query, value, params) => byNode(ctx, query, 'id', idOr(value), params),
  node_name: unless(['node_id'], (ctx, query, value, params) => byNode(ctx, query, 'value', value, params)),
  accounts: byAccounts,
  all: ignored,
  account_id: ignored,
  account: ignored,
  ip: ignored,
}
