import { say } from '@castellan/contract/messages'
import { signInPages } from '@castellan/contract/messages/sign-in-pages'
import type { LoginPage, MfaFactor } from '@castellan/contract/signin-page'
import { defineRoute, type Handling, type Reply, redirect } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import type { Text } from '../../kernel/module/errors.ts'
import { decrypted } from '../../kernel/security/encrypted.ts'
import { identityCatalogue } from '../../kernel/security/sign-in.ts'
import { signInSecurity } from '../users/index.ts'
import { sessionOf } from './api.ts'
import { asksCaptcha, captchaProblem, newCaptcha } from './captcha/captcha.ts'
import { factorList } from './factor-list.ts'
import { factorsOf, firstFactor } from './factors.ts'
import { automaticProvider, sendToProvider } from './federated/automatic.ts'
import { providerButtons } from './federated/pages.ts'
import { signOutAtProvider } from './federated/sign-out.ts'
import { csrfToken, retireKeys } from './identity.ts'
import { csrfNotice, formOf, ownPath, refused, showPage, withCsrf, withNext } from './pages.ts'
import { passkeyFactor } from './passkeys/backend.ts'
import { passkey } from './passkeys/passkey.ts'
import { recoveryWays } from './recovery.ts'
import { recoveryPath } from './recovery-pages.ts'
import { type Session, sessionAge } from './session.ts'
import { signInMethods, signInSessions } from './settings.ts'
import { openSession, passCredential, passFactor, pendingUser } from './sign-in.ts'
import { SignInDenied } from './sign-in-denied.ts'
import { waitPath } from './sign-in-review.ts'

export const loginPath = '/core/auth/login/'
export const guardPath = '/core/auth/login/guard/'
const mfaPath = '/core/auth/login/mfa/'
/** As in the contract, although it is a page. */
const passkeySignInPath = `${passkey.url}login/`

/**
 * Factors whose code can be typed together with the password: of a user who is not known yet, no code is sent and no
 * key is asked.
 */
const typedFactors = (ctx: Context): MfaFactor[] =>
  identityCatalogue
    .factors(ctx)
    .filter((factor) => !factor.challenge && factor.name !== passkeyFactor.name)
    .map(({ name, label, placeholder }) => ({
      name,
      label: label[ctx.language],
      placeholder: placeholder[ctx.language],
      disabled: false,
      challenge: false,
    }))

/** What the form asks beside the password: the first of these that is switched on. */
async function loginExtra(ctx: Context, username?: string): Promise<LoginPage['extra']> {
  const settings = signInSecurity.of(ctx)
  if (settings.SECURITY_LOGIN_CHALLENGE_ENABLED) return { kind: 'challenge' }
  if (settings.SECURITY_MFA_IN_LOGIN_PAGE) return { kind: 'mfa', factors: typedFactors(ctx) }
  return (await asksCaptcha(ctx, username)) ? { kind: 'captcha', ...(await newCaptcha(ctx)) } : undefined
}

export async function loginFacts(ctx: Context, more: { username?: string; errors?: Record<string, string[]> } = {}) {
  const extra = await loginExtra(ctx, more.username)
  const own = signInMethods.of(ctx).FORGOT_PASSWORD_URL
  const forcedClose = signInSessions.of(ctx).SESSION_EXPIRE_AT_BROWSER_CLOSE_FORCE
  const days = Math.floor(sessionAge(ctx) / 86_400)
  return {
    page: 'login' as const,
    autoLogin: { label: say(signInPages.auto_login, ctx.language, { days }), disabled: forcedClose || days < 1 },
    methods: [
      ...identityCatalogue
        .enabled(ctx, 'assertion')
        .map(({ name, label }) => ({ name, label: label[ctx.language], url: passkeySignInPath })),
      ...providerButtons(ctx),
    ],
    ...(own || recoveryWays(ctx).length > 0 ? { forgotUrl: own || recoveryPath } : {}),
    ...(extra ? { extra } : {}),
    ...more,
  }
}

