import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { defineHook, on } from '../../kernel/module/hooks.ts'
import { type RecordedChange, rowsChanged } from '../../kernel/resource/changes.ts'
import { passwordSet, user } from '../users/index.ts'
import { accessKey } from './access-key.ts'
import { loginsEnded } from './session.ts'
import { bearerTable, providerSessionTable, sessionTable } from './tables.ts'

/** Users whose sign-ins are revoked, inside the transaction. */
export const signInsRevoked = defineHook<readonly string[]>('authentication.sign-ins.revoked')

/** Ends all sign-ins of users at once: browser sessions, bearer tokens, and those that listeners revoke. */
export async function revokeSignIns(ctx: Context, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  await ctx.transaction(async (inside) => {
    let ended = 0n
    for (const { name } of [sessionTable, bearerTable, providerSessionTable])
      for (const some of batches(userIds)) {
        const [gone] = await inside.rawDb.deleteFrom(name).where('user_id', 'in', some).execute()
        ended += gone?.numDeletedRows ?? 0n
      }
    await signInsRevoked.run(inside, userIds)
    if (ended > 0n) await inside.publish(loginsEnded, { userIds: [...userIds] })
  })
}

/** Users whom a change disabled or made expire. */
const disabledBy = (ctx: Context, changes: readonly RecordedChange[]): string[] =>
  changes
    .filter(({ resource, action }) => resource.table === user.table && action === 'update')
    .filter(({ after }) => after.is_active === false || (after.date_expired && Number(after.date_expired) <= ctx.now))
    .map(({ id }) => id)

export const revocations = [
  on(passwordSet, (ctx, change) => revokeSignIns(ctx, [change.user.id])),
  // Enabling a user again restores nothing: access keys stay disabled until their owner enables them.
  on(rowsChanged, async (ctx, changes) => {
    const disabled = disabledBy(ctx, changes)
    await revokeSignIns(ctx, disabled)
    for (const some of batches(disabled))
      await ctx.rawDb.updateTable(accessKey.table).set({ is_active: false }).where('user_id', 'in', some).execute()
  }),
]
