import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'

/** All users that permissions name, directly or by groups: user ids by permission. */
export async function usersOf(ctx: Context, permissions: readonly string[]): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>(permissions.map((id) => [id, new Set()]))
  for (const some of batches(permissions)) {
    const direct = ctx.rawDb
      .selectFrom('perms_assetpermission_users')
      .select(['assetpermission_id as permission', 'user_id'])
      .where('assetpermission_id', 'in', some)
    const byGroup = ctx.rawDb
      .selectFrom('perms_assetpermission_user_groups as g')
      .innerJoin('users_user_groups as m', 'm.usergroup_id', 'g.usergroup_id')
      .select(['g.assetpermission_id as permission', 'm.user_id'])
      .where('g.assetpermission_id', 'in', some)
    for (const { permission, user_id } of [...(await direct.execute()), ...(await byGroup.execute())])
      found.get(permission)?.add(user_id)
  }
  return found
}

/** Members of groups. */
export async function membersOf(ctx: Context, groups: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const some of batches(groups)) {
    const rows = await ctx.rawDb
      .selectFrom('users_user_groups')
      .select('user_id')
      .where('usergroup_id', 'in', some)
      .execute()
    found.push(...rows.map(({ user_id }) => user_id))
  }
  return found
}