async function showLogin({ ctx, request }: Handling): Promise<Reply> {
  if (ctx.credential === 'session' && ctx.caller?.isActive && !ctx.caller.isExpired)
    return redirect(ownPath(request.query.next) ?? '/')
  const provider = request.query.admin ? undefined : automaticProvider(ctx)
  if (provider) return sendToProvider(ctx, sessionOf(ctx), provider, request)
  return showPage(ctx, sessionOf(ctx), {
    ...(await loginFacts(ctx)),
    ...(request.query.csrf_failure ? csrfNotice(ctx) : {}),
  })
}

async function submitLogin(handling: Handling): Promise<unknown> {
  return withCsrf(handling, async () => {
    const { ctx, request } = handling
    const session = sessionOf(ctx)
    const form = formOf(request)
    const username = String(form.username ?? '')
      .slice(0, 100)
      .trim()
    const again = async (said: Text, field?: string) =>
      showPage(ctx, session, await loginFacts(ctx, { username, ...refused(ctx, said, field) }))
    const problem = (await asksCaptcha(ctx, username)) ? await captchaProblem(ctx, form) : undefined
    if (problem) return again(problem, 'captcha_1')
    const settings = signInSecurity.of(ctx)
    const challenge = settings.SECURITY_LOGIN_CHALLENGE_ENABLED ? (form.challenge ?? '').slice(0, 128).trim() : ''
    // A code may be sent along where the form asks for it; without one, the page of the second factor follows.
    const code = settings.SECURITY_MFA_IN_LOGIN_PAGE ? (form.code ?? '').slice(0, 128).trim() : ''
    let step = ''
    try {
      const password = decrypted(ctx, String(form.password ?? '').slice(0, 1024)) + challenge
      const row = await passCredential(ctx, session, { username, password, type: 'W' })
      step = 'code'
      if (code) await passFactor(ctx, session, row, { type: form.mfa_type ?? '', code })
    } catch (error) {
      if (!(error instanceof SignInDenied)) throw error
      if (error.redirect) return redirect(error.redirect)
      return again(error.said, step)
    }
    session.set('auto_login', ['on', 'true', '1'].includes(String(form.auto_login ?? '')))
    return redirect(withNext(guardPath, request))
  })
}

/** Redirects to the next missing step of a sign-in; opens the session when none is missing. */
async function guard({ ctx, request }: Handling): Promise<unknown> {
  const session = sessionOf(ctx)
  const row = await pendingUser(ctx, session)
  if (!row)
    return redirect(
      ctx.credential === 'session' && ctx.caller ? (ownPath(request.query.next) ?? '/') : withNext(loginPath, request),
    )
  try {
    await passFactor(ctx, session, row)
  } catch (error) {
    if (error instanceof SignInDenied && error.code === 'mfa_required') return redirect(withNext(mfaPath, request))
    throw error
  }
  const auto =
    session.get<boolean>('auto_login') === true && !signInSessions.of(ctx).SESSION_EXPIRE_AT_BROWSER_CLOSE_FORCE
  try {
    await openSession(ctx, session, row, auto)
  } catch (error) {
    if (!(error instanceof SignInDenied)) throw error
    if (error.code === 'login_confirm_wait') return redirect(withNext(waitPath, request))
    return showPage(ctx, session, await loginFacts(ctx, refused(ctx, error.said)))
  }
  csrfToken(session, true)
  const expire = `jms_session_expire=${auto ? 'age' : 'close'}; Path=/; Max-Age=${sessionAge(ctx)}`
  return redirect(ownPath(request.query.next) ?? '/', { 'set-cookie': expire })
}

async function showMfa({ ctx, request }: Handling): Promise<Reply> {
  const session = sessionOf(ctx)
  const row = await pendingUser(ctx, session)
  if (!row) return redirect(withNext(loginPath, request))
  const factors = await factorsOf(ctx, row)
  const enrolPath = identityCatalogue.factors(ctx).find((factor) => factor.enrolPath)?.enrolPath
  if (factors.active.length === 0 && enrolPath) return redirect(`${enrolPath}?_=login_mfa`)
  return showPage(ctx, session, { page: 'mfa', username: row.username, factors: factorList(ctx, factors) })
}

