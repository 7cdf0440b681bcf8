import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { accountOf, backendNames, type Receiver } from './backends.ts'

/** Subscribes new users to every backend by which they can be reached. */
export async function subscribeUsers(ctx: Context, users: readonly Receiver[]): Promise<void> {
  for (const some of batches(users))
    await ctx.rawDb
      .insertInto('notifications_usermsgsubscription')
      .values(
        some.map((user) => ({
          user_id: user.id,
          receive_backends: JSON.stringify(backendNames.filter((name) => accountOf(name, user))),
        })),
      )
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
}

/** The backends that users chose, by user. */
export async function receiveBackendsOf(ctx: Context, userIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const some of batches(userIds)) {
    const rows = await ctx.rawDb
      .selectFrom('notifications_usermsgsubscription')
      .selectAll()
      .where('user_id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.user_id, JSON.parse(row.receive_backends))
  }
  return found
}

export async function storeBackends(ctx: Context, userId: string, names: readonly string[]): Promise<void> {
  const receive_backends = JSON.stringify(names)
  await ctx.rawDb
    .insertInto('notifications_usermsgsubscription')
    .values({ user_id: userId, receive_backends })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ receive_backends }))
    .execute()
}
