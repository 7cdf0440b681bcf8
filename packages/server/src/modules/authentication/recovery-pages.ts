import { errors } from '@castellan/contract/messages/errors'
import { defineRoute, type Handling, type Reply, redirect } from '../../kernel/http/route.ts'
import { text } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { sessionOf } from './api.ts'
import { asksCaptcha, captchaProblem, newCaptcha } from './captcha/captcha.ts'
import { sendCodeFields } from './form-fields.ts'
import { formOf, refused, showPage, withCsrf } from './pages.ts'
import {
  beginRecovery,
  type Contact,
  recoveryOf,
  recoveryWays,
  sendRecoveryCode,
  takeRecoveryCode,
} from './recovery.ts'
import { SignInDenied } from './sign-in-denied.ts'

const loginUrl = '/core/auth/login/'
/** The first recovery page; the login page links to it when mail can be sent. */
export const recoveryPath = '/core/auth/password/forget/previewing/'
const codePath = '/core/auth/password/forgot/'
const sendCodePath = '/api/v1/authentication/password/reset-code/'

async function startPage(
  { ctx }: Handling,
  more: { username?: string; errors?: Record<string, string[]> } = {},
): Promise<Reply> {
  return showPage(ctx, sessionOf(ctx), {
    page: 'forgot-start',
    loginUrl,
    ...(recoveryWays(ctx).length > 0 ? {} : refused(ctx, new SignInDenied('recovery_not_set').said)),
    ...((await asksCaptcha(ctx)) ? { captcha: await newCaptcha(ctx) } : {}),
    ...more,
  })
}

function begin(handling: Handling): Promise<unknown> {
  return withCsrf(handling, async () => {
    const { ctx, request } = handling
    const form = formOf(request)
    const username = (form.username ?? '').slice(0, 128).trim()
    if (username === '') return startPage(handling, refused(ctx, text(errors.required), 'username'))
    if (recoveryWays(ctx).length === 0) return startPage(handling, { username })
    const problem = (await asksCaptcha(ctx)) ? await captchaProblem(ctx, form) : undefined
    if (problem) return startPage(handling, { username, ...refused(ctx, problem, 'captcha_1') })
    try {
      return redirect(`${codePath}?token=${await beginRecovery(ctx, username)}`)
    } catch (error) {
      if (!(error instanceof SignInDenied)) throw error
      return startPage(handling, { username, ...refused(ctx, error.said, 'username') })
    }
  })
}

/** What a form or a program sent: its way, and the address of that way. */
const contactIn = (sent: { form_type?: unknown; email?: unknown; sms?: unknown }): Contact =>
  sent.form_type === 'sms'
    ? { way: 'sms', address: String(sent.sms ?? '') }
    : { way: 'email', address: String(sent.email ?? '') }

const codePage = ({ ctx }: Handling, token: string, username: string, more = {}): Promise<Reply> =>
  showPage(ctx, sessionOf(ctx), {
    page: 'forgot',
    username,
    formType: recoveryWays(ctx)[0] ?? 'email',
    methods: recoveryWays(ctx),
    sendCodeUrl: `${sendCodePath}?token=${token}`,
    loginUrl,
    ...more,
  })

async function showCode(handling: Handling): Promise<unknown> {
  const token = handling.request.query.token ?? ''
  const recovery = await recoveryOf(handling.ctx, token)
  return recovery ? codePage(handling, token, recovery.username) : redirect(recoveryPath)
}

function takeCode(handling: Handling): Promise<unknown> {
  return withCsrf(handling, async () => {
    const { ctx, request } = handling
    const token = request.query.token ?? ''
    const recovery = await recoveryOf(ctx, token)
    if (!recovery) return redirect(recoveryPath)
    const form = formOf(request)
    const contact = contactIn(form)
    try {
      const next = await takeRecoveryCode(ctx, token, recovery, { contact, code: String(form.code ?? '') })
      return redirect(next ?? recoveryPath)
    } catch (error) {
      if (!(error instanceof SignInDenied)) throw error
      const more = { formType: contact.way, ...refused(ctx, error.said, 'code') }
      return codePage(handling, token, recovery.username, more)
    }
  })
}

async function sendCode({ ctx, request }: Handling): Promise<unknown> {
  const token = request.query.token ?? ''
  const recovery = await recoveryOf(ctx, token)
  if (!recovery) return redirect(recoveryPath)
  const sent = readBody<{ form_type?: string; email: string; sms: string }>(ctx, sendCodeFields, request.body)
  await sendRecoveryCode(ctx, token, recovery, contactIn(sent))
  return { data: 'ok' }
}

const page = { requires: 'public', transaction: 'none', csrfExempt: true } as const

export const recoveryRoutes = [
  defineRoute({
    ...page,
    method: 'GET',
    path: recoveryPath,
    summary: 'Page for a forgotten password: username',
    handle: (handling) => startPage(handling),
  }),
  defineRoute({ ...page, method: 'POST', path: recoveryPath, summary: 'Start recovering a password', handle: begin }),
  defineRoute({ ...page, method: 'GET', path: codePath, summary: 'Page for the code', handle: showCode }),
  defineRoute({ ...page, method: 'POST', path: codePath, summary: 'Verify the code', handle: takeCode }),
  defineRoute({
    ...page,
    method: 'POST',
    path: sendCodePath,
    summary: 'Send a code',
    statuses: [200, 302],
    fields: { POST: sendCodeFields },
    handle: sendCode,
  }),
]
