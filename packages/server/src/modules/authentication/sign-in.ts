import type { Caller, Context } from '../../kernel/module/context.ts'
import { ApiError } from '../../kernel/module/errors.ts'
import { constraintError, updateOne } from '../../kernel/resource/mutations.ts'
import { getById, updateRow } from '../../kernel/resource/repository.ts'
import { hashed } from '../../kernel/security/random.ts'
import {
  type AssertionBackend,
  type Identified,
  identityCatalogue,
  type PasswordBackend,
  type ProviderAnswer,
  type RedirectBackend,
  type SignInBackend,
  type TokenBackend,
} from '../../kernel/security/sign-in.ts'
import {
  confirmIdentity,
  createFromSource,
  forgetFailedSignIns,
  isTypedAs,
  loginLimits,
  passwordSettings,
  resetPath,
  resetToken,
  user,
  userBy,
  userByLogin,
  userIdByIdentity,
  userNamed,
} from '../users/index.ts'
import { password as passwordOfOurs } from './backends/password.ts'
import { callerById } from './callers.ts'
import { demandFactor, type Factors, factorsOf, forgetDemand, passSecondFactor, type UserRow } from './factors.ts'
import { checkAddress, checkBlock, countFailure, subjectOf, tryGuessable } from './limits.ts'
import { isProvider, providerOf } from './provider-age.ts'
import { demandSameIdentity, keepAtProvider, settleAtProvider } from './provider-session.ts'
import { confirmed } from './provider-standing.ts'
import { endSessions, type Session } from './session.ts'
import { SignInDenied } from './sign-in-denied.ts'
import { type LoginFacts, type SignInFacts, signInFinished, signInJudged, signInReviews } from './sign-in-outcomes.ts'
import { passReview } from './sign-in-review.ts'

/** The credentials of a sign-in attempt. */
export interface Attempt {
  username: string
  password?: string
  /** OpenSSH public key whose possession a trusted component has verified. */
  publicKey?: string
  type: LoginFacts['type']
}

/** One kind of sign-in: how its backends are asked, and its error when none of them accepts. */
interface Way {
  backend: string
  /** The typed name; absent for providers. */
  username?: string
  /** In the log, as long as nobody is known. */
  namedInLog?: string
  type: LoginFacts['type']
  prove: (account: UserRow | undefined) => Promise<{ backend: SignInBackend; who: ProviderAnswer } | undefined>
  /** Failures are counted for secrets that could be guessed, not for keys and providers. */
  isGuessable: boolean
  refusal: () => SignInDenied
}

/** How long the password step stays good while the second step is done. Milliseconds. */
const passwordStepAge = 600_000
const day = 86_400_000

