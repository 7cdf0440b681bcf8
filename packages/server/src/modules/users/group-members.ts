import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { recordLinks } from '../../kernel/resource/changes.ts'
import { scoped } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'

/** Adds every member of the current organization to a group. */
export async function addAllMembers(ctx: Context, groupId: string): Promise<void> {
  const known = await ctx.rawDb
    .selectFrom('users_user_groups')
    .select('user_id')
    .where('usergroup_id', '=', groupId)
    .execute()
  const inside = new Set(known.map((row) => row.user_id))
  const members = await scoped(ctx, findResource('users.user')).clearSelect().select('t.id').execute()
  const fresh = members.map((member) => member.id).filter((id) => !inside.has(id))
  for (const some of batches(fresh))
    await ctx.rawDb
      .insertInto('users_user_groups')
      .values(some.map((user_id) => ({ user_id, usergroup_id: groupId })))
      .onConflict((conflict) => conflict.columns(['user_id', 'usergroup_id']).doNothing())
      .execute()
  await recordLinks(
    ctx,
    findResource('users.usergroup'),
    'users',
    fresh.map((linked) => ({ id: groupId, linked })),
    'added',
  )
}
