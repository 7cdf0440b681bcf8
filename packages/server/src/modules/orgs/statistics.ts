import { rootOrgId } from '@castellan/contract/ids'
import type { Context } from '../../kernel/context.ts'
import { computed } from '../../kernel/fields/index.ts'
import { allResources } from '../../kernel/resource.ts'

/** What of an organisation is counted; each only where its module is loaded. */
const counted: Readonly<Record<string, string>> = {
  groups_amount: 'users.usergroup',
  assets_amount: 'assets.asset',
  nodes_amount: 'assets.node',
  domains_amount: 'assets.domain',
  asset_perms_amount: 'perms.assetpermission',
}

const tableOf = (key: string) => allResources().find((resource) => resource.key === key)?.table

export type Statistics = Record<string, number>

async function countsByOrg(ctx: Context, table: string): Promise<Map<string, number>> {
  const rows = await ctx.unscoped
    .selectFrom(table)
    .select((eb) => ['org_id', eb.fn.countAll().as('n')])
    .groupBy('org_id')
    .execute()
  return new Map(rows.map((row) => [row.org_id, Number(row.n)]))
}

async function membersByOrg(ctx: Context): Promise<Map<string, number>> {
  const rows = await ctx.unscoped
    .selectFrom('rbac_rolebinding as b')
    .innerJoin('users_user as u', 'u.id', 'b.user_id')
    .select((eb) => ['b.org_id', eb.fn.count('b.user_id').distinct().as('n')])
    .where('b.org_id', 'is not', null)
    .where('u.is_service_account', '=', false)
    .groupBy('b.org_id')
    .execute()
  return new Map(rows.map((row) => [row.org_id, Number(row.n)]))
}

/** How much every organisation holds, by its id; the view over all of them under the root id. */
async function statistics(ctx: Context): Promise<Map<string, Statistics>> {
  const found = new Map<string, Statistics>()
  const empty = () => ({
    users_amount: 0,
    groups_amount: 0,
    assets_amount: 0,
    nodes_amount: 0,
    domains_amount: 0,
    gateways_amount: 0,
    asset_perms_amount: 0,
  })
  const add = (name: string, counts: Map<string, number>) => {
    for (const [orgId, n] of counts)
      for (const id of [orgId, rootOrgId]) {
        const of: Statistics = found.get(id) ?? empty()
        of[name] = (of[name] ?? 0) + n
        found.set(id, of)
      }
  }
  add('users_amount', await membersByOrg(ctx))
  for (const [name, key] of Object.entries(counted)) {
    const table = tableOf(key)
    if (table) add(name, await countsByOrg(ctx, table))
  }
  return new Map([...found].map(([id, of]) => [id, { ...empty(), ...of }]))
}

/** The amounts beside an organisation. They are counted, never remembered: a count of indexed rows is not worth a cache. */
export const statisticsField = () =>
  computed('nested object', {
    noExport: true,
    load: async (ctx) => {
      const all = await ctx.once('organisation statistics', () => statistics(ctx))
      return (row) =>
        all.get(row.id) ?? {
          users_amount: 0,
          groups_amount: 0,
          assets_amount: 0,
          nodes_amount: 0,
          domains_amount: 0,
          gateways_amount: 0,
          asset_perms_amount: 0,
        }
    },
    meta: () => ({
      children: Object.fromEntries(
        ['users_amount', ...Object.keys(counted).slice(0, 4), 'gateways_amount', 'asset_perms_amount'].map((name) => [
          name,
          { type: 'integer', required: false, read_only: false, write_only: false },
        ]),
      ),
    }),
  })
