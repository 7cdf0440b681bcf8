import { batches } from '../../../db/batches.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { account } from '../../accounts/index.ts'
import { node } from '../../assets/index.ts'
import { permittedAccounts, type Rule } from '../effective.ts'
import type { Subject } from '../subject.ts'
import { keysAbove, validOf } from '../valid-permissions.ts'
import type { Access, AccountRow } from './permed-account.ts'

const ruleOf = (row: {
  id: string
  accounts: string
  protocols: string
  actions: number
  date_expired: number
}): Rule => ({
  id: row.id,
  accounts: JSON.parse(row.accounts),
  protocols: JSON.parse(row.protocols),
  actions: Number(row.actions),
  date_expired: Number(row.date_expired),
})

/** Adds a value to the list of a key. */
const push = <V>(map: Map<string, V[]>, key: string, value: V) => map.set(key, [...(map.get(key) ?? []), value])

/**
 * A user's access to many assets of the current organization now, with few statements. Assets without access are absent.
 * Outside of transactions.
 */
export async function accessToMany(
  ctx: Context,
  user: Subject,
  assetIds: readonly string[],
): Promise<Map<string, Access>> {
  const rows = await validOf(ctx, user.id).selectAll('p').orderBy('p.date_expired', 'desc').orderBy('p.id').execute()
  const rules = rows.map((row) => ruleOf(row as Parameters<typeof ruleOf>[0]))
  const ids = rules.map(({ id }) => id)
  const rulesByAsset = new Map<string, string[]>()
  const rulesByNode = new Map<string, string[]>()
  const rulesByKey = new Map<string, string[]>()
  for (const some of batches(ids)) {
    for (const wanted of batches(assetIds))
      for (const link of await ctx.rawDb
        .selectFrom('perms_assetpermission_assets')
        .select(['assetpermission_id', 'asset_id'])
        .where('assetpermission_id', 'in', some)
        .where('asset_id', 'in', wanted)
        .execute())
        push(rulesByAsset, link.asset_id, link.assetpermission_id)
    for (const link of await ctx.rawDb
      .selectFrom('perms_assetpermission_nodes')
      .select(['assetpermission_id', 'node_id'])
      .where('assetpermission_id', 'in', some)
      .execute())
      push(rulesByNode, link.node_id, link.assetpermission_id)
  }
  for (const some of batches([...rulesByNode.keys()]))
    for (const { id, key } of await findAll(ctx, node, (query) => query.where('t.id', 'in', some)))
      rulesByKey.set(key, rulesByNode.get(id) ?? [])
  const granted = new Map<string, Rule[]>()
  for (const id of assetIds) {
    const naming = new Set(rulesByAsset.get(id) ?? [])
    if (rulesByKey.size > 0)
      for (const key of await keysAbove(ctx, id)) for (const rule of rulesByKey.get(key) ?? []) naming.add(rule)
    if (naming.size > 0)
      granted.set(
        id,
        rules.filter((rule) => naming.has(rule.id)),
      )
  }
  const accounts = new Map<string, AccountRow[]>()
  for (const some of batches([...granted.keys()]))
    for (const row of await findAll(ctx, account, (query) =>
      query.where('t.asset_id', 'in', some).orderBy('t.name').orderBy('t.id'),
    ))
      push(accounts, row.asset_id, row)
  return new Map(
    [...granted].map(([id, own]) => [
      id,
      { rules: own, accounts: permittedAccounts(own, accounts.get(id) ?? [], user.username) },
    ]),
  )
}
