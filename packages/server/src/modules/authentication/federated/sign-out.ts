import type { RequestParts } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { identityCatalogue } from '../../../kernel/security/sign-in.ts'
import { atProviderOf } from '../provider-session.ts'
import type { Session } from '../session.ts'

/** Where the browser signs out at the provider that opened its session; undefined where that is not asked for. */
export async function signOutAtProvider(
  ctx: Context,
  session: Session,
  request: RequestParts,
): Promise<string | undefined> {
  const name = session.userId && session.get<string>('backend')
  const backend = identityCatalogue.enabled(ctx, 'redirect').find((one) => one.name === name)
  const returnUrl = `${request.origin}/core/auth/login/`
  const url = await backend?.signOutUrl?.(ctx.withoutSession(), { atProvider: atProviderOf(ctx, session), returnUrl })
  return url
}
