import { computed } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { scoped } from '../../kernel/resource/repository.ts'
import { allResources, type Resource } from '../../kernel/resource/resource.ts'

/** Counted resources of an organization in addition to its users; each only if its module is loaded. */
const counted: Readonly<Record<string, string>> = {
  groups_amount: 'users.usergroup',
  assets_amount: 'assets.asset',
  nodes_amount: 'assets.node',
  domains_amount: 'assets.domain',
  gateways_amount: 'assets.gateway',
  asset_perms_amount: 'perms.assetpermission',
}
const names = ['users_amount', ...Object.keys(counted)]

type Counts = ReadonlyMap<unknown, number>

async function countsByOrg(ctx: Context, resource: Resource): Promise<Counts> {
  const rows = await scoped(ctx.acrossOrgs(), resource)
    .clearSelect()
    .select((eb) => ['t.org_id', eb.fn.countAll().as('n')])
    .groupBy('t.org_id')
    .execute()
  return new Map(rows.map((row) => [row.org_id, Number(row.n)]))
}

async function membersByOrg(ctx: Context): Promise<Counts> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('rbac_rolebinding as b')
    .innerJoin('users_user as u', 'u.id', 'b.user_id')
    .select((eb) => ['b.org_id', eb.fn.count('b.user_id').distinct().as('n')])
    .where('b.org_id', 'is not', null)
    .where('u.is_service_account', '=', false)
    .groupBy('b.org_id')
    .execute()
  return new Map(rows.map((row) => [row.org_id, Number(row.n)]))
}

/** Counts of all organizations, by name of the count and id. */
async function statistics(ctx: Context): Promise<ReadonlyMap<string, Counts>> {
  const found = new Map([['users_amount', await membersByOrg(ctx)]])
  for (const [name, key] of Object.entries(counted)) {
    const resource = allResources().find((one) => one.key === key)
    if (resource) found.set(name, await countsByOrg(ctx, resource))
  }
  return found
}

/** The counts of an organization. They are computed each time: counting indexed rows is fast enough. */
export const statisticsField = () =>
  computed('nested object', {
    noExport: true,
    load: async (ctx) => {
      const all = await ctx.once('organization statistics', () => statistics(ctx))
      return ({ id }) => Object.fromEntries(names.map((name) => [name, all.get(name)?.get(id) ?? 0]))
    },
    meta: () => ({
      children: Object.fromEntries(
        names.map((name) => [name, { type: 'integer', required: false, read_only: false, write_only: false }]),
      ),
    }),
  })
