import type { Context } from '../../kernel/context.ts'
import { updateOne } from '../../kernel/mutations.ts'
import { unblock } from './login-state.ts'
import { setPassword } from './passwords.ts'
import { personBy } from './person.ts'
import { generatedPassword } from './seed.ts'
import { defaultExpiry, isExpired, user } from './user.ts'

/** What is taken away or given beside the password. */
export interface ResetAccess {
  /** Take the second factor away. */
  mfa: boolean
  /** Enable an account that is disabled or has ended. */
  activate: boolean
}

/**
 * Lets somebody in again who has nobody to ask, such as the only administrator: a new password, which has to be changed
 * at the next sign-in, and no block by failed tries. For whoever has the machine itself.
 * @returns the password, and in sentences what still keeps the person out
 * @throws Error that says why this person's password is not kept here
 */
export async function resetAccess(
  ctx: Context,
  username: string,
  { mfa, activate }: ResetAccess,
): Promise<{ password: string; obstacles: string[] }> {
  const row = await personBy(ctx, 'username', username)
  if (!row) throw new Error(`Nobody has the username "${username}".`)
  if (row.is_service_account) throw new Error(`"${username}" is a component: it has keys, and no password.`)
  if (row.source !== 'local') throw new Error(`The password of "${username}" is kept elsewhere (${row.source}).`)
  const password = generatedPassword()
  await ctx.transaction(async (inside) => {
    if (activate) {
      const date_expired = isExpired(row) ? { date_expired: new Date(defaultExpiry()).toISOString() } : {}
      await updateOne(inside, user, row, { is_active: true, ...date_expired }, true)
    }
    if (mfa) await inside.unscoped.updateTable(user.table).set({ otp_secret: null }).where('id', '=', row.id).execute()
    await setPassword(inside, row, password, { need_update_password: true, changedBy: 'System' })
    await unblock(inside, row)
  })
  const obstacles = [
    ...(row.otp_secret !== null && !mfa
      ? ['A one-time code is asked for too; --mfa takes the second factor away.']
      : []),
    ...((!row.is_active || isExpired(row)) && !activate
      ? ['The account is disabled or has ended; --activate enables it.']
      : []),
  ]
  return { password, obstacles }
}
