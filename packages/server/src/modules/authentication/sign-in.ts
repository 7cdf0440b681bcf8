import type { Caller, Context } from '../../kernel/context.ts'
import { hashed } from '../../kernel/random.ts'
import { updateRow } from '../../kernel/repository.ts'
import { type Identified, identityCatalogue, type RedirectBackend, type SignInBackend } from '../../kernel/sign-in.ts'
import {
  forgetFailedSignIns,
  loginLimits,
  passwordSettings,
  resetPath,
  resetToken,
  user,
  userBy,
  userByLogin,
} from '../users/index.ts'
import { callerById } from './callers.ts'
import { type Factors, factorsOf, passSecondFactor, type UserRow } from './factors.ts'
import { checkAddress, checkBlock, countFailure, subjectOf, tryGuessable } from './limits.ts'
import { Refusal } from './refusal.ts'
import { endSessions, type Session } from './session.ts'
import { type LoginFacts, signInFinished, signInJudged } from './sign-in-outcomes.ts'

/** The credentials of a sign-in attempt. */
export interface Attempt {
  username: string
  password?: string
  /** OpenSSH public key whose possession a trusted component has verified. */
  publicKey?: string
  type: LoginFacts['type']
}

/** A way in: how its backends are asked, and what it is called when none of them knows the person. */
interface Way {
  backend: string
  /** What was typed; absent where a provider says who it is. */
  username?: string
  type: LoginFacts['type']
  prove: (account: UserRow | undefined) => Promise<{ backend: SignInBackend; who: Identified } | undefined>
  /** A secret that could be guessed is counted; a key or a provider's word is not. */
  isGuessable: boolean
  refusal: () => Refusal
}

/** How long the password step stays good while the second step is done. Milliseconds. */
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

/** Refusals that are about the person and only told to who knows the credential. */
async function checkPerson(ctx: Context, row: UserRow, backend: SignInBackend): Promise<void> {
  if (row.date_expired !== null && row.date_expired < ctx.now) throw new Refusal('user_expired')
  if (!row.is_active) throw new Refusal('user_inactive')
  if (!('keepsPassword' in backend) || row.source !== 'local') return
  const age = ctx.now - Number(row.date_password_last_updated ?? row.date_joined)
  const expired = age > passwordSettings.of(ctx).SECURITY_PASSWORD_EXPIRATION_TIME * day
  if (!expired && !row.need_update_password) return
  const token = await resetToken(ctx, row, expired ? 'expired' : 'first')
  throw new Refusal(
    expired ? 'password_expired' : 'password_need_update',
    {},
    { redirect: `${resetPath}?token=${token}` },
  )
}

/** An installation that knows its users beforehand may say so to whoever is none of them; it counts as any failure. */
async function refuseUnknown(ctx: Context, subject: string, way: Way): Promise<never> {
  if (way.isGuessable) await countFailure(ctx, 'login', subject)
  throw new Refusal('user_not_exist', {}, { logged: way.isGuessable })
}

/** An SSH client offers all its keys in turn; a key cannot be guessed, so these are not counted as failures. */
function unknownKey(ctx: Context): Refusal {
  const values = {
    times_try: loginLimits.of(ctx).SECURITY_LOGIN_LIMIT_COUNT,
    block_time: loginLimits.of(ctx).SECURITY_LOGIN_LIMIT_TIME,
  }
  return new Refusal('password_failed', values, { logged: false })
}

/** The account a backend means; undefined when there is none that may sign in this way. */
async function accountOf(ctx: Context, typed: UserRow | undefined, who: Identified): Promise<UserRow | undefined> {
  const row = typed?.username === who.username ? typed : await userBy(ctx, 'username', who.username)
  if (!row || row.is_service_account) return undefined
  return row.source === who.source || !loginLimits.of(ctx).ONLY_ALLOW_AUTH_FROM_SOURCE ? row : undefined
}

/** Takes over what a source knows of its own people. An address that somebody else has stays with them. */
async function followSource(ctx: Context, row: UserRow, { source, attributes }: Identified): Promise<void> {
  if (!attributes || source === 'local' || row.source !== source) return
  const { name = row.name, email = row.email } = attributes
  const isFree = email === row.email || !(await userBy(ctx, 'email', email))
  if (name === row.name && (email === row.email || !isFree)) return
  await ctx.transaction((inside) => updateRow(inside, user, row.id, { name, ...(isFree ? { email } : {}) }))
}

