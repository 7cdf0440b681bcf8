/** The sign-in page of an installation whose users are at a provider sends them there by itself. */
import { say } from '@castellan/contract/messages'
import { signInPages } from '@castellan/contract/messages/sign-in-pages'
import { type Reply, type RequestParts, redirect } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { identityCatalogue, type RedirectBackend } from '../../../kernel/security/sign-in.ts'
import { showPage, withNext } from '../pages.ts'
import type { Session } from '../session.ts'
import { otherMethods, signInMethods } from '../settings.ts'
import { loginUrlOf } from './pages.ts'

/** The enabled provider that the settings name, otherwise the first; undefined where the form is to be shown. */
export function automaticProvider(ctx: Context): RedirectBackend | undefined {
  const named = otherMethods.of(ctx).LOGIN_REDIRECT_TO_BACKEND.toUpperCase()
  if (named === 'DIRECT') return undefined
  const providers = identityCatalogue.enabled(ctx, 'redirect').filter(({ automatic }) => automatic)
  return providers.find(({ loggedAs }) => loggedAs.toUpperCase() === named) ?? providers[0]
}

/** Redirects to a provider; after a page that says so and can be cancelled, unless the settings skip it. */
export async function sendToProvider(
  ctx: Context,
  session: Session,
  backend: RedirectBackend,
  request: RequestParts,
): Promise<Reply> {
  const url = withNext(loginUrlOf(backend), request)
  if (!signInMethods.of(ctx).LOGIN_REDIRECT_MSG_ENABLED) return redirect(url)
  const provider = backend.button?.(ctx).label ?? backend.label[ctx.language]
  const next = new URL(withNext('/core/auth/login/', request), request.origin)
  next.searchParams.set('admin', '1')
  return showPage(ctx, session, {
    page: 'message',
    kind: 'info',
    title: say(signInPages.to_provider_title, ctx.language, { provider }),
    message: say(signInPages.to_provider, ctx.language, { provider }),
    redirect: { url, auto: true, seconds: 3 },
    cancel: { url: next.pathname + next.search },
  })
}
