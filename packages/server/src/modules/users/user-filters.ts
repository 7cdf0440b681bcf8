import { errors } from '@castellan/contract/messages/errors'
import { builtinRoles } from '@castellan/contract/permissions'
import { noRow } from '../../db/text.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, text } from '../../kernel/errors.ts'
import { normalUuid, uuidsOf } from '../../kernel/fields/index.ts'
import type { Filter, ListQuery, RuleAttribute } from '../../kernel/resource.ts'
import { byLoginBlock } from './login-state.ts'

const nothing = (query: ListQuery): ListQuery => query.where(noRow)

function inGroups(ctx: Context, query: ListQuery, column: 'id' | 'name', values: readonly unknown[], negated = false) {
  if (values.length === 0) return nothing(query)
  return query.where((eb) => {
    let links = eb
      .selectFrom('users_user_groups as l')
      .innerJoin('users_usergroup as g', 'g.id', 'l.usergroup_id')
      .select('l.user_id')
      .where(`g.${column}`, 'in', values as string[])
    if (!ctx.isRootOrg) links = links.where('g.org_id', '=', ctx.orgId)
    return eb('t.id', negated ? 'not in' : 'in', links)
  })
}

function withRole(ctx: Context, query: ListQuery, scope: 'system' | 'org', roleIds: readonly string[]): ListQuery {
  if (roleIds.length === 0) return nothing(query)
  return query.where((eb) => {
    let holders = eb.selectFrom('rbac_rolebinding as b').select('b.user_id').where('b.role_id', 'in', roleIds)
    if (scope === 'system') holders = holders.where('b.org_id', 'is', null)
    else if (ctx.isRootOrg) holders = holders.where('b.org_id', 'is not', null)
    else holders = holders.where('b.org_id', '=', ctx.orgId)
    return eb('t.id', 'in', holders)
  })
}

/** Ids of the roles for an id, a name, or the localized name of a built-in role. */
async function roleIdsOf(ctx: Context, scope: 'system' | 'org', word: string): Promise<string[]> {
  const id = normalUuid(word)
  if (id) return [id]
  const builtin = builtinRoles.filter((role) => role.scope === scope && role.displayName[ctx.language] === word)
  const named = await ctx.unscoped
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

const ids = ({ value }: RuleAttribute) => uuidsOf([value].flat())

/** `m2m_all` requires every role or group, any other operator one of them. */
function each(attribute: RuleAttribute, query: ListQuery, narrow: (query: ListQuery, wanted: string[]) => ListQuery) {
  const wanted = ids(attribute)
  if (wanted.length === 0 || attribute.match !== 'm2m_all') return narrow(query, wanted)
  return wanted.reduce((narrower, id) => narrow(narrower, [id]), query)
}

export const userRuleAttributes: Record<
  string,
  (ctx: Context, query: ListQuery, attribute: RuleAttribute) => ListQuery
> = {
  system_roles: (ctx, query, attribute) =>
    each(attribute, query, (narrower, wanted) => withRole(ctx, narrower, 'system', wanted)),
  org_roles: (ctx, query, attribute) =>
    each(attribute, query, (narrower, wanted) => withRole(ctx, narrower, 'org', wanted)),
  groups: (ctx, query, attribute) =>
    each(attribute, query, (narrower, wanted) => inGroups(ctx, narrower, 'id', wanted)),
}
