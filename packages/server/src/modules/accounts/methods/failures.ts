import { SystemFailure } from '@castellan/connectors/accounts'
import { say } from '@castellan/contract/messages'
import { systemFailures } from '@castellan/contract/messages/rotation'
import { unseenCharacters } from '../../../kernel/fields/scalars.ts'
import { JobFailure } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureOf, TargetFailure } from '../../assets/index.ts'

/** What of a target's words is shown. */
const longestDetail = 200
const unseen = new RegExp(unseenCharacters, 'gu')

/**
 * What a target said, as records and logs show it: bounded, printable, and without any of the secrets that were sent to
 * it, which a hostile target could repeat.
 */
function shown(detail: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((text, secret) => (secret ? text.replaceAll(secret, '******') : text), detail)
  return hidden.replace(unseen, ' ').replace(/\s+/g, ' ').trim().slice(0, longestDetail)
}

/**
 * Why a system did not do what it was asked to, in the language of the work.
 * @param username who was signed in, or tried to
 * @param secrets everything secret that was sent
 */
export function systemFailure(
  ctx: Context,
  error: unknown,
  { username, secrets }: { username: string; secrets: readonly string[] },
): JobFailure {
  if (error instanceof JobFailure) return error
  if (error instanceof SystemFailure) {
    const reason = say(systemFailures[error.code], ctx.language, { username })
    const detail = shown(error.message, secrets)
    return new TargetFailure(error.code, detail ? `${reason} (${detail})` : reason)
  }
  const { code, message } = failureOf(ctx, error)
  if (code === 'auth_failed')
    return new TargetFailure(code, say(systemFailures.auth_failed, ctx.language, { username }))
  return new TargetFailure(code, shown(message, secrets).slice(0, 300))
}

/** The login does not work: its secret is wrong, not the way to the target. */
export const isRefusedLogin = (error: unknown): boolean =>
  (error instanceof SystemFailure && error.code === 'auth_failed') ||
  (error as { level?: string } | undefined)?.level === 'client-authentication'
