import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../../kernel/module/context.ts'
import { type Text, text } from '../../kernel/module/errors.ts'
import { loginLimits } from './settings.ts'

export const triesKey = (userId: string) => `own-secret:tries:${userId}`

/**
 * Checks a secret of the user behind a session: password or code. Someone with access to an open session cannot guess
 * more often than at sign-in: each attempt is counted before it is checked, and success resets the count. Must not run
 * inside a transaction, whose rollback would undo the count.
 * @returns the error: `wrong`, or too many attempts; undefined when the secret is right
 */
export async function ownSecretProblem(
  ctx: Context,
  userId: string,
  isRight: () => Promise<boolean>,
  wrong: Text,
): Promise<Text | undefined> {
  const { kv } = ctx.services
  const minutes = loginLimits.of(ctx).SECURITY_LOGIN_LIMIT_TIME
  const tries = await kv.count(triesKey(userId), minutes * 60)
  if (tries > loginLimits.of(ctx).SECURITY_LOGIN_LIMIT_COUNT) return text(errors.too_many_tries, { minutes })
  if (!(await isRight())) return wrong
  await kv.delete(triesKey(userId))
  return undefined
}
