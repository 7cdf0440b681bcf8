import type { Context } from '../../kernel/context.ts'
import { batchSize } from '../../kernel/fields/field.ts'
import { findResource } from '../../kernel/resource.ts'
import { scoped } from '../../kernel/rows.ts'

/** Puts every member of the current organisation who is not in a group yet into it. */
export async function addAllMembers(ctx: Context, groupId: string): Promise<void> {
  const members = await scoped(ctx, findResource('users.user')).clearSelect().select('t.id').execute()
  for (let at = 0; at < members.length; at += batchSize)
    await ctx.unscoped
      .insertInto('users_user_groups')
      .values(members.slice(at, at + batchSize).map((member) => ({ user_id: member.id, usergroup_id: groupId })))
      .onConflict((conflict) => conflict.columns(['user_id', 'usergroup_id']).doNothing())
      .execute()
}