/**
 * The first step of every way in, and the only place that decides it: the address, the account's count of failures, the
 * backend's word on who it is, the person's state, the rules about sign-ins, and the log of a refusal. Marks the session
 * so that the second step may follow.
 */
async function admit(ctx: Context, session: Session, way: Way): Promise<UserRow> {
  // What the log of a refusal says, as far as it is known.
  const told = { username: way.username ?? '', backend: way.backend }
  try {
    await checkAddress(ctx)
    const isTyped = way.username !== undefined
    const typed = isTyped ? await userByLogin(ctx, way.username ?? '') : undefined
    const subject = subjectOf(typed, way.username ?? '')
    if (isTyped) {
      await checkBlock(ctx, 'login', subject)
      if (!typed && loginLimits.of(ctx).ONLY_ALLOW_EXIST_USER_AUTH) await refuseUnknown(ctx, subject, way)
    }
    let found: { backend: SignInBackend; who: Identified; row: UserRow } | undefined
    const isRight = async () => {
      const proven = await way.prove(typed)
      if (proven) told.backend = proven.backend.name
      if (proven && !isTyped) told.username = proven.who.username
      const row = proven && (await accountOf(ctx, typed, proven.who))
      found = proven && row && { ...proven, row }
      return found !== undefined
    }
    if (way.isGuessable) await tryGuessable(ctx, 'login', subject, isRight)
    else await isRight()
    if (!found) throw way.refusal()
    const { backend, who, row } = found
    if (row.id !== typed?.id) await checkBlock(ctx, 'login', subjectOf(row, row.username))
    await checkPerson(ctx, row, backend)
    await signInJudged.run(ctx, { userId: row.id, username: row.username, type: way.type, backend: backend.name })
    await followSource(ctx, row, who)
    // Whoever gave a browser its session beforehand must not find the first step done in it.
    session.renew()
    session.set('auth_password', true)
    session.set('auth_password_expired_at', ctx.now + passwordStepAge)
    session.set('user_id', row.id)
    session.set('auth_password_mark', hashed(row.password_hash ?? ''))
    session.set('auth_backend', backend.name)
    session.set('auth_type', way.type)
    return row
  } catch (error) {
    if (error instanceof Refusal) await record(ctx, told.username, way.type, { refusal: error, backend: told.backend })
    throw error
  }
}

/** First step by what was typed or shown. */
export function passCredential(ctx: Context, session: Session, attempt: Attempt): Promise<UserRow> {
  const { username, password = '', publicKey, type } = attempt
  const asked = ctx.withoutSession()
  if (publicKey)
    return admit(ctx, session, {
      backend: 'publickey',
      username,
      type,
      isGuessable: false,
      refusal: () => unknownKey(ctx),
      prove: (account) =>
        firstOf(identityCatalogue.enabled(ctx, 'key'), (one) => one.authenticate(asked, { publicKey, account })),
    })
  return admit(ctx, session, {
    backend: 'password',
    username,
    type,
    isGuessable: true,
    refusal: () => new Refusal('user_invalid'),
    prove: (account) =>
      firstOf(identityCatalogue.enabled(ctx, 'password'), (one) =>
        one.authenticate(asked, { username, password, account }),
      ),
  })
}

/** First step by a provider to which the browser was sent, and which sent it back. */
export const passRedirect = (
  ctx: Context,
  session: Session,
  backend: RedirectBackend,
  back: Parameters<RedirectBackend['authenticate']>[1],
): Promise<UserRow> =>
  admit(ctx, session, {
    backend: backend.name,
    type: 'W',
    isGuessable: false,
    refusal: () => new Refusal('provider_refused'),
    prove: async () => firstOf([backend], (one) => one.authenticate(ctx.withoutSession(), back)),
  })

async function firstOf<B extends SignInBackend>(
  backends: readonly B[],
  ask: (backend: B) => Promise<Identified | undefined>,
): Promise<{ backend: B; who: Identified } | undefined> {
  for (const backend of backends) {
    const who = await ask(backend)
    if (who) return { backend, who }
  }
  return undefined
}

/** The person whose first step is done in this session; undefined when there is none or it is too old. */
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
  // Whoever calls this: both steps are done, by this person.
  if (session.get('user_id') !== row.id) throw new Refusal('user_invalid')
  await passSecondFactor(ctx, session, row)
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
  if (loginLimits.of(ctx).USER_LOGIN_SINGLE_MACHINE_ENABLED) await endSessions(ctx, row.id)
}
