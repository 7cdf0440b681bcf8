import { type Message, say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { ItemSkipped } from '../../kernel/jobs/states.ts'
import type { Context } from '../../kernel/module/context.ts'
import { definePort } from '../../kernel/module/hooks.ts'
import type { AccountRow } from './account-fields.ts'

/** Why rules do not let somebody use an account. */
export type UseRefusal = 'user_invalid' | 'login_rejected' | 'login_review'

/** What rules say about the use of an account by whoever started this work; the module of rules answers. */
export const accountUseRules =
  definePort<(ctx: Context, row: AccountRow) => Promise<UseRefusal | undefined>>('accounts.use-rules')

const reasons: Readonly<Record<UseRefusal, Message>> = {
  user_invalid: taskLogs.reason_user_invalid,
  login_rejected: taskLogs.reason_login_rejected,
  login_review: taskLogs.reason_login_review,
}

/**
 * Asked before an automation that somebody started signs in with an account, or works on it. Rights of administrators
 * stand for the permission of the asset; asset login rules hold for them as for everybody.
 * @throws ItemSkipped with the reason
 */
export async function demandUse(ctx: Context, row: AccountRow): Promise<void> {
  if (!ctx.caller || ctx.caller.isServiceAccount) return
  const refusal = await accountUseRules.use(ctx, row)
  if (refusal) throw new ItemSkipped(refusal, say(reasons[refusal], ctx.language))
}
