/** Groups that follow another system, told from the others by the prefix of their names. */
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { recordLinks } from '../../kernel/resource/changes.ts'
import { createMany } from '../../kernel/resource/mutations.ts'
import { userGroup } from './user-group.ts'

const longestName = 128

/**
 * Makes users members of exactly these groups of the context's organization, among those whose names begin with the
 * prefix; missing groups are created, and groups without the prefix are not touched.
 */
export async function followGroups(
  ctx: Context,
  prefix: string,
  memberships: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const named = (group: string) => `${prefix}${group}`.slice(0, longestName)
  const wanted = new Map([...memberships].map(([userId, groups]) => [userId, new Set(groups.map(named))]))
  const existing = async () =>
    ctx.rawDb
      .selectFrom('users_usergroup')
      .select(['id', 'name'])
      .where('org_id', '=', ctx.orgId)
      .where('name', 'like', `${prefix}%`)
      .execute()
  let groups = await existing()
  const known = new Set(groups.map(({ name }) => name))
  const missing = [...new Set([...wanted.values()].flatMap((names) => [...names]))].filter((name) => !known.has(name))
  if (missing.length > 0) {
    await createMany(
      ctx,
      userGroup,
      missing.map((name) => ({ name })),
    )
    groups = await existing()
  }
  if (groups.length === 0) return
  const links: { user_id: string; usergroup_id: string }[] = []
  for (const some of batches([...wanted.keys()]))
    links.push(
      ...(await ctx.rawDb
        .selectFrom('users_user_groups')
        .select(['user_id', 'usergroup_id'])
        .where('user_id', 'in', some)
        .where(
          'usergroup_id',
          'in',
          groups.map(({ id }) => id),
        )
        .execute()),
    )
  const membersOf = Map.groupBy(links, ({ usergroup_id }) => usergroup_id)
  for (const { id, name } of groups) {
    const members = new Set(membersOf.get(id)?.map(({ user_id }) => user_id))
    const joining = [...wanted].filter(([userId, names]) => names.has(name) && !members.has(userId)).map(([one]) => one)
    const leaving = [...members].filter((userId) => !wanted.get(userId)?.has(name))
    for (const some of batches(joining))
      await ctx.rawDb
        .insertInto('users_user_groups')
        .values(some.map((user_id) => ({ user_id, usergroup_id: id })))
        .onConflict((conflict) => conflict.columns(['user_id', 'usergroup_id']).doNothing())
        .execute()
    for (const some of batches(leaving))
      await ctx.rawDb
        .deleteFrom('users_user_groups')
        .where('usergroup_id', '=', id)
        .where('user_id', 'in', some)
        .execute()
    for (const [changed, action] of [
      [joining, 'added'],
      [leaving, 'removed'],
    ] as const)
      if (changed.length > 0)
        await recordLinks(
          ctx,
          userGroup,
          'users',
          changed.map((linked) => ({ id, linked })),
          action,
        )
  }
}
