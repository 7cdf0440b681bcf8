/** Whether the provider of a user has confirmed the user recently enough. */
import type { Context } from '../../kernel/module/context.ts'
import { identityCatalogue, type RedirectBackend } from '../../kernel/security/sign-in.ts'
import type { Confirmation } from '../users/index.ts'
import { otherMethods } from './settings.ts'

const hour = 3_600_000

/** Codes of the errors that say so. */
export type ProviderRefusal = 'provider_ended' | 'provider_too_long_ago'

/** The provider by which users know a backend: the source of the users it creates. */
export const providerOf = ({ name, source }: Pick<RedirectBackend, 'name' | 'source'>): string => source ?? name

/** Whether users of a source sign in at a provider. */
export const isProvider = (source: string): boolean =>
  identityCatalogue.backends.some((backend) => backend.kind === 'redirect' && providerOf(backend) === source)

/**
 * Why no credential of a user is good before the next sign-in at the provider: it said that it knows the user no
 * longer, or has not confirmed the user for too long. Most providers never tell that a user was disabled.
 */
export function providerRefusal(ctx: Context, user: Confirmation): ProviderRefusal | undefined {
  if (!isProvider(user.source)) return undefined
  if (user.date_ended !== null) return 'provider_ended'
  return isTooLongAgo(ctx, Number(user.date_confirmed ?? user.date_joined)) ? 'provider_too_long_ago' : undefined
}

export const isTooLongAgo = (ctx: Context, confirmed: number): boolean =>
  Date.now() - confirmed > otherMethods.of(ctx).AUTH_PROVIDER_SIGN_IN_MAX_AGE * hour
