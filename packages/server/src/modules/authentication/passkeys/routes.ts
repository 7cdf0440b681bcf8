import { authenticationMessages } from '@castellan/contract/messages/authentication'
import { errors } from '@castellan/contract/messages/errors'
import { textIn } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { defineRoute, type Handling, redirect } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, notAuthenticated, text } from '../../../kernel/module/errors.ts'
import { recordSaves } from '../../../kernel/resource/changes.ts'
import { insertRow, lockRow } from '../../../kernel/resource/repository.ts'
import { tellWaysChanged, type UserRow, user, userBy } from '../../users/index.ts'
import { sessionOf } from '../api.ts'
import { keepForFactor } from '../factors.ts'
import { showRefusal } from '../federated/pages.ts'
import { beginSession, formOf, ownPath, refused, showPage, withCsrf, withNext } from '../pages.ts'
import { passAssertion, pendingUser } from '../sign-in.ts'
import { SignInDenied } from '../sign-in-denied.ts'
import { guardPath, loginPath } from '../sign-in-pages.ts'
import { passkeyBackend, passkeyFactor } from './backend.ts'
import { createdCredential, creationOptions, newChallenge, requestOptions, takeChallenge } from './ceremonies.ts'
import { passkey, passkeysOf, unreadable } from './passkey.ts'
import { demandRelyingParty, offeredParty, relyingPartyOf } from './relying-party.ts'

const { url } = passkey
/** Maximum number of keys per user. */
const mostKeys = 10
const signInMark = 'auth_passkey_challenge'
const registerMark = 'auth_passkey_register'

/** The caller, who must have signed in to this browser and be a local user. */
async function localUser(ctx: Context): Promise<UserRow> {
  const row = ctx.session ? await userBy(ctx, 'id', ctx.me.id) : undefined
  if (!row) throw notAuthenticated()
  if (row.source !== 'local') throw failureAs(400, 'error', text(errors.passkey_local))
  return row
}

/** Keys can be registered before an administrator switches sign-ins by passkey on. */
async function askForKey({ ctx, request }: Handling): Promise<unknown> {
  const row = await localUser(ctx)
  const party = offeredParty(ctx, request)
  const challenge = await newChallenge(ctx)
  sessionOf(ctx).set(registerMark, challenge)
  const name = (request.query.name ?? '').slice(0, 128)
  const owner = { id: row.id, name: `${row.username}(${name})`, displayName: row.name }
  return { publicKey: await creationOptions(party, owner, await passkeysOf(ctx, row.id), challenge) }
}

/** Which kind of authenticator it probably is, by the browser. */
function platformOf(userAgent: string): string {
  if (/Macintosh|iPhone|iPad/.test(userAgent)) return userAgent.includes('Chrome') ? 'Chrome on Apple' : 'Apple'
  if (userAgent.includes('Android')) return 'Google'
  return userAgent.includes('Windows') ? 'Microsoft' : 'Key'
}

async function register({ ctx, request }: Handling): Promise<unknown> {
  const row = await localUser(ctx)
  const party = demandRelyingParty(ctx, request)
  const body = objectOf(request.body)
  const credential = await createdCredential(ctx, party, takeChallenge(sessionOf(ctx), registerMark), body)
  if (!credential) throw unreadable()
  const platform = platformOf(ctx.userAgent)
  const name = textIn(body.key_name).trim().slice(0, 128) || platform
  return ctx.transaction(async (inside) => {
    // The lock keeps two concurrent calls from both taking the last free place.
    await lockRow(inside, user.table, row.id)
    const own = await passkeysOf(inside, row.id)
    if (own.length >= mostKeys)
      throw failureAs(400, 'error', text(authenticationMessages.access_keys_full, { count: mostKeys }))
    const values = { ...credential, name, platform, user_id: row.id }
    const made = await insertRow(inside, passkey, values)
    const change = {
      mode: 'create' as const,
      partial: false,
      before: undefined,
      row: made,
      values: {},
      input: {},
      index: 0,
    }
    await recordSaves(inside, passkey, [change])
    await tellWaysChanged(inside, row, ['passkey'])
    return { id: made.id, name: made.name }
  })
}

