import { timingSafeEqual } from 'node:crypto'
import type { Caller, Context } from '../../kernel/context.ts'
import { verifyPassword } from '../../kernel/passwords.ts'
import { hashed } from '../../kernel/random.ts'
import { updateRow } from '../../kernel/repository.ts'
import { forgetFailedSignIns, resetPath, resetToken, user, userBy, userByLogin } from '../users/index.ts'
import { callerById } from './callers.ts'
import { type Factors, factorsOf, passSecondFactor, type UserRow } from './factors.ts'
import { checkAddress, checkBlock, countFailure, subjectOf, tryGuessable } from './limits.ts'
import { keyFingerprint } from './public-keys.ts'
import { Refusal } from './refusal.ts'
import { endSessions, type Session } from './session.ts'
import { type LoginFacts, signInFinished } from './sign-in-outcomes.ts'

/** The credentials of a sign-in attempt. */
export interface Attempt {
  username: string
  password?: string
  /** OpenSSH public key whose possession a trusted component has verified. */
  publicKey?: string
  type: LoginFacts['type']
}

/** How long the password step remains valid for the second step. Milliseconds. */
const passwordStepAge = 600_000
const day = 86_400_000

async function record(
  ctx: Context,
  username: string,
  type: LoginFacts['type'],
  outcome: { row?: UserRow; refusal?: Refusal; factors?: Factors; backend: string },
): Promise<void> {
  const { row, refusal, factors, backend } = outcome
  if (refusal && !refusal.logged) return
  await signInFinished.run(ctx, {
    username,
    type,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
    mfa: refusal ? 2 : factors?.enabled ? 1 : 0,
    status: !refusal,
    reason: refusal ? refusal.code : '',
    backend,
    ...(row ? { userId: row.id } : {}),
  })
}

/** Verifies a user's password. Takes the same time when there is no such user. */
async function isPassword(row: UserRow | undefined, password: string | undefined): Promise<boolean> {
  const right = await verifyPassword(password ?? '', row?.password_hash)
  return right && row?.source === 'local' && !row.is_service_account
}

function isPublicKey(ctx: Context, row: UserRow | undefined, publicKey: string | undefined): boolean {
  if (!ctx.services.settings.bool('TERMINAL_PUBLIC_KEY_AUTH')) return false
  const [own, shown] = [keyFingerprint(row?.public_key ?? ''), keyFingerprint(publicKey ?? '')]
  if (!row || !own || !shown || own.length !== shown.length) return false
  const fits = row.source === 'local' || !ctx.services.settings.bool('ONLY_ALLOW_AUTH_FROM_SOURCE')
  return timingSafeEqual(Buffer.from(own), Buffer.from(shown)) && fits && !row.is_service_account
}

/** Errors about the user's state, revealed only after the right credential. */
async function checkUser(ctx: Context, row: UserRow, byKey: boolean): Promise<void> {
  if (row.date_expired !== null && row.date_expired < ctx.now) throw new Refusal('user_expired')
  if (!row.is_active) throw new Refusal('user_inactive')
  if (byKey || row.source !== 'local') return
  const age = ctx.now - Number(row.date_password_last_updated ?? row.date_joined)
  const expired = age > ctx.services.settings.number('SECURITY_PASSWORD_EXPIRATION_TIME') * day
  if (!expired && !row.need_update_password) return
  const token = await resetToken(ctx, row, expired ? 'expired' : 'first')
  throw new Refusal(
    expired ? 'password_expired' : 'password_need_update',
    {},
    { redirect: `${resetPath}?token=${token}` },
  )
}

/** Where the setting allows it, reveals that the username is unknown; counted like any failure. */
async function refuseUnknown(ctx: Context, subject: string, byKey: boolean): Promise<never> {
  if (!byKey) await countFailure(ctx, 'login', subject)
  throw new Refusal('user_not_exist', {}, { logged: !byKey })
}

/** An SSH client offers all its keys in turn; a key cannot be guessed, so these are not counted as failures. */
function unknownKey(ctx: Context): Refusal {
  const { settings } = ctx.services
  const values = {
    times_try: settings.number('SECURITY_LOGIN_LIMIT_COUNT'),
    block_time: settings.number('SECURITY_LOGIN_LIMIT_TIME'),
  }
  return new Refusal('password_failed', values, { logged: false })
}

