import { errors } from '@castellan/contract/messages/errors'
import { builtinRoles } from '@castellan/contract/permissions'
import { noRow } from '../../db/text.ts'
import { normalUuid } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text } from '../../kernel/module/errors.ts'
import type { Filter, ListQuery, RuleSet } from '../../kernel/resource/resource.ts'
import { byLoginBlock } from './login-state.ts'

const nothing = (query: ListQuery): ListQuery => query.where(noRow)

/** Members of groups of the organization. */
function memberships(ctx: Context) {
  const links = ctx.acrossOrganizations
    .selectFrom('users_user_groups as l')
    .innerJoin('users_usergroup as g', 'g.id', 'l.usergroup_id')
  return ctx.isRootOrg ? links : links.where('g.org_id', '=', ctx.orgId)
}

/** Role bindings of the system, or of the organization. */
function bindings(ctx: Context, scope: 'system' | 'org') {
  const all = ctx.acrossOrganizations.selectFrom('rbac_rolebinding as b')
  if (scope === 'system') return all.where('b.org_id', 'is', null)
  return ctx.isRootOrg ? all.where('b.org_id', 'is not', null) : all.where('b.org_id', '=', ctx.orgId)
}

function inGroups(
  ctx: Context,
  query: ListQuery,
  column: 'id' | 'name',
  values: readonly string[],
  negated = false,
): ListQuery {
  if (values.length === 0) return nothing(query)
  const members = memberships(ctx).select('l.user_id').where(`g.${column}`, 'in', values)
  return query.where('t.id', negated ? 'not in' : 'in', members)
}

function withRole(ctx: Context, query: ListQuery, scope: 'system' | 'org', roleIds: readonly string[]): ListQuery {
  if (roleIds.length === 0) return nothing(query)
  return query.where('t.id', 'in', bindings(ctx, scope).select('b.user_id').where('b.role_id', 'in', roleIds))
}

/** Ids of the roles for an id, a name, or the localized name of a built-in role. */
async function roleIdsOf(ctx: Context, scope: 'system' | 'org', word: string): Promise<string[]> {
  const id = normalUuid(word)
  if (id) return [id]
  const builtin = builtinRoles.filter((role) => role.scope === scope && role.displayName[ctx.language] === word)
  const named = await ctx.rawDb
    .selectFrom('rbac_role')
    .select('id')
    .where('scope', '=', scope)
    .where('name', '=', word)
    .execute()
  return [...builtin, ...named].map((role) => role.id as string)
}

function groupId(name: string, value: string): string {
  const id = normalUuid(value)
  if (!id) throw invalid({ [name]: [text(errors.not_a_uuid, { input: value })] })
  return id
}

export const userFilters: Record<string, Filter> = {
  groups: (ctx, query, value) => inGroups(ctx, query, 'name', [value]),
  group_id: (ctx, query, value) => inGroups(ctx, query, 'id', [groupId('group_id', value)]),
  exclude_group_id: (ctx, query, value) => inGroups(ctx, query, 'id', [groupId('exclude_group_id', value)], true),
  system_roles: async (ctx, query, value) => withRole(ctx, query, 'system', await roleIdsOf(ctx, 'system', value)),
  org_roles: async (ctx, query, value) => withRole(ctx, query, 'org', await roleIdsOf(ctx, 'org', value)),
  locked: byLoginBlock,
}

/** Roles of a user in the system, or in the organization. */
const roles = (scope: 'system' | 'org'): RuleSet => ({
  ids: true,
  any: (ctx, query, wanted) => withRole(ctx, query, scope, wanted),
  async of(ctx, row) {
    const held = bindings(ctx, scope).select('b.role_id').where('b.user_id', '=', row.id)
    return (await held.execute()).map(({ role_id }) => String(role_id))
  },
})

/** Attributes of a user that rules may name beside the plain columns. */
export const userRuleAttributes: Readonly<Record<string, RuleSet>> = {
  system_roles: roles('system'),
  org_roles: roles('org'),
  groups: {
    ids: true,
    any: (ctx, query, wanted) => inGroups(ctx, query, 'id', wanted),
    async of(ctx, row) {
      const links = memberships(ctx).select('g.id').where('l.user_id', '=', row.id)
      return (await links.execute()).map(({ id }) => String(id))
    },
  },
}
