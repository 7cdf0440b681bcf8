import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { defineHook } from '../../kernel/module/hooks.ts'
import type { ListQuery } from '../../kernel/resource/resource.ts'
import { giveFirstRoles } from '../rbac/index.ts'

/** Users of the current organization: those with a role in it, never accounts of components. */
export function membersOnly(ctx: Context, query: ListQuery): ListQuery {
  const users = query.where('t.is_service_account', '=', false)
  if (ctx.isRootOrg) return users
  return users.where((eb) =>
    eb.exists(
      eb
        .selectFrom('rbac_rolebinding as mine')
        .select('mine.id')
        .whereRef('mine.user_id', '=', 't.id')
        .where('mine.org_id', '=', ctx.orgId),
    ),
  )
}

/**
 * The number of users that `membersOnly` selects. Checking each user for a role takes ten times as long as counting the
 * role holders and subtracting the few components among them.
 */
export async function memberTotal(ctx: Context): Promise<number> {
  const { lists } = ctx.services
  const users = ctx.rawDb.selectFrom('users_user').select((eb) => eb.fn.countAll().as('n'))
  if (ctx.isRootOrg) return lists.number(ctx.rawDb, users.where('is_service_account', '=', false))
  const holders = ctx.rawDb
    .selectFrom('rbac_rolebinding as b')
    .select((eb) => eb.fn.count('b.user_id').distinct().as('n'))
    .where('b.org_id', '=', ctx.orgId)
  const components = ctx.rawDb.selectFrom('users_user as u').select('u.id').where('u.is_service_account', '=', true)
  return (
    (await lists.number(ctx.rawDb, holders)) -
    (await lists.number(ctx.rawDb, holders.where('b.user_id', 'in', components)))
  )
}

/** Users who left an organization, so that what they were granted there ends with it. */
export const membersLeft = defineHook<{ userIds: readonly string[]; orgId: string }>('users.members.left')

/** Removes the group memberships of users in an organization; listeners remove the rest. Roles are not touched. */
export async function leaveOrganization(ctx: Context, userIds: readonly string[], orgId: string): Promise<void> {
  for (const some of batches(userIds))
    await ctx.rawDb
      .deleteFrom('users_user_groups')
      .where('user_id', 'in', some)
      .where('usergroup_id', 'in', ctx.rawDb.selectFrom('users_usergroup').select('id').where('org_id', '=', orgId))
      .execute()
  await membersLeft.run(ctx, { userIds, orgId })
}

/**
 * A new user gets a system role and, without any organization, membership in the Default organization and its Default
 * group.
 */
export async function settleNewUsers(
  ctx: Context,
  rows: readonly { id: string; is_service_account: boolean }[],
): Promise<void> {
  const components = rows.filter((row) => row.is_service_account).map((row) => row.id)
  const users = rows.filter((row) => !row.is_service_account).map((row) => row.id)
  if (components.length > 0) await giveFirstRoles(ctx, components, roleIds.systemComponent, undefined)
  if (users.length === 0) return
  const { joinedDefault } = await giveFirstRoles(ctx, users, roleIds.user, roleIds.orgUser)
  if (joinedDefault.length > 0) await joinDefaultGroup(ctx, joinedDefault)
}

/** Adds users to the group Default of the Default organization, if it exists. */
export async function joinDefaultGroup(ctx: Context, userIds: readonly string[]): Promise<void> {
  const group = await ctx.rawDb
    .selectFrom('users_usergroup')
    .select('id')
    .where('org_id', '=', defaultOrgId)
    .where('name', '=', 'Default')
    .executeTakeFirst()
  if (!group) return
  for (const some of batches(userIds))
    await ctx.rawDb
      .insertInto('users_user_groups')
      .values(some.map((user_id) => ({ user_id, usergroup_id: group.id })))
      .onConflict((conflict) => conflict.columns(['user_id', 'usergroup_id']).doNothing())
      .execute()
}
