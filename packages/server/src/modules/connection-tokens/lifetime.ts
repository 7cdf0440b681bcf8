import type { Message } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import type { Caller, Context } from '../../kernel/module/context.ts'
import { failure, text } from '../../kernel/module/errors.ts'
import { callerById } from '../authentication/index.ts'
import { type Access, accessTo, type PermedAccount, protocolPasses, type Subject } from '../perms/index.ts'
import { tokenLifetime } from './settings.ts'
import { isExpired, type TokenRow } from './token.ts'

/** Minimum lifetime of a single-use token. Seconds. */
const shortest = 300

/** Expiry of a token created now. Unix milliseconds. */
export function expiryOf(ctx: Context, reusable: boolean): number {
  const seconds = reusable
    ? tokenLifetime.of(ctx).CONNECTION_TOKEN_REUSABLE_EXPIRATION
    : Math.max(shortest, tokenLifetime.of(ctx).CONNECTION_TOKEN_ONETIME_EXPIRATION)
  return ctx.now + seconds * 1000
}

export const mayBeReused = (ctx: Context): boolean => tokenLifetime.of(ctx).CONNECTION_TOKEN_REUSABLE

const refuse = (message: Message) => failure(403, 'permission_denied', text(message))

/** The present state of a token: its user, and the account as currently permitted. */
export interface Standing {
  user: Subject & { email: string }
  access: Access
  account: PermedAccount
  caller: Caller
}

/**
 * Throws 403 unless a token may be used now: it is active and not expired, its user and asset exist and are active, and
 * a permission still grants the account. The permission is evaluated each time, so that changes apply to the next
 * connection.
 */
export async function standingOf(ctx: Context, token: TokenRow): Promise<Standing> {
  if (!token.is_active || isExpired(token)) throw refuse(errors.token_invalid)
  const user = await ctx.rawDb
    .selectFrom('users_user')
    .select(['id', 'name', 'username', 'email'])
    .where('id', '=', token.user_id)
    .executeTakeFirst()
  const caller = user && (await callerById(ctx, user.id))
  if (!user || !caller?.isActive || caller.isExpired) throw refuse(signInErrors.user_invalid)
  const asset = await ctx.acrossOrganizations
    .selectFrom('assets_asset')
    .select('is_active')
    .where('id', '=', token.asset_id)
    .executeTakeFirst()
  if (!asset?.is_active) throw refuse(errors.asset_inactive)
  const access = await accessTo(ctx, user as Subject, token.asset_id ?? '')
  const account = access?.accounts.find((one) => one.alias === token.account && one.actions !== 0)
  if (!access || !account || !protocolPasses(access.rules, token.protocol)) throw refuse(errors.perm_account_invalid)
  return { user: user as Standing['user'], access, account, caller }
}
