import { defaultOrgId, rootOrgId } from '@castellan/contract/ids'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { insertRows } from '../../kernel/resource/repository.ts'
import type { Columns } from '../../kernel/resource/resource.ts'
import { demandRightToGive } from './authority.ts'
import { rolesChanged } from './effective.ts'
import { roleBinding } from './role-binding.ts'

/** One role of a user: everywhere when `orgId` is null, else in that organization. */
export interface Holding {
  userId: string
  roleId: string
  name: string
  scope: 'system' | 'org'
  orgId: string | null
}

/** Every role of the users, in role order. */
export async function holdingsOf(ctx: Context, userIds: readonly string[]): Promise<Holding[]> {
  const found: Holding[] = []
  for (const some of batches(userIds)) {
    const rows = await ctx.acrossOrganizations
      .selectFrom('rbac_rolebinding as b')
      .innerJoin('rbac_role as r', 'r.id', 'b.role_id')
      .select(['b.user_id', 'b.role_id', 'b.org_id', 'r.name', 'r.scope'])
      .where('b.user_id', 'in', some)
      .orderBy('b.role_id')
      .execute()
    for (const row of rows)
      found.push({ userId: row.user_id, roleId: row.role_id, name: row.name, scope: row.scope, orgId: row.org_id })
  }
  return found
}

/** The organization roles to show: those of the current organization; in the global view those of all. */
export const heldIn = (orgId: string) => (holding: Holding) =>
  holding.scope === 'org' && (orgId === rootOrgId || holding.orgId === orgId)

/**
 * Replaces the roles of users in one scope. `orgId` null means the system roles. Does nothing for organization roles in
 * the global view, which has no organization. Throws 403 if a caller gives or takes a role that holds more than they do
 * there.
 */
export async function replaceRoles(
  ctx: Context,
  userIds: readonly string[],
  orgId: string | null,
  roleIds: readonly string[],
): Promise<void> {
  if (orgId === rootOrgId) return
  const held = (await holdingsOf(ctx, userIds)).filter((one) =>
    orgId === null ? one.scope === 'system' : one.scope === 'org' && one.orgId === orgId,
  )
  const wanted = [...new Set(roleIds)]
  const lost = held.filter((one) => !wanted.includes(one.roleId))
  const losing = [...new Set(lost.map((one) => one.userId))]
  const known = new Set(held.map((one) => `${one.userId} ${one.roleId}`))
  const isHeldBy = (role_id: string) => (user_id: string) => known.has(`${user_id} ${role_id}`)
  const touched = [...lost.map(({ roleId }) => roleId), ...wanted.filter((id) => !userIds.every(isHeldBy(id)))]
  await demandRightToGive(
    ctx,
    [...new Set(touched)].map((roleId) => ({ roleId, orgId })),
  )
  for (const some of batches(losing)) {
    let gone = ctx.acrossOrganizations.deleteFrom(roleBinding.table).where('user_id', 'in', some)
    if (wanted.length > 0) gone = gone.where('role_id', 'not in', wanted)
    await (orgId === null ? gone.where('org_id', 'is', null) : gone.where('org_id', '=', orgId)).execute()
  }
  const scope = orgId === null ? 'system' : 'org'
  const fresh = userIds.flatMap((user_id): Columns<typeof roleBinding>[] =>
    wanted.flatMap((role_id) => (known.has(`${user_id} ${role_id}`) ? [] : { user_id, role_id, scope, org_id: orgId })),
  )
  await insertRows(ctx, roleBinding, fresh)
  await ctx.publish(rolesChanged, {})
}

/** Gives users without roles the default system role or membership. */
export async function giveFirstRoles(
  ctx: Context,
  userIds: readonly string[],
  system: string,
  inDefaultOrg: string | undefined,
): Promise<{ joinedDefault: string[] }> {
  const held = await holdingsOf(ctx, userIds)
  const without = (scope: Holding['scope']) => {
    const having = new Set(held.filter((one) => one.scope === scope).map((one) => one.userId))
    return userIds.filter((id) => !having.has(id))
  }
  const homeless = without('org')
  const roleless = without('system')
  if (roleless.length > 0) await replaceRoles(ctx, roleless, null, [system])
  if (inDefaultOrg && homeless.length > 0) await replaceRoles(ctx, homeless, defaultOrgId, [inDefaultOrg])
  return { joinedDefault: homeless }
}

/** Users who hold a role in an organization; with `orgId` null, a system role. */
export async function holdersOf(ctx: Context, roleId: string, orgId: string | null): Promise<string[]> {
  const query = ctx.acrossOrganizations.selectFrom(roleBinding.table).select('user_id').where('role_id', '=', roleId)
  const rows = await (orgId === null ? query : query.where('org_id', '=', orgId)).orderBy('user_id').execute()
  return rows.map(({ user_id }) => String(user_id))
}

/** Those of the users who hold any role in an organization. */
export async function membersAmong(ctx: Context, userIds: readonly string[], orgId: string): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of batches(userIds))
    for (const { user_id } of await ctx.acrossOrganizations
      .selectFrom(roleBinding.table)
      .select('user_id')
      .distinct()
      .where('user_id', 'in', some)
      .where('org_id', '=', orgId)
      .execute())
      found.add(String(user_id))
  return found
}

/** Whether a user holds any role in an organization. */
export const isMember = async (ctx: Context, userId: string, orgId: string): Promise<boolean> =>
  (await membersAmong(ctx, [userId], orgId)).has(userId)
