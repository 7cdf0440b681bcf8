import type { Context } from '../../kernel/module/context.ts'
import { updateOne } from '../../kernel/resource/mutations.ts'
import { identityCatalogue } from '../../kernel/security/sign-in.ts'
import { userNamed } from './find-user.ts'
import { unblock } from './login-state.ts'
import { setPassword } from './passwords.ts'

import { generatedPassword } from './seed.ts'
import { user } from './user.ts'
import { defaultExpiry, isExpired } from './user-fields.ts'

/** Changes in addition to the password. */
export interface ResetAccess {
  /** Remove the second factor. */
  mfa: boolean
  /** Enable an account that is disabled or has expired. */
  activate: boolean
}

/**
 * Restores the access of a user who cannot be helped by an administrator, such as the only administrator: sets a new
 * password, which must be changed at the next sign-in, and removes blocks. For operators with access to the machine.
 * @returns the password, and sentences about remaining obstacles
 * @throws Error that says why this user's password cannot be set here
 */
export async function resetAccess(
  ctx: Context,
  username: string,
  { mfa, activate }: ResetAccess,
): Promise<{ password: string; obstacles: string[] }> {
  const row = await userNamed(ctx, username)
  if (!row) throw new Error(`No user has the username "${username}".`)
  if (row.is_service_account) throw new Error(`"${username}" is a component: it has keys, and no password.`)
  if (row.source !== 'local') throw new Error(`The password of "${username}" is stored elsewhere (${row.source}).`)
  const password = generatedPassword()
  await ctx.transaction(async (inside) => {
    if (activate) {
      const date_expired = isExpired(row) ? { date_expired: new Date(defaultExpiry()).toISOString() } : {}
      await updateOne(inside, user, row, { is_active: true, ...date_expired }, true)
    }
    if (mfa) await identityCatalogue.resetFactors(inside, row)
    await setPassword(inside, row, password, { need_update_password: true, changedBy: 'System' })
    await unblock(inside, row)
  })
  const obstacles = [
    ...(!mfa && (await identityCatalogue.activeFactors(ctx, row)).length > 0
      ? ['A one-time code is asked for too; --mfa takes the second factor away.']
      : []),
    ...((!row.is_active || isExpired(row)) && !activate
      ? ['The account is disabled or has ended; --activate enables it.']
      : []),
  ]
  return { password, obstacles }
}