async function record(
  ctx: Context,
  username: string,
  type: LoginFacts['type'],
  outcome: { row?: UserRow; refusal?: SignInDenied; factors?: Factors; backend: string },
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

/** Refusals because of the user's state; only returned after the credential was verified. */
async function checkPerson(ctx: Context, row: UserRow, backend: SignInBackend): Promise<void> {
  if (row.date_expired !== null && row.date_expired < ctx.now) throw new SignInDenied('user_expired')
  if (!row.is_active) throw new SignInDenied('user_inactive')
  // A key, a link or another provider does not replace the sign-in at the provider whose user it is.
  if (isProvider(row.source) && !(backend.kind === 'redirect' && providerOf(backend) === row.source)) {
    const { signInOver } = (await confirmed(ctx, await callerById(ctx, row.id))) ?? {}
    if (signInOver) throw new SignInDenied(signInOver)
  }
  if (!('keepsPassword' in backend) || row.source !== 'local') return
  const age = ctx.now - Number(row.date_password_last_updated ?? row.date_joined)
  const expired = age > passwordSettings.of(ctx).SECURITY_PASSWORD_EXPIRATION_TIME * day
  if (!expired && !row.need_update_password) return
  const token = await resetToken(ctx, row, expired ? 'expired' : 'first')
  throw new SignInDenied(
    expired ? 'password_expired' : 'password_need_update',
    {},
    { redirect: `${resetPath}?token=${token}` },
  )
}

/** An installation may refuse unknown users explicitly; this counts as a failure. */
async function refuseUnknown(ctx: Context, subject: string, way: Way): Promise<never> {
  if (way.isGuessable) await countFailure(ctx, 'login', subject)
  throw new SignInDenied('user_not_exist', {}, { logged: way.isGuessable })
}

/** An SSH client offers all its keys in turn; a key cannot be guessed, so these are not counted as failures. */
function unknownKey(ctx: Context): SignInDenied {
  const values = {
    times_try: loginLimits.of(ctx).SECURITY_LOGIN_LIMIT_COUNT,
    block_time: loginLimits.of(ctx).SECURITY_LOGIN_LIMIT_TIME,
  }
  return new SignInDenied('password_failed', values, { logged: false })
}

/** Creates the user at the first sign-in; undefined where only known users may sign in, or for unsuitable values. */
async function createdFrom(
  ctx: Context,
  { source, username, attributes, creates }: Identified,
): Promise<UserRow | undefined> {
  if (source === 'local' || creates === false || loginLimits.of(ctx).ONLY_ALLOW_EXIST_USER_AUTH) return undefined
  await createFromSource(ctx.withoutSession(), { source, username, ...attributes })
  return userBy(ctx, 'username', username)
}

/** The user who is bound to the identity at a provider, whatever name the provider gives now. */
async function boundUser(
  ctx: Context,
  provider: string | undefined,
  who: ProviderAnswer,
): Promise<UserRow | undefined> {
  const id = provider && who.identity && (await userIdByIdentity(ctx, provider, who.identity))
  return id ? userBy(ctx, 'id', id) : undefined
}

/**
 * The user a backend identified; undefined if none may sign in this way. A local user is nobody else's: a source that
 * has an entry of the same name would take the user over.
 */
async function accountOf(
  ctx: Context,
  typed: UserRow | undefined,
  { backend, who }: { backend: SignInBackend; who: ProviderAnswer },
  isTyped: boolean,
): Promise<UserRow | undefined> {
  const provider = backend.kind === 'redirect' ? providerOf(backend) : undefined
  const bound = await boundUser(ctx, provider, who)
  const known = bound ?? (typed?.username === who.username ? typed : await userNamed(ctx, who.username))
  // Sources may tell names apart that are one here: in another case, a name is that of its own source only.
  if (known && !bound && known.username !== who.username && known.source !== who.source) return undefined
  // By a name that is another one here, a password could be guessed beside the limits of its account.
  if (isTyped && known?.id !== typed?.id) return undefined
  const row = known ?? (await createdFrom(ctx, who))
  const isOtherSource = row?.source !== who.source && loginLimits.of(ctx).ONLY_ALLOW_AUTH_FROM_SOURCE
  if (!row || row.is_service_account || (row.source === 'local' && who.source !== 'local') || isOtherSource) {
    const facts = { backend: backend.name, username: who.username, source: row?.source }
    if (provider) ctx.services.log.warn(facts, 'A provider named somebody who cannot sign in by it')
    return undefined
  }
  if (provider) await demandSameIdentity(ctx, row, provider, who.identity)
  // A new user belongs to whom it was created for, even if this sign-in is not finished.
  if (provider && !known) await confirmIdentity(ctx, row.id, provider, who.identity)
  return row
}

/**
 * Takes over the attributes from the source of a user, through the checks of the users resource. A value that does not
 * pass them is ignored: an unsuitable name, or the address of another user.
 */
async function followSource(ctx: Context, row: UserRow, who: Identified): Promise<void> {
  const { source, attributes, updates } = who
  if (!attributes || updates === false || source === 'local' || row.source !== source) return
  for (const field of ['name', 'email', 'phone', 'comment'] as const) {
    const value = attributes[field]
    if (value === undefined || value === row[field]) continue
    try {
      await ctx.withoutSession().transaction(async (inside) => {
        await updateOne(inside, user, await getById(inside, user, row.id), { [field]: value }, true)
      })
    } catch (error) {
      if (!(error instanceof ApiError) && !constraintError(error)) throw error
    }
  }
}

/**
 * The first step of every way in, and the only place that decides it: the address, the account's count of failures, the
 * backend's answer, the user's state, the login rules, and the log of a refusal. Marks the session
 * so that the second step may follow.
 */
async function admit(ctx: Context, session: Session, way: Way): Promise<UserRow> {
  // For the log entry of a refusal, as far as known.
  const told = { username: way.username ?? way.namedInLog ?? '', backend: way.backend }
  try {
    await checkAddress(ctx)
    const isTyped = way.username !== undefined
    const typed = isTyped ? await userByLogin(ctx, way.username ?? '') : undefined
    const subject = subjectOf(typed, way.username ?? '')
    // Who types a look-alike has read it somewhere: it counts against the account, and opens nothing.
    const isOwnSpelling = !typed || [typed.username, typed.email].some((name) => isTypedAs(way.username ?? '', name))
    if (isTyped) {
      await checkBlock(ctx, 'login', subject)
      if (!typed && loginLimits.of(ctx).ONLY_ALLOW_EXIST_USER_AUTH) await refuseUnknown(ctx, subject, way)
    }
    let found: { backend: SignInBackend; who: ProviderAnswer; row: UserRow } | undefined
    const isRight = async () => {
      const proven = await way.prove(typed)
      if (proven) told.backend = proven.backend.name
      if (proven && !isTyped) told.username = proven.who.username
      const row = proven && isOwnSpelling ? await accountOf(ctx, typed, proven, isTyped) : undefined
      found = proven && row && { ...proven, row }
      return found !== undefined
    }
    if (way.isGuessable) await tryGuessable(ctx, 'login', subject, isRight)
    else await isRight()
    if (!found) throw way.refusal()
    const { backend, who, row } = found
    if (row.id !== typed?.id) await checkBlock(ctx, 'login', subjectOf(row, row.username))
    await checkPerson(ctx, row, backend)
    const facts: SignInFacts = { userId: row.id, username: row.username, type: way.type, backend: backend.name }
    await signInJudged.run(ctx, facts)
    await followSource(ctx, row, who)
    // Session fixation: a session planted before the sign-in must not contain the completed first step.
    session.renew()
    session.set('auth_password', true)
    session.set('auth_password_expired_at', ctx.now + passwordStepAge)
    session.set('user_id', row.id)
    session.set('auth_password_mark', hashed(row.password_hash ?? ''))
    session.set('auth_backend', backend.name)
    session.set('auth_type', way.type)
    keepAtProvider(ctx, session, backend.kind === 'redirect' ? backend : undefined, who)
    // Marks of an earlier first step in the same session belong to another sign-in.
    forgetDemand(session)
    if (who.unfinished) demandFactor(session, row.id, who.unfinished)
    session.delete('auth_confirm_required', 'auth_notice_required', 'auth_ticket_id', 'auth_acl_id')
    if (facts.rule) {
      session.set(facts.rule.action === 'review' ? 'auth_confirm_required' : 'auth_notice_required', true)
      session.set('auth_acl_id', facts.rule.id)
    }
    return row
  } catch (error) {
    if (error instanceof SignInDenied)
      await record(ctx, told.username, way.type, { refusal: error, backend: told.backend })
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
    refusal: () => new SignInDenied('user_invalid'),
    prove: (account) =>
      firstOf(identityCatalogue.enabled(ctx, 'password'), (one) =>
        one.authenticate(asked, { username, password, account }),
      ),
  })
}

