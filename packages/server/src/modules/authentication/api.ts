import { errors } from '@castellan/contract/messages/errors'
import { usersMessages } from '@castellan/contract/messages/users'
import { type Field, textIn } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { columnsFor, importRoute } from '../../kernel/files/import.ts'
import { created, defineRoute, type Handling, Reply } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import {
  ApiError,
  failureAs,
  invalid,
  notAnObject,
  notAuthenticated,
  notFound,
  render,
  text,
} from '../../kernel/module/errors.ts'
import { perInstallation } from '../../kernel/module/per-installation.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { decrypted } from '../../kernel/security/encrypted.ts'
import { AddressLimit } from '../../kernel/security/rate-limit.ts'
import { isSameName, profileOf, signInSecurity, userBy } from '../users/index.ts'
import { issueBearer } from './bearer.ts'
import { clientContext } from './component.ts'
import { type ConfirmLevel, demandConfirmation } from './confirmation.ts'
import { activeFactor, factorsOf, offeredFactors, type UserRow } from './factors.ts'
import { confirmFields, passwordFields, selectFields, signInFields } from './form-fields.ts'
import { authenticationIdentity } from './identity.ts'
import { checkAddress, checkBlock, countAddress, countFailure, subjectOf } from './limits.ts'
import { confirmOwn, passOwnPassword, usableWay } from './own-confirmation.ts'
import { jarAge, Session } from './session.ts'
import { completeSignIn, passCredential, passFactor, pendingUser } from './sign-in.ts'
import { SignInDenied } from './sign-in-denied.ts'

const base = '/api/v1/authentication/'

export function sessionOf(ctx: Context): Session {
  if (!(ctx.session instanceof Session)) throw notAuthenticated()
  return ctx.session
}

async function signInByApi({ ctx: outer, request }: Handling): Promise<unknown> {
  const body = request.body
  if (body === null) throw invalid({ non_field_errors: [notAnObject(body)] })
  const { username, password, public_key } = readBody(outer, signInFields, body)
  const sent = objectOf(body)
  const session = sessionOf(outer)
  if (session.userId) authenticationIdentity.checkCsrf(outer, request)
  const { ctx, vouched } = await clientContext(outer, request)
  if (!session.exists) session.keepFor(jarAge)
  const publicKey = vouched ? (public_key ?? '') : ''
  const credential = username || password || publicKey
  const pending = credential ? undefined : await pendingUser(ctx, session)
  const header = request.headers['x-jms-login-type']
  const type = header === 'T' || header === 'W' ? header : 'U'
  const challenge = signInSecurity.of(ctx).SECURITY_LOGIN_CHALLENGE_ENABLED ? textIn(sent.challenge) : ''
  const row =
    pending ??
    (await passCredential(ctx, session, {
      username: username ?? '',
      password: (password ?? '') + challenge,
      ...(publicKey ? { publicKey } : {}),
      type,
    }))
  // A code may come with the password where both are asked for at once.
  const code = signInSecurity.of(ctx).SECURITY_MFA_IN_LOGIN_PAGE ? textIn(sent.code).trim() : ''
  await passFactor(ctx, session, row, code ? { type: textIn(sent.mfa_type), code } : undefined)
  await completeSignIn(ctx, session, row)
  const { token, dateExpired } = await ctx.transaction((inside) => issueBearer(inside, row.id))
  return created({
    token,
    keyword: 'Bearer',
    date_expired: formatTimestamp(dateExpired, ctx.zone),
    user: await profileOf(ctx, row.id),
  })
}

/** The user a code is for: the one in the middle of a sign-in, or the session's own. */
async function userOfSession(ctx: Context): Promise<UserRow | undefined> {
  return (await pendingUser(ctx, sessionOf(ctx))) ?? (ctx.caller ? await userBy(ctx, 'id', ctx.caller.id) : undefined)
}

async function userForCode(ctx: Context): Promise<UserRow> {
  const row = await userOfSession(ctx)
  if (!row) throw notAuthenticated()
  return row
}

async function verifyCode({ ctx: outer, request }: Handling): Promise<unknown> {
  const { ctx } = await clientContext(outer, request)
  const row = await userForCode(ctx)
  const sent = objectOf(request.body)
  if (sent.code === undefined || sent.code === null) throw invalid({ code: [text(errors.required)] })
  await passFactor(ctx, sessionOf(ctx), row, { type: textIn(sent.type), code: textIn(sent.code).trim() })
  return { msg: 'ok' }
}

/** Names that one address may send along in a minute. */
const named = perInstallation(() => new AddressLimit(20, 60_000))

/**
 * The user of this session who is named. Every other name gets the answer that the contract has for unknown ones, and
 * counts against the address: nobody learns here who exists, and nobody has codes sent to others.
 */
async function whoIsNamed(ctx: Context, username: string): Promise<UserRow> {
  await checkAddress(ctx)
  const limit = named(ctx.services)
  if (limit.isReached(ctx.ip)) throw limit.refusal(ctx.ip)
  limit.count(ctx.ip)
  const row = await userOfSession(ctx)
  if (row && isSameName(row.username, username)) return row
  // As the contract limits unknown names; of nobody's account.
  const subject = subjectOf(undefined, username)
  await checkBlock(ctx, 'mfa', subject)
  await countAddress(ctx)
  await countFailure(ctx, 'mfa', subject)
  throw notFound(usersMessages.user)
}

/** Seconds between two codes sent to one user. */
const challengeInterval = 60

