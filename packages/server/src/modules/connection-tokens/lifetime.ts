import type { Message } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import type { Caller, Context } from '../../kernel/context.ts'
import { failure, text } from '../../kernel/errors.ts'
import { callerById } from '../authentication/index.ts'
import { type Access, accessTo, type PermedAccount, protocolPasses, type Subject } from '../perms/index.ts'
import { isExpired, type TokenRow } from './token.ts'

/** Seconds a token that is used once may wait for its use, at least. */
const shortest = 300

/** When a token made now ends. Unix milliseconds. */
export function expiryOf(ctx: Context, reusable: boolean): number {
  const { settings } = ctx.services
  const seconds = reusable
    ? settings.number('CONNECTION_TOKEN_REUSABLE_EXPIRATION')
    : Math.max(shortest, settings.number('CONNECTION_TOKEN_ONETIME_EXPIRATION'))
  return ctx.now + seconds * 1000
}

export const mayBeReused = (ctx: Context): boolean => ctx.services.settings.bool('CONNECTION_TOKEN_REUSABLE')

const refuse = (message: Message) => failure(403, 'permission_denied', text(message))

/** What a token still gives: the person, and the account as the permissions have it at this moment. */
export interface Standing {
  person: Subject & { email: string }
  access: Access
  account: PermedAccount
  caller: Caller
}

/**
 * Throws 403 unless a token may be used now: it is active and not over, its person and its asset are still there and
 * active, and a permission still gives the account. The permission is asked anew every time, so that a change is true
 * for the next connection.
 */
export async function standingOf(ctx: Context, token: TokenRow): Promise<Standing> {
  if (!token.is_active || isExpired(token)) throw refuse(errors.token_invalid)
  const person = await ctx.unscoped
    .selectFrom('users_user')
    .select(['id', 'name', 'username', 'email'])
    .where('id', '=', token.user_id)
    .executeTakeFirst()
  const caller = person && (await callerById(ctx, person.id))
  if (!person || !caller?.isActive || caller.isExpired) throw refuse(signInErrors.user_invalid)
  const asset = await ctx.unscoped
    .selectFrom('assets_asset')
    .select('is_active')
    .where('id', '=', token.asset_id)
    .executeTakeFirst()
  if (!asset?.is_active) throw refuse(errors.asset_inactive)
  const access = await accessTo(ctx, person as Subject, token.asset_id ?? '')
  const account = access?.accounts.find((one) => one.alias === token.account && one.actions !== 0)
  if (!access || !account || !protocolPasses(access.rules, token.protocol)) throw refuse(errors.perm_account_invalid)
  return { person: person as Standing['person'], access, account, caller }
}