/**
 * The challenge of a sign-in. In the middle of one, and for a user who is signed in, it is for the second factor, and
 * names the user's keys; nobody else learns from it which keys exist.
 */
async function askForSignature({ ctx, request }: Handling): Promise<unknown> {
  const party = offeredParty(ctx, request)
  const session = sessionOf(ctx)
  const known =
    (await pendingUser(ctx, session)) ??
    (ctx.caller && ctx.credential === 'session' ? await userBy(ctx, 'id', ctx.caller.id) : undefined)
  if (!session.exists) beginSession(ctx, session)
  const challenge = await newChallenge(ctx)
  if (!known) {
    session.set(signInMark, challenge)
    return { publicKey: await requestOptions(party, [], challenge, 'required') }
  }
  keepForFactor(session, passkeyFactor.name, JSON.stringify({ challenge, party: relyingPartyOf(ctx, request) }))
  const keys = (await passkeysOf(ctx, known.id)).filter((row) => row.is_active)
  return { publicKey: await requestOptions(party, keys, challenge, 'preferred') }
}

const signInPage = ({ ctx, request }: Handling, more: { errors?: Record<string, string[]> } = {}) =>
  showPage(ctx, sessionOf(ctx), {
    page: 'passkey',
    optionsUrl: `${url}auth/`,
    action: withNext(`${url}auth/`, request),
    loginUrl: withNext(loginPath, request),
    ...more,
  })

function showSignIn(handling: Handling): unknown {
  const { ctx, request } = handling
  if (ctx.credential === 'session' && ctx.caller?.isActive && !ctx.caller.isExpired)
    return redirect(ownPath(request.query.next) ?? '/')
  if (!passkeyBackend.isEnabled(ctx)) return showRefusal(ctx, sessionOf(ctx), text(errors.passkey_off))
  return signInPage(handling)
}

function signIn(handling: Handling): Promise<unknown> {
  return withCsrf(handling, async () => {
    const { ctx, request } = handling
    const session = sessionOf(ctx)
    try {
      if (!passkeyBackend.isEnabled(ctx)) throw new SignInDenied('passkey_failed', {}, { logged: false })
      await passAssertion(ctx, session, passkeyBackend, {
        request,
        challenge: takeChallenge(session, signInMark),
        assertion: assertionIn(formOf(request).passkeys ?? ''),
      })
    } catch (error) {
      if (!(error instanceof SignInDenied)) throw error
      return signInPage(handling, refused(ctx, error.said))
    }
    return redirect(withNext(guardPath, request))
  })
}

function assertionIn(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const open = { requires: 'public', transaction: 'none', csrfExempt: true, describes: url } as const
const registers = {
  requires: 'authentication.add_passkey',
  confirm: 'password',
  transaction: 'none',
  describes: url,
  listed: true,
} as const

export const passkeyRoutes = [
  defineRoute({ ...registers, method: 'POST', path: url, summary: 'Register a passkey', handle: register }),
  defineRoute({
    ...registers,
    method: 'GET',
    path: `${url}register/`,
    summary: 'Options for creating a passkey in the browser',
    handle: askForKey,
  }),
  defineRoute({
    ...registers,
    method: 'POST',
    path: `${url}register/`,
    summary: 'Register a passkey',
    handle: register,
  }),
  defineRoute({
    ...open,
    method: 'GET',
    path: `${url}login/`,
    summary: 'Page for a sign-in by passkey',
    statuses: [200, 302],
    handle: showSignIn,
  }),
  defineRoute({
    ...open,
    method: 'GET',
    path: `${url}auth/`,
    summary: 'A challenge for a passkey',
    listed: true,
    handle: askForSignature,
  }),
  defineRoute({
    ...open,
    method: 'POST',
    path: `${url}auth/`,
    summary: 'Sign in by passkey',
    statuses: [302],
    handle: signIn,
  }),
]
