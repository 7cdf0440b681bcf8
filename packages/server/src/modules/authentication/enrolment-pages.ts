import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import { signInPages } from '@castellan/contract/messages/sign-in-pages'
import { defineRoute, type Handling, Reply, redirect } from '../../kernel/http/route.ts'
import { demandSameOrigin } from '../../kernel/http/same-origin.ts'
import type { Context } from '../../kernel/module/context.ts'
import { text } from '../../kernel/module/errors.ts'
import { updateRow } from '../../kernel/resource/repository.ts'
import { Sealed } from '../../kernel/security/secrets.ts'
import { identityCatalogue } from '../../kernel/security/sign-in.ts'
import { tellWaysChanged, user } from '../users/index.ts'
import { confirmedPerson, enrolling, signedInPerson, toLogin, verifyPath } from './enrolling.ts'
import { codeIsRight, factorsOf, type UserRow } from './factors.ts'
import { subjectOf, tryGuessable } from './limits.ts'
import { oneTimeCode, otpEnrolPath, otpRemovePath } from './one-time-code.ts'
import { newOtpSecret, otpQrCode, useOtpCode } from './otp.ts'
import { formOf, refused, showPage, withCsrf } from './pages.ts'
import type { Session } from './session.ts'
import { SignInDenied } from './sign-in-denied.ts'

/**
 * The column name under which the secret is sealed in the session until a code proves that the user's device has it.
 */
const offeredSecret = 'authentication_session.otp_secret'

const loginPath = '/core/auth/login/'
const bindPath = '/core/auth/profile/otp/enable/bind/'
const installPath = '/core/auth/profile/otp/enable/install-app/'
const enrolPath = otpEnrolPath
const disablePath = otpRemovePath
const generatePath = '/core/auth/profile/pubkey/generate/'
const mfaSettingsPath = '/core/auth/profile/mfa/'
/** The profile page of the console, which shows whether the factor is on. */
const profilePath = '/ui/#/profile/info'

async function start(handling: Handling): Promise<unknown> {
  const known = await enrolling(handling, enrolPath)
  if (known instanceof Reply) return known
  const { ctx } = handling
  const { forced } = await factorsOf(ctx, known.row)
  return showPage(ctx, known.session, { page: 'otp-start', username: known.row.username, forced, nextUrl: installPath })
}

async function install(handling: Handling): Promise<unknown> {
  const known = await enrolling(handling, installPath)
  if (known instanceof Reply) return known
  return showPage(handling.ctx, known.session, { page: 'otp-install', nextUrl: bindPath })
}

async function bindPage(ctx: Context, session: Session, row: UserRow, errors = {}): Promise<Reply> {
  const secret = newOtpSecret()
  session.set('otp_secret', ctx.services.vault.seal(secret, offeredSecret).stored())
  return showPage(ctx, session, {
    page: 'otp-bind',
    username: row.username,
    secret,
    qrSvg: await otpQrCode(ctx, row.username, secret),
    ...errors,
  })
}

async function showBind(handling: Handling): Promise<unknown> {
  const known = await enrolling(handling, bindPath)
  if (known instanceof Reply) return known
  return known.row.otp_secret ? redirect(disablePath) : bindPage(handling.ctx, known.session, known.row)
}

async function submitBind(handling: Handling): Promise<unknown> {
  return withCsrf(handling, async () => {
    const known = await enrolling(handling, bindPath)
    if (known instanceof Reply) return known
    const { ctx, request } = handling
    const { session, row } = known
    if (row.otp_secret) return redirect(disablePath)
    const stored = session.get<string>('otp_secret')
    const secret = stored ? ctx.services.vault.open(new Sealed(stored, offeredSecret)) : ''
    const code = String(formOf(request).otp_code ?? '').trim()
    if (!secret || !(await useOtpCode(ctx, row.id, secret, code)))
      return bindPage(ctx, session, row, refused(ctx, text(signInErrors.otp_code_invalid), 'otp_code'))
    await ctx.transaction(async (inside) => {
      const mfa_level = Number(row.mfa_level) === 0 ? 1 : row.mfa_level
      await updateRow(inside, user, row.id, { otp_secret: secret, mfa_level })
      await tellWaysChanged(inside, row, ['otp'])
    })
    return signedOut(ctx, session, 'otp_enabled')
  })
}

/** Ends the session: the next sign-in proves that the change works. */
async function signedOut(ctx: Context, session: Session, what: 'otp_enabled' | 'otp_disabled'): Promise<Reply> {
  session.end()
  return showPage(ctx, session, {
    page: 'message',
    kind: 'ok',
    title: signInPages[what][ctx.language],
    message: signInPages.sign_in_again[ctx.language],
    redirect: { url: loginPath, auto: true, seconds: 3 },
  })
}

