import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../../kernel/context.ts'
import { type Text, text } from '../../kernel/errors.ts'

export const triesKey = (userId: string) => `own-secret:tries:${userId}`

/**
 * Checks what only the person behind a session can know: their password, a code. Whoever has somebody's open session
 * guesses no more often than at sign-in: every try counts before it is looked at, and a right one ends the count.
 * Not inside a transaction, with which a failure would be forgotten.
 * @returns what to say: `wrong`, or that there were too many tries; undefined when it is right
 */
export async function ownSecretProblem(
  ctx: Context,
  userId: string,
  isRight: () => Promise<boolean>,
  wrong: Text,
): Promise<Text | undefined> {
  const { settings, kv } = ctx.services
  const minutes = settings.number('SECURITY_LOGIN_LIMIT_TIME')
  const tries = await kv.count(triesKey(userId), minutes * 60)
  if (tries > settings.number('SECURITY_LOGIN_LIMIT_COUNT')) return text(errors.too_many_tries, { minutes })
  if (!(await isRight())) return wrong
  await kv.delete(triesKey(userId))
  return undefined
}