/** First step: the credential. Marks the session for the second step. */
export async function passCredential(ctx: Context, session: Session, attempt: Attempt): Promise<UserRow> {
  const byKey = attempt.publicKey !== undefined && attempt.publicKey !== ''
  try {
    await checkAddress(ctx)
    const found = await userByLogin(ctx, attempt.username)
    const subject = subjectOf(found, attempt.username)
    await checkBlock(ctx, 'login', subject)
    if (!found && ctx.services.settings.bool('ONLY_ALLOW_EXIST_USER_AUTH')) await refuseUnknown(ctx, subject, byKey)
    if (!byKey) await tryGuessable(ctx, 'login', subject, () => isPassword(found, attempt.password))
    else if (!isPublicKey(ctx, found, attempt.publicKey)) throw unknownKey(ctx)
    const row = found as UserRow
    await checkUser(ctx, row, byKey)
    // Against session fixation: an attacker who planted the session must not get one with the password step done.
    session.renew()
    session.set('auth_password', true)
    session.set('auth_password_expired_at', ctx.now + passwordStepAge)
    session.set('user_id', row.id)
    session.set('auth_password_mark', hashed(row.password_hash ?? ''))
    session.set('auth_backend', byKey ? 'publickey' : 'password')
    session.set('auth_type', attempt.type)
    return row
  } catch (error) {
    if (error instanceof Refusal)
      await record(ctx, attempt.username, attempt.type, { refusal: error, backend: byKey ? 'publickey' : 'password' })
    throw error
  }
}

/** The user whose first step is done in this session; undefined when there is none or it has expired. */
export async function pendingUser(ctx: Context, session: Session): Promise<UserRow | undefined> {
  const id = session.get<string>('user_id')
  if (!id || !session.get('auth_password') || Number(session.get('auth_password_expired_at') ?? 0) < ctx.now)
    return undefined
  const row = await userBy(ctx, 'id', id)
  // A changed password invalidates sign-ins begun with the old one.
  const isSame = row && session.get('auth_password_mark') === hashed(row.password_hash ?? '')
  return isSame && row.is_active ? row : undefined
}

/** Second step; failures are counted and logged. */
export async function passFactor(
  ctx: Context,
  session: Session,
  row: UserRow,
  sent?: { type: string; code: string },
): Promise<void> {
  try {
    await passSecondFactor(ctx, session, row, sent)
  } catch (error) {
    if (error instanceof Refusal)
      await record(ctx, row.username, session.get('auth_type') ?? 'U', {
        refusal: error,
        row,
        backend: session.get('auth_backend') ?? 'password',
      })
    throw error
  }
}

const stepMarks = [
  'auth_password',
  'auth_password_expired_at',
  'auth_password_mark',
  'user_id',
  'auth_confirm_required',
  'auth_notice_required',
  'auth_ticket_id',
  'auth_acl_id',
]

/** Completes a sign-in: log, timestamp, counters reset. Returns the user as a caller. */
export async function completeSignIn(
  ctx: Context,
  session: Session,
  row: UserRow,
): Promise<Caller & { passwordMark: string }> {
  const backend = session.get<string>('auth_backend') ?? 'password'
  const type = session.get<LoginFacts['type']>('auth_type') ?? 'U'
  const begunWith = session.get('auth_password_mark')
  session.delete(...stepMarks)
  const caller = await callerById(ctx, row.id)
  // A password changed since the first step invalidates the sign-in.
  if (!caller || caller.passwordMark !== begunWith) throw new Refusal('user_invalid')
  await ctx.transaction(async (inside) => {
    await updateRow(inside, user, row.id, { last_login: ctx.now })
    await forgetFailedSignIns(inside, row)
    await record(inside, row.username, type, { row, factors: await factorsOf(ctx, row), backend })
  })
  return caller
}

/** Opens a browser session for a user who passed every step. */
export async function openSession(ctx: Context, session: Session, row: UserRow, autoLogin: boolean): Promise<void> {
  const facts = {
    login_type: session.get<string>('auth_type') ?? 'W',
    backend: session.get<string>('auth_backend') ?? 'password',
  }
  const caller = await completeSignIn(ctx, session, row)
  session.signIn(row.id)
  session.set('password_mark', caller.passwordMark)
  session.set('login_time', ctx.now)
  session.set('login_ip', ctx.ip)
  session.set('user_agent', ctx.userAgent.slice(0, 254))
  session.set('login_type', facts.login_type)
  session.set('backend', facts.backend)
  session.set('persistent', autoLogin)
  if (ctx.services.settings.bool('USER_LOGIN_SINGLE_MACHINE_ENABLED')) await endSessions(ctx, row.id)
}
