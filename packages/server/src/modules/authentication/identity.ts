import { createPublicKey, generateKeyPair, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { errors } from '@castellan/contract/messages/errors'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import type { CookieJar, Identity, Proof } from '../../kernel/http/identity.ts'
import type { RequestParts } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { authenticationFailed, permissionDenied, text } from '../../kernel/module/errors.ts'
import { hashed, randomText } from '../../kernel/security/random.ts'
import { callerByBearer } from './bearer.ts'
import { callerById, type KnownUser } from './callers.ts'
import { demandConfirmation } from './confirmation.ts'
import { confirmed, stillAtProvider } from './provider-standing.ts'
import { loadSession, Session } from './session.ts'
import { signer } from './signature.ts'

/** Cookie prefix; the console reads it from the cookie `SESSION_COOKIE_NAME_PREFIX`. */
export const cookiePrefix = 'jms_'
export const sessionCookie = `${cookiePrefix}sessionid`
export const csrfCookie = `${cookiePrefix}csrftoken`
export const csrfAge = 31_449_600
/** The public key for browser-side encryption: a PEM in base64. */
const publicKeyCookie = 'jms_public_key'

async function stampApiUse(ctx: Context, user: KnownUser): Promise<void> {
  if (user.dateApiKeyLastUsed && ctx.now - Number(user.dateApiKeyLastUsed) < 60_000) return
  await ctx.services.database.writer
    .updateTable('users_user')
    .set({ date_api_key_last_used: ctx.now })
    .where('id', '=', user.id)
    .execute()
}

async function byHeader(ctx: Context, request: RequestParts, header: string): Promise<Proof | undefined> {
  const [scheme = '', credential = ''] = header.trim().split(/\s+(.*)/s)
  let caller: KnownUser | undefined
  let kind: Proof['credential']
  switch (scheme.toLowerCase()) {
    case 'bearer':
      kind = 'bearer'
      caller = await callerByBearer(ctx, credential)
      break
    case 'signature':
      kind = 'signature'
      caller = await signer(ctx, request, credential)
      break
    case 'token':
      throw authenticationFailed(text(errors.token_invalid))
    default:
      return undefined
  }
  caller = await confirmed(ctx, caller)
  if (!caller) throw authenticationFailed(text(errors.token_invalid))
  if (caller.signInOver) throw authenticationFailed(text(signInErrors[caller.signInOver]))
  await stampApiUse(ctx, caller)
  return { caller, credential: kind }
}

async function bySession(ctx: Context, session: Session): Promise<Proof> {
  if (!session.userId) return { caller: undefined, credential: 'none', session }
  const isKnown = await stillAtProvider(ctx, session)
  const caller = isKnown ? await confirmed(ctx, await callerById(ctx, session.userId)) : undefined
  if (!caller?.isActive || session.get('password_mark') !== caller.passwordMark) {
    session.end()
    return { caller: undefined, credential: 'none', session }
  }
  return { caller, credential: 'session', session }
}

/** Compares in constant time. */
export const sameText = (a: string, b: string) => timingSafeEqual(Buffer.from(hashed(a)), Buffer.from(hashed(b)))

function sameOrigin(request: RequestParts): boolean {
  const origin = request.headers.origin
  return !origin || origin === 'null'
    ? !origin
    : origin === request.origin || (URL.canParse(origin) && new URL(origin).host === request.headers.host)
}

const makeKeyPair = promisify(generateKeyPair)

/**
 * Sign-in pages opened within this time share a key pair: generating one is expensive, and unauthenticated clients can
 * open pages. Milliseconds.
 */
const pairAge = 600_000
let pair: { made: number; pem: Promise<string> } | undefined

async function currentPair(now: number): Promise<string> {
  if (!pair || now - pair.made > pairAge) {
    const pem = makeKeyPair('rsa', { modulusLength: 2048 }).then(({ privateKey }) =>
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    )
    const made = { made: now, pem }
    pair = made
    pem.catch(() => {
      if (pair === made) pair = undefined
    })
  }
  return pair.pem
}

/** After a sign-out the next page gets a new pair. */
export function retireKeys(session: Session): void {
  if (session.userId && session.get('private_key')) pair = undefined
}

/** The key pair with which a browser encrypts typed secrets; the private key remains in the session. */
export async function sessionKeys(session: Session): Promise<{ publicPem: string; privatePem: string }> {
  const privatePem = session.get<string>('private_key') ?? (await currentPair(Date.now()))
  session.set('private_key', privatePem)
  return { privatePem, publicPem: createPublicKey(privatePem).export({ type: 'spki', format: 'pem' }).toString() }
}

export const authenticationIdentity: Omit<Identity, 'resolveOrg'> = {
  async prove(ctx, request) {
    const session = await loadSession(ctx, request.cookies[sessionCookie])
    const header = request.headers.authorization
    const proven = header ? await byHeader(ctx, request, header) : undefined
    return proven ? { ...proven, session } : bySession(ctx, session)
  },

  checkCsrf(ctx, request) {
    const expected = ctx.session?.get<string>('csrf')
    const given: unknown = request.headers['x-csrftoken'] ?? objectOf(request.body).csrfmiddlewaretoken
    if (!sameOrigin(request) || !expected || typeof given !== 'string' || !sameText(expected, given))
      throw permissionDenied(text(errors.csrf_failed))
  },

  demandConfirmation,

  async finish(ctx, request, cookies) {
    if (request.cookies.SESSION_COOKIE_NAME_PREFIX !== cookiePrefix)
      cookies.set('SESSION_COOKIE_NAME_PREFIX', cookiePrefix)
    if (!(ctx.session instanceof Session)) return
    await writeSession(ctx, ctx.session, request, cookies)
  },
}

async function writeSession(ctx: Context, session: Session, request: RequestParts, cookies: CookieJar): Promise<void> {
  const sent = request.cookies[sessionCookie]
  const result = await session.save(ctx.services)
  if (result?.value)
    cookies.set(sessionCookie, result.value, {
      httpOnly: true,
      sameSite: 'lax',
      ...(result.age === undefined ? {} : { maxAge: result.age }),
    })
  // When no cookie was sent, another window may have started a session since; deleting the cookie would end it.
  else if (sent && (result?.value === null || !session.exists)) cookies.clear(sessionCookie)
  const csrf = session.get<string>('csrf')
  if (session.exists && csrf && request.cookies[csrfCookie] !== csrf)
    cookies.set(csrfCookie, csrf, { sameSite: 'lax', maxAge: csrfAge })
  if (session.ended || !session.exists || request.url.startsWith('/api/') || !session.get('private_key')) return
  const publicKey = Buffer.from((await sessionKeys(session)).publicPem).toString('base64')
  if (request.cookies[publicKeyCookie] !== publicKey) cookies.set(publicKeyCookie, publicKey, { sameSite: 'lax' })
}

/** The CSRF token of the session, created when there is none or when `renew` is set. */
export function csrfToken(session: Session, renew = false): string {
  const known = session.get<string>('csrf')
  if (known && !renew) return known
  const token = randomText(64)
  session.set('csrf', token)
  return token
}
