import { signInErrors } from '@castellan/contract/messages/sign-in'
import { signInPages } from '@castellan/contract/messages/sign-in-pages'
import { defineRoute, type Handling, type Reply } from '../../kernel/http/route.ts'
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
  userBy,
} from '../users/index.ts'
import { sessionOf } from './api.ts'
import type { UserRow } from './factors.ts'
import { formOf, refused, showPage, withCsrf } from './pages.ts'

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
    await ctx.transaction((inside) => setPassword(inside, known.row, password, { need_update_password: false }))
    return showPage(ctx, sessionOf(ctx), {
      page: 'message',
      kind: 'ok',
      title: signInPages.password_changed[ctx.language],
      message: signInPages.password_changed_detail[ctx.language],
      redirect: { url: loginPath, auto: true, seconds: 3 },
    })
  })
}

const page = { requires: 'public', transaction: 'none', csrfExempt: true, path: resetPath } as const

export const passwordPageRoutes = [
  defineRoute({ ...page, method: 'GET', summary: 'Page that sets a new password', handle: show }),
  defineRoute({ ...page, method: 'POST', summary: 'Set a new password', handle: submit }),
]
