import { errors } from '@castellan/contract/messages/errors'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import { signInPages } from '@castellan/contract/messages/sign-in-pages'
import { defineRoute, type Handling, type Reply, redirect } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { text } from '../../kernel/module/errors.ts'
import { decrypted } from '../../kernel/security/encrypted.ts'
import {
  passwordProblem,
  passwordRulesOf,
  type ResetToken,
  readResetToken,
  resetPath,
  setPassword,
  takeResetToken,
  tellWaysChanged,
  userBy,
} from '../users/index.ts'
import { sessionOf } from './api.ts'
import { signedInPerson, verifyPath } from './enrolling.ts'
import { factorList } from './factor-list.ts'
import { factorsOf, type UserRow } from './factors.ts'
import { confirmOwn, usableWay } from './own-confirmation.ts'
import { formOf, ownPath, type PageFacts, refused, showPage, withCsrf } from './pages.ts'

const loginPath = '/core/auth/login/'

interface Bearer {
  token: string
  facts: ResetToken
  row: UserRow
}

/** The user of a reset link; undefined when it is unknown, used, expired, or the address has changed since. */
async function bearer({ ctx, request }: Handling): Promise<Bearer | undefined> {
  const token = request.query.token ?? ''
  const facts = token ? await readResetToken(ctx, token) : undefined
  const row = facts && (await userBy(ctx, 'id', facts.userId))
  return facts && row && row.email === facts.email && row.source === 'local' ? { token, facts, row } : undefined
}

function invalidLink(ctx: Context): Promise<Reply> {
  return showPage(ctx, sessionOf(ctx), {
    page: 'message',
    kind: 'error',
    title: signInPages.reset_link_title[ctx.language],
    message: signInErrors.reset_link_invalid[ctx.language],
    redirect: { url: loginPath, auto: false, seconds: 0 },
  })
}

async function resetPage(ctx: Context, { row, facts }: Bearer, errors = {}): Promise<Reply> {
  const rules = await passwordRulesOf(ctx, row)
  return showPage(ctx, sessionOf(ctx), {
    page: 'password-reset',
    username: row.username,
    reason: facts.reason,
    rules,
    loginUrl: loginPath,
    ...errors,
  })
}

async function show(handling: Handling): Promise<unknown> {
  const known = await bearer(handling)
  return known ? resetPage(handling.ctx, known) : invalidLink(handling.ctx)
}

async function submit(handling: Handling): Promise<unknown> {
  return withCsrf(handling, async () => {
    const known = await bearer(handling)
    const { ctx } = handling
    if (!known) return invalidLink(ctx)
    const form = formOf(handling.request)
    const password = decrypted(ctx, String(form.new_password ?? ''))
    if (password !== decrypted(ctx, String(form.confirm_password ?? '')))
      return resetPage(ctx, known, refused(ctx, text(signInErrors.password_mismatch), 'confirm_password'))
    const weak = await passwordProblem(ctx, known.row, password)
    if (weak) return resetPage(ctx, known, refused(ctx, weak, 'new_password'))
    if (!(await takeResetToken(ctx, known.token))) return invalidLink(ctx)
    await ctx.transaction(async (inside) => {
      await setPassword(inside, known.row, password, { need_update_password: false })
      await tellWaysChanged(inside, known.row, ['password'])
    })
    return showPage(ctx, sessionOf(ctx), {
      page: 'message',
      kind: 'ok',
      title: signInPages.password_changed[ctx.language],
      message: signInPages.password_changed_detail[ctx.language],
      redirect: { url: loginPath, auto: true, seconds: 3 },
    })
  })
}

/** The page that led here, if it is one of ours, keeps its place in the address of the form. */
function nextOf({ request }: Handling): string {
  const next = ownPath(request.query.next)
  if (next) return next
  const { referer, host } = request.headers
  const from = referer && URL.canParse(referer) ? new URL(referer) : undefined
  return (from?.host === host && from?.pathname !== verifyPath && ownPath(`${from?.pathname}${from?.search}`)) || '/'
}

/** Asks for the factor of who has one, otherwise for the password; a new sign-in is asked of who has neither here. */
async function verifyFacts(ctx: Context, row: UserRow): Promise<PageFacts> {
  const way = await usableWay(ctx, row, 'password')
  const { username } = row
  if (way === 'mfa') return { page: 'mfa', username, factors: factorList(ctx, await factorsOf(ctx, row)) }
  if (way === 'password') return { page: 'password-verify', username }
  return {
    page: 'message',
    kind: 'info',
    title: signInPages.confirm_title[ctx.language],
    message: errors.confirm_by_sign_in[ctx.language],
    redirect: { url: '/core/auth/logout/', auto: false, seconds: 0 },
  }
}

async function showVerify(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const person = await signedInPerson(handling)
  if (!person) return redirect(`${loginPath}?next=${encodeURIComponent(ownPath(request.url) ?? '/')}`)
  if (!ownPath(request.query.next)) return redirect(`${verifyPath}?next=${encodeURIComponent(nextOf(handling))}`)
  const { session, row } = person
  const sent = { level: 'password', secret: '', mfaType: '' } as const
  if ((await usableWay(ctx, row, 'password')) === 'relogin' && !(await confirmOwn(ctx, session, row, sent)))
    return redirect(nextOf(handling))
  return showPage(ctx, session, await verifyFacts(ctx, row))
}

function submitVerify(handling: Handling): Promise<unknown> {
  return withCsrf(handling, async () => {
    const { ctx, request } = handling
    const person = await signedInPerson(handling)
    if (!person) return redirect(loginPath)
    const { session, row } = person
    const { password = '', code = '', mfa_type: mfaType = '' } = formOf(request)
    const secret = code || decrypted(ctx, password)
    const problem = await confirmOwn(ctx, session, row, { level: 'password', secret, mfaType })
    if (!problem) {
      session.set('auth_password', true)
      return redirect(nextOf(handling))
    }
    const facts = await verifyFacts(ctx, row)
    const field = facts.page === 'mfa' ? 'code' : 'password'
    return showPage(ctx, session, { ...facts, ...refused(ctx, problem, field) } as PageFacts)
  })
}

const open = { requires: 'public', transaction: 'none', csrfExempt: true } as const
const page = { ...open, path: resetPath } as const

export const passwordPageRoutes = [
  defineRoute({
    ...open,
    method: 'GET',
    path: verifyPath,
    summary: 'Page that asks signed-in users for their password',
    handle: showVerify,
  }),
  defineRoute({
    ...open,
    method: 'POST',
    path: verifyPath,
    summary: 'Verify the own password on a page',
    handle: submitVerify,
  }),
  defineRoute({ ...page, method: 'GET', summary: 'Page that sets a new password', handle: show }),
  defineRoute({ ...page, method: 'POST', summary: 'Set a new password', handle: submit }),
]
