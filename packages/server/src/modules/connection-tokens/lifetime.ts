import type { Message } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import type { Caller, Context } from '../../kernel/module/context.ts'
import { failure, text } from '../../kernel/module/errors.ts'

import { AccountUses, type AskedUse, type Use, type UseProblem, UseRefused } from '../acls/index.ts'
import { presentCaller } from '../authentication/index.ts'
import { type Access, accessTo, type Subject } from '../perms/index.ts'

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

/** The present state of a token: its user, and its use of the account as it is permitted now. */
export interface Standing {
  user: Subject & { email: string }
  use: Use
  caller: Caller
}

/** The use that a token, or the request for one, asks for. */
export const usedBy = (
  wanted: Pick<TokenRow, 'account' | 'protocol' | 'input_username'>,
  asset: AskedUse['asset'],
  access: Access | undefined,
): AskedUse => ({
  asset,
  access,
  account: { alias: wanted.account },
  protocol: wanted.protocol,
  actions: 0,
  typed: wanted.input_username,
})

const problems: Readonly<Record<UseProblem, Message>> = {
  user_invalid: signInErrors.user_invalid,
  asset_disabled: errors.asset_inactive,
  not_permitted: errors.perm_account_invalid,
  permission_expired: errors.perm_expired,
  action_missing: errors.perm_account_invalid,
  login_rejected: errors.acl_reject,
}

/** Throws 403 with the reason of a refused use; one that a rule rejects is passed on to who logs it. */
export function refusedUse(error: unknown): never {
  if (error instanceof UseRefused && !error.rule) throw refuse(problems[error.problem])
  throw error
}

/**
 * Throws 403 unless a token may be used now: it is active and not expired, and its use is still allowed. All of it is
 * decided each time, so that changes apply to the next connection, also by tokens that are used many times.
 */
export async function standingOf(ctx: Context, token: TokenRow): Promise<Standing> {
  if (!token.is_active || isExpired(token)) throw refuse(errors.token_invalid)
  const user = await ctx.rawDb
    .selectFrom('users_user')
    .select(['id', 'name', 'username', 'email'])
    .where('id', '=', token.user_id)
    .executeTakeFirst()
  const caller = user && (await presentCaller(ctx, user.id))
  if (!user || !caller) throw refuse(signInErrors.user_invalid)
  const asset = await ctx.acrossOrganizations
    .selectFrom('assets_asset')
    .select(['id', 'org_id', 'is_active'])
    .where('id', '=', token.asset_id)
    .executeTakeFirst()
  if (!asset) throw refuse(errors.asset_inactive)
  const access = await accessTo(ctx, user as Subject, asset.id)
  const uses = new AccountUses(ctx, { user: user as Subject, ip: token.asked_from || undefined })
  const use = await uses.of(usedBy(token, asset as AskedUse['asset'], access)).catch((error: unknown) => {
    if (error instanceof UseRefused) throw refuse(problems[error.problem])
    throw error
  })
  // What was approved is this connection, whatever rule wants it now.
  if (use.rule?.action === 'review' && !token.from_ticket_id) throw refuse(errors.acl_review)
  return { user: user as Standing['user'], use, caller }
}