/** The backends that know the password of a user: the own one, or that of the source. Temporary passwords are none. */
export const passwordBackendsOf = (ctx: Context, { source }: { source: string }): PasswordBackend[] =>
  identityCatalogue
    .enabled(ctx, 'password')
    .filter((backend) => backend.name === (source === 'local' ? passwordOfOurs.name : source))

/**
 * Whether a password is that of a user who is signed in, as the backend of their source says. The caller limits guesses.
 */
export async function passwordIsRight(ctx: Context, row: UserRow, password: string): Promise<boolean> {
  const typed = { username: row.username, password, account: row }
  const found = await firstOf(passwordBackendsOf(ctx, row), (one) => one.authenticate(ctx.withoutSession(), typed))
  if (!found || found.who.unfinished || found.who.source !== row.source) return false
  return (await accountOf(ctx, row, found, true))?.id === row.id
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
    refusal: () => new SignInDenied('provider_refused'),
    prove: async () => firstOf([backend], (one) => one.authenticate(ctx.withoutSession(), back)),
  })

/** First step by a browser that signed a challenge with a key of its own. */
export const passAssertion = (
  ctx: Context,
  session: Session,
  backend: AssertionBackend,
  shown: Parameters<AssertionBackend['authenticate']>[1],
): Promise<UserRow> =>
  admit(ctx, session, {
    backend: backend.name,
    namedInLog: 'unknown',
    type: 'W',
    isGuessable: false,
    refusal: () => new SignInDenied('passkey_failed'),
    prove: async () => firstOf([backend], (one) => one.authenticate(ctx.withoutSession(), shown)),
  })

