import { randomUUID } from 'node:crypto'
import { authBackends } from '@castellan/contract/choices/authentication'
import type { Context } from '../../../kernel/module/context.ts'
import { hashed } from '../../../kernel/security/random.ts'
import type { TokenBackend } from '../../../kernel/security/sign-in.ts'
import { userBy } from '../../users/index.ts'
import { otherMethods, signInMethods } from '../settings.ts'
import { SignInDenied } from '../sign-in-denied.ts'

interface KeptToken {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

const keyOf = (token: string) => `sign-in:sso:${hashed(token)}`

/** Makes a token that signs a user in once. Only its hash is kept. */
export async function newSsoToken(ctx: Context, userId: string): Promise<string> {
  const token = randomUUID()
  const seconds = otherMethods.of(ctx).AUTH_SSO_AUTHKEY_TTL
  const kept: KeptToken = { userId, expires: ctx.now + seconds * 1000 }
  // Kept for as long again, so that a late token can be told from a wrong one.
  await ctx.kv.set(keyOf(token), kept, seconds * 2)
  return token
}

/** A link that another system had made for a user. */
export const ssoToken: TokenBackend = {
  name: 'sso',
  label: authBackends.SSO,
  loggedAs: 'SSO',
  kind: 'token',
  isEnabled: (ctx) => signInMethods.of(ctx).AUTH_SSO,
  async authenticate(ctx, { token }) {
    const kept = await ctx.kv.take<KeptToken>(keyOf(token))
    const row = kept && (await userBy(ctx, 'id', kept.userId))
    if (!kept || !row) throw new SignInDenied('authkey_invalid')
    if (kept.expires < ctx.now) throw new SignInDenied('authkey_timeout')
    // The link was made for this user by this installation, whatever the source of the user is.
    return { source: row.source, username: row.username }
  },
}