async function showDisable(handling: Handling): Promise<unknown> {
  const known = await signedInPerson(handling)
  if (!known) return toLogin()
  const { ctx } = handling
  const { session, row } = known
  return row.otp_secret ? showPage(ctx, session, { page: 'otp-disable', username: row.username }) : redirect(enrolPath)
}

async function submitDisable(handling: Handling): Promise<unknown> {
  return withCsrf(handling, async () => {
    const { ctx, request } = handling
    const known = await signedInPerson(handling)
    if (!known) return toLogin()
    const { session, row } = known
    const code = String(formOf(request).otp_code ?? '').trim()
    try {
      await tryGuessable(ctx, 'mfa', subjectOf(row, row.username), () => codeIsRight(ctx, row, oneTimeCode.name, code))
    } catch (error) {
      if (!(error instanceof SignInDenied)) throw error
      return showPage(ctx, session, {
        page: 'otp-disable',
        username: row.username,
        ...refused(ctx, error.said, 'otp_code'),
      })
    }
    await ctx.transaction(async (inside) => {
      await updateRow(inside, user, row.id, { otp_secret: null })
      await tellWaysChanged(inside, row, ['otp'])
    })
    return signedOut(ctx, session, 'otp_disabled')
  })
}

async function mfaSettings(handling: Handling): Promise<unknown> {
  const known = await signedInPerson(handling)
  if (!known) return toLogin()
  const { ctx } = handling
  const { session, row } = known
  const factors = await factorsOf(ctx, row)
  return showPage(ctx, session, {
    page: 'mfa-settings',
    username: row.username,
    level: Number(row.mfa_level) as 0 | 1 | 2,
    forced: factors.forced,
    backUrl: profilePath,
    verifyUrl: `${verifyPath}?next=${encodeURIComponent(mfaSettingsPath)}`,
    factors: identityCatalogue.factors(ctx).map(({ name, label, enrolPath: enableUrl, removePath: disableUrl }) => {
      const enabled = factors.active.includes(name)
      const way = enabled ? { disableUrl } : { enableUrl }
      return { name, label: label[ctx.language], enabled, ...way }
    }),
  })
}

const makePair = promisify(generateKeyPair)

/** Creates an SSH key pair: the public key is stored, the private key is downloaded once. */
async function generateKey(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  if (ctx.credential === 'session') demandSameOrigin(ctx, request)
  const known = await confirmedPerson(handling, generatePath)
  if (known instanceof Reply) return known
  const { privateKey } = await makePair('rsa', { modulusLength: 3072 })
  const { default: ssh2 } = await import('ssh2')
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const parsed = ssh2.utils.parseKey(pem)
  if (parsed instanceof Error) throw parsed
  const line = `ssh-rsa ${parsed.getPublicSSH().toString('base64')} ${ctx.me.username}`
  await ctx.transaction(async (inside) => {
    await updateRow(inside, user, ctx.me.id, { public_key: line })
    await tellWaysChanged(inside, known.row, ['public_key'])
  })
  return new Reply(200, pem, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${encodeURIComponent(ctx.me.username)}-castellan.pem"`,
  })
}

const page = { requires: 'public', transaction: 'none', csrfExempt: true } as const

export const enrolmentRoutes = [
  defineRoute({
    ...page,
    method: 'GET',
    path: enrolPath,
    summary: 'Start enrolling one-time passwords',
    handle: start,
  }),
  defineRoute({
    ...page,
    method: 'GET',
    path: installPath,
    summary: 'Choice of an authenticator app',
    handle: install,
  }),
  defineRoute({ ...page, method: 'GET', path: bindPath, summary: 'QR code to scan', handle: showBind }),
  defineRoute({ ...page, method: 'POST', path: bindPath, summary: 'Enable one-time passwords', handle: submitBind }),
  defineRoute({
    ...page,
    method: 'GET',
    path: disablePath,
    summary: 'Page for disabling one-time passwords',
    handle: showDisable,
  }),
  defineRoute({
    ...page,
    method: 'POST',
    path: disablePath,
    summary: 'Disable one-time passwords',
    handle: submitDisable,
  }),
  defineRoute({
    ...page,
    method: 'GET',
    path: mfaSettingsPath,
    summary: 'Second factors of the signed-in user',
    handle: mfaSettings,
  }),
  defineRoute({
    ...page,
    method: 'GET',
    path: generatePath,
    acts: true,
    summary: 'Create and download an SSH key',
    handle: generateKey,
  }),
]