/** First step by a token; its backend tells wrong tokens from late ones. */
export const passToken = (ctx: Context, session: Session, backend: TokenBackend, token: string): Promise<UserRow> =>
  admit(ctx, session, {
    backend: backend.name,
    type: 'W',
    isGuessable: false,
    refusal: () => new SignInDenied('authkey_invalid'),
    prove: async () => firstOf([backend], (one) => one.authenticate(ctx.withoutSession(), { token })),
  })

async function firstOf<B extends SignInBackend>(
  backends: readonly B[],
  ask: (backend: B) => Promise<ProviderAnswer | undefined>,
): Promise<{ backend: B; who: ProviderAnswer } | undefined> {
  for (const backend of backends) {
    const who = await ask(backend)
    if (who) return { backend, who }
  }
  return undefined
}

/** The user who completed the first step in this session; undefined if none, or too long ago. */
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
    if (error instanceof SignInDenied)
      await record(ctx, row.username, session.get('auth_type') ?? 'U', {
        refusal: error,
        row,
        backend: session.get('auth_backend') ?? 'password',
      })
    throw error
  }
}

/** The marks of a sign-in that is under way. */
export const stepMarks = [
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
  // The caller guarantees that this user completed both steps.
  if (session.get('user_id') !== row.id) throw new SignInDenied('user_invalid')
  await passSecondFactor(ctx, session, row)
  const backend = session.get<string>('auth_backend') ?? 'password'
  const type = session.get<LoginFacts['type']>('auth_type') ?? 'U'
  try {
    await passReview(ctx, session, row)
  } catch (error) {
    if (error instanceof SignInDenied) await record(ctx, row.username, type, { refusal: error, row, backend })
    // A request that was refused ends the sign-in: the next one begins with the password.
    if (error instanceof SignInDenied && error.code === 'login_confirm_error') session.delete(...stepMarks)
    throw error
  }
  const remindedRule = session.get('auth_notice_required') ? session.get<string>('auth_acl_id') : undefined
  const begunWith = session.get('auth_password_mark')
  session.delete(...stepMarks)
  forgetDemand(session)
  const caller = await callerById(ctx, row.id)
  // A password changed since the first step invalidates the sign-in.
  if (!caller || caller.passwordMark !== begunWith) throw new SignInDenied('user_invalid')
  await settleAtProvider(ctx, session, row)
  await ctx.transaction(async (inside) => {
    await updateRow(inside, user, row.id, { last_login: ctx.now })
    await forgetFailedSignIns(inside, row)
    await record(inside, row.username, type, { row, factors: await factorsOf(ctx, row), backend })
    if (remindedRule) await signInReviews.use.remind(inside, row, remindedRule)
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