async function submitMfa(handling: Handling): Promise<unknown> {
  return withCsrf(handling, async () => {
    const { ctx, request } = handling
    const session = sessionOf(ctx)
    const row = await pendingUser(ctx, session)
    if (!row) return redirect(withNext(loginPath, request))
    const { mfa_type: type = await firstFactor(ctx, row), code = '' } = formOf(request)
    try {
      await passFactor(ctx, session, row, { type, code: code.trim() })
    } catch (error) {
      if (!(error instanceof SignInDenied)) throw error
      const factors = factorList(ctx, await factorsOf(ctx, row))
      return showPage(ctx, session, {
        page: 'mfa',
        username: row.username,
        factors,
        factor: type,
        ...refused(ctx, error.said, 'code'),
      })
    }
    return redirect(withNext(guardPath, request))
  })
}

function endSession(ctx: Context): Session {
  const session = sessionOf(ctx)
  retireKeys(session)
  session.end()
  return session
}

/** Sign-out by API call, for clients that reset their own state afterwards. */
async function logoutApi({ ctx }: Handling): Promise<object> {
  endSession(ctx)
  return {}
}

async function logout({ ctx, request }: Handling): Promise<unknown> {
  const elsewhere = await signOutAtProvider(ctx, sessionOf(ctx), request)
  const session = endSession(ctx)
  if (elsewhere) return elsewhere(session)
  const language = ctx.language
  return showPage(ctx, session, {
    page: 'message',
    kind: 'ok',
    title: signInPages.signed_out_title[language],
    message: signInPages.signed_out[language],
    redirect: { url: loginPath, auto: true, seconds: 3 },
  })
}

/** The front page redirects to the console, or to the sign-in page. */
function home({ ctx, request }: Handling): Reply {
  if (ctx.caller?.isActive && !ctx.caller.isExpired) return redirect('/ui/')
  return redirect(`${loginPath}?next=${encodeURIComponent(ownPath(request.url) ?? '/')}`)
}

/** Sets the browser's language and returns to the previous page, if it is one of ours. */
function changeLanguage({ request }: Handling): Reply {
  const referer = request.headers.referer
  let back = '/'
  if (referer && URL.canParse(referer)) {
    const url = new URL(referer)
    if (url.host === request.headers.host) back = ownPath(url.pathname + url.search) ?? '/'
  }
  const wanted = request.params.lang ?? ''
  const language = ['zh-hans', 'en', 'ja'].includes(wanted) ? wanted : 'en'
  return redirect(back, { 'set-cookie': `django_language=${language}; Path=/` })
}

const page = { requires: 'public', transaction: 'none', csrfExempt: true } as const

export const signInPageRoutes = [
  defineRoute({ ...page, method: 'GET', path: '/', summary: 'The front page', handle: home }),
  defineRoute({ ...page, method: 'GET', path: loginPath, summary: 'Sign-in page', handle: showLogin }),
  defineRoute({ ...page, method: 'POST', path: loginPath, summary: 'Sign in by form', handle: submitLogin }),
  defineRoute({
    ...page,
    method: ['GET', 'POST'],
    path: guardPath,
    acts: true,
    summary: 'Continue the sign-in',
    handle: guard,
  }),
  defineRoute({ ...page, method: 'GET', path: mfaPath, summary: 'Second-factor page', handle: showMfa }),
  defineRoute({ ...page, method: 'POST', path: mfaPath, summary: 'Second factor by form', handle: submitMfa }),
  defineRoute({ ...page, method: 'GET', path: '/core/auth/logout/', acts: true, summary: 'Sign out', handle: logout }),
  defineRoute({
    requires: 'public',
    transaction: 'none',
    method: 'POST',
    path: '/vue-admin-template/user/logout',
    summary: 'Sign out by an API call',
    handle: logoutApi,
  }),
  defineRoute({
    ...page,
    method: 'GET',
    path: '/core/i18n/:lang/',
    summary: 'Change the language',
    handle: changeLanguage,
  }),
]
