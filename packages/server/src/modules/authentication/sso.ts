/** Sign-in links that another system requests for its users. */
import { errors } from '@castellan/contract/messages/errors'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import { usersMessages } from '@castellan/contract/messages/users'
import { type Field, text } from '../../kernel/fields/index.ts'
import { columnsFor, importRoute } from '../../kernel/files/import.ts'
import { defineRoute, type Handling, redirect } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError, invalid, notFound, render, text as say } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { siteUrl } from '../settings/index.ts'
import { userNamed } from '../users/index.ts'
import { sessionOf } from './api.ts'
import { newSsoToken, ssoToken } from './backends/sso-token.ts'
import { beginSession, ownPath, withNext } from './pages.ts'
import { passToken } from './sign-in.ts'
import { SignInDenied } from './sign-in-denied.ts'

const base = '/api/v1/authentication/sso/'

function demandEnabled(ctx: Context): void {
  if (ssoToken.isEnabled(ctx)) return
  throw new ApiError(400, 'sso_auth_closed', (language) => ({
    code: 'sso_auth_closed',
    detail: render(say(signInErrors.sso_auth_closed), language),
  }))
}

const fields = {
  username: text({ required: true, writeOnly: true }),
  login_url: text({ readOnly: true }),
  next: text({ writeOnly: true, blank: true }),
}

async function makeLink({ ctx, request }: Handling): Promise<unknown> {
  demandEnabled(ctx)
  const { username, next } = readBody<{ username: string; next?: string }>(ctx, fields, request.body)
  if (next && !ownPath(next)) throw invalid({ next: [say(signInErrors.next_not_a_path)] })
  const row = await userNamed(ctx, username)
  if (!row || row.is_service_account) throw notFound(usersMessages.user)
  const query = new URLSearchParams({ authkey: await newSsoToken(ctx, row.id), next: next || '/' })
  return { login_url: `${siteUrl(ctx)}${base}login/?${query}` }
}

/** The browser ends at its page, signed in or not; a failed link leads there over the sign-in page. */
async function followLink({ ctx, request }: Handling): Promise<unknown> {
  const { authkey } = request.query
  if (!authkey) throw new ApiError(400, 'authkey', (language) => [render(say(errors.required), language)])
  const session = sessionOf(ctx)
  beginSession(ctx, session)
  try {
    if (!ssoToken.isEnabled(ctx)) throw new SignInDenied('authkey_invalid', {}, { logged: false })
    await passToken(ctx, session, ssoToken, authkey)
    return redirect(withNext('/core/auth/login/guard/', request))
  } catch (error) {
    if (!(error instanceof SignInDenied)) throw error
    return redirect(ownPath(request.query.next) ?? '/')
  }
}

export const ssoRoutes = [
  importRoute({
    url: '/api/v1/authentication/sso/',
    title: 'links for users',
    requires: 'superuser',
    fields: fields as unknown as Record<string, Field>,
    columns: columnsFor('authentication', fields as unknown as Record<string, Field>),
  }),
  defineRoute({
    method: 'POST',
    path: `${base}login-url/`,
    requires: 'superuser',
    summary: 'Make a link that signs a user in once',
    fields: { POST: fields },
    handle: makeLink,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}login/`,
    acts: true,
    requires: 'public',
    transaction: 'none',
    csrfExempt: true,
    statuses: [302, 400],
    summary: 'Sign in by a link',
    handle: followLink,
  }),
]