/** Has a factor send its code. */
async function selectFactor({ ctx, request }: Handling): Promise<unknown> {
  const { type, username } = objectOf(request.body)
  const row = textIn(username) ? await whoIsNamed(ctx, textIn(username)) : await userForCode(ctx)
  const factor = await activeFactor(ctx, row, textIn(type))
  if (!factor?.challenge) throw failureAs(400, 'error', text(errors.confirm_failed), { type: textIn(type) })
  if ((await ctx.kv.count(`mfa:challenge:${row.id}`, challengeInterval)) > 1)
    throw new SignInDenied('interval_too_short', { seconds: challengeInterval }, { logged: false })
  await factor.challenge(ctx.withoutSession(), row)
  return { code: 'ok' }
}

const levels: readonly ConfirmLevel[] = ['mfa', 'password', 'relogin']
const levelOf = (value: string | undefined): ConfirmLevel => {
  if (!value) return 'password'
  const level = levels.find((one) => one === value)
  if (!level) throw failureAs(400, 'error', text(errors.not_a_choice, { input: value }))
  return level
}

async function myRow(ctx: Context): Promise<UserRow> {
  const row = await userBy(ctx, 'id', ctx.me.id)
  if (!row) throw notAuthenticated()
  return row
}

async function confirmationNeeds({ ctx, request }: Handling): Promise<unknown> {
  const row = await myRow(ctx)
  const way = await usableWay(ctx, row, levelOf(request.query.confirm_type))
  const content =
    way === 'mfa'
      ? offeredFactors(ctx, await factorsOf(ctx, row))
      : way === 'password'
        ? [
            {
              name: 'password',
              disabled: false,
              display_name: render(text(errors.confirm_password), ctx.language),
              placeholder: '',
            },
          ]
        : []
  return { confirm_type: way, content }
}

async function confirm({ ctx, request }: Handling): Promise<unknown> {
  const sent = objectOf(request.body)
  const level = levels.find((one) => one === sent.confirm_type)
  if (!level)
    throw invalid({
      confirm_type: [
        sent.confirm_type === undefined
          ? text(errors.required)
          : text(errors.not_a_choice, { input: textIn(sent.confirm_type) }),
      ],
    })
  const sentSecret = { level, secret: decrypted(ctx, textIn(sent.secret_key)), mfaType: textIn(sent.mfa_type) }
  const problem = await confirmOwn(ctx, sessionOf(ctx), await myRow(ctx), sentSecret)
  if (problem) throw failureAs(400, 'error', problem)
  return new Reply(200, 'ok')
}

async function verifyOwnPassword({ ctx, request }: Handling): Promise<unknown> {
  const row = await myRow(ctx)
  const sent = readBody<{ password: string }>(ctx, passwordFields, request.body)
  const problem = await passOwnPassword(ctx, sessionOf(ctx), row, decrypted(ctx, sent.password))
  if (problem)
    throw new ApiError(400, 'passwd_invalid', (language) => ({
      code: 'passwd_invalid',
      detail: render(problem, language),
    }))
  return new Reply(200)
}

const open = { requires: 'public', transaction: 'none', csrfExempt: true } as const

export const apiRoutes = [
  importRoute({
    url: `${base}confirm/`,
    title: 'confirmations',
    requires: 'superuser',
    fields: confirmFields as unknown as Record<string, Field>,
    columns: columnsFor('authentication', confirmFields as unknown as Record<string, Field>),
  }),
  defineRoute({
    ...open,
    method: 'POST',
    path: `${base}auth/`,
    summary: 'Sign in and get a bearer token',
    statuses: [200, 201],
    fields: { POST: signInFields },
    handle: signInByApi,
  }),
  defineRoute({
    ...open,
    method: 'POST',
    path: `${base}tokens/`,
    summary: 'Sign in and get a bearer token',
    statuses: [200, 201],
    fields: { POST: signInFields },
    handle: signInByApi,
  }),
  defineRoute({
    ...open,
    method: 'POST',
    path: `${base}mfa/challenge/`,
    summary: 'Verify a code of the second factor',
    handle: verifyCode,
  }),
  defineRoute({
    ...open,
    method: 'POST',
    path: `${base}mfa/verify/`,
    summary: 'Verify a code of the second factor',
    handle: verifyCode,
  }),
  defineRoute({
    ...open,
    method: 'POST',
    path: `${base}mfa/select/`,
    summary: 'Send a code',
    fields: { POST: selectFields },
    handle: selectFactor,
  }),
  defineRoute({
    ...open,
    method: 'POST',
    path: `${base}mfa/send-code/`,
    summary: 'Send a code',
    fields: { POST: selectFields },
    handle: selectFactor,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}confirm/check/`,
    requires: 'valid',
    summary: 'Whether a confirmation of a level is in force',
    statuses: [200, 412],
    fields: { GET: confirmFields },
    handle: ({ ctx, request }) => {
      demandConfirmation(ctx, levelOf(request.query.confirm_type))
      return new Reply(200, 'ok')
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}confirm-oauth/`,
    requires: 'valid',
    confirm: 'relogin',
    summary: 'Whether the sign-in is recent enough to bind a third-party account',
    handle: () => new Reply(200, 'ok'),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}confirm/`,
    requires: 'valid',
    summary: 'Available confirmation methods',
    fields: { GET: confirmFields },
    handle: confirmationNeeds,
  }),
  defineRoute({
    method: 'POST',
    path: `${base}confirm/`,
    requires: 'valid',
    transaction: 'none',
    summary: 'Confirm',
    fields: { POST: confirmFields },
    handle: confirm,
  }),
  defineRoute({
    method: 'POST',
    path: `${base}password/verify/`,
    requires: 'valid',
    transaction: 'none',
    summary: 'Verify the caller’s password',
    withoutBody: true,
    fields: { POST: passwordFields },
    handle: verifyOwnPassword,
  }),
]
