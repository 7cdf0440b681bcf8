import { type Reply, type RequestParts, redirect } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { identityCatalogue, type ProviderAddress, type RedirectBackend } from '../../../kernel/security/sign-in.ts'
import { showLeaving } from '../pages.ts'
import { atProviderOf } from '../provider-session.ts'
import type { Session } from '../session.ts'

/** Sends the browser to a provider. */
export const sendTo = (
  ctx: Context,
  session: Session | undefined,
  { url, form }: ProviderAddress,
  backend: RedirectBackend,
): Reply | Promise<Reply> =>
  form ? showLeaving(ctx, session, { url, form, provider: backend.label[ctx.language] }) : redirect(url)

/**
 * Where the browser signs out at the provider that opened its session; undefined where that is not asked for, or where
 * the provider cannot be found out: the session here ends all the same.
 */
export async function signOutAtProvider(
  ctx: Context,
  session: Session,
  request: RequestParts,
): Promise<((ended: Session) => Reply | Promise<Reply>) | undefined> {
  const name = session.userId && session.get<string>('backend')
  const backend = identityCatalogue.enabled(ctx, 'redirect').find((one) => one.name === name)
  if (!backend?.signOut) return undefined
  const returnUrl = `${request.origin}/core/auth/login/`
  try {
    const address = await backend.signOut(ctx.withoutSession(), {
      atProvider: await atProviderOf(ctx, session),
      returnUrl,
    })
    return address && ((ended) => sendTo(ctx, ended, address, backend))
  } catch (error) {
    ctx.services.log.warn({ err: error }, 'The provider of a session could not be told of the sign-out')
    return undefined
  }
}
