import { say } from '@castellan/contract/messages'
import { rotationMessages } from '@castellan/contract/messages/rotation'
import type { JobRun } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { AccountRow } from '../account-fields.ts'
import { isRefusedLogin, systemFailure } from '../methods/failures.ts'
import { ownLogin } from '../methods/login-choice.ts'
import type { SystemSession } from '../methods/session.ts'
import { recordedSecret, secretForAsset } from '../secret.ts'
import type { SecretRecordRow } from './record.ts'
import { adopt, closeRecord, openRecords } from './store.ts'

/** Whether an account signs in with a secret. @throws JobFailure when that cannot be found out */
export async function signsIn(
  ctx: Context,
  { system, target }: SystemSession,
  row: AccountRow,
  secret: string,
): Promise<boolean> {
  try {
    await system.verify(target, ownLogin(row, secret))
    return true
  } catch (error) {
    target.signal.throwIfAborted()
    if (isRefusedLogin(error)) return false
    const failure = systemFailure(ctx, error, { username: row.username, secrets: [secret] })
    // The password was right; the system wants another one from whoever uses it next.
    if (failure.code === 'secret_expired') return true
    throw failure
  }
}

/** What is valid of an account whose rotation was interrupted: a record's new secret, the stored one, or none of them. */
export type Settled = { valid: 'record'; record: SecretRecordRow } | { valid: 'stored' | 'none' } | undefined

/**
 * Finds out which secret of an account is valid after an interrupted rotation, by signing in with each, and ends the
 * records accordingly. Undefined when nothing was interrupted. `keep`: a record that is about to be tried again.
 * @throws JobFailure when the target cannot say it; then everything stays as it is
 */
export async function settle(
  ctx: Context,
  job: JobRun,
  session: SystemSession,
  row: AccountRow,
  { target, keep }: { target: string; keep: string | undefined },
): Promise<Settled> {
  const { language } = ctx
  const open = await openRecords(ctx, row.id)
  if (open.length === 0) return undefined
  for (const record of open) {
    const secret = await recordedSecret(ctx, record, String(row.asset_id))
    if (!secret || !(await signsIn(ctx, session, row, secret))) continue
    await ctx.transaction((inside) => adopt(inside, record))
    await job.log(say(rotationMessages.settled_new, language, { target }))
    return { valid: 'record', record }
  }
  if (row.secret && (await signsIn(ctx, session, row, await secretForAsset(ctx, row)))) {
    for (const { id, error } of open)
      if (id !== keep)
        await closeRecord(ctx, id, {
          status: 'failed',
          code: 'interrupted',
          message: error ?? say(rotationMessages.interrupted, language),
        })
    await job.log(say(rotationMessages.settled_old, language, { target }))
    return { valid: 'stored' }
  }
  const message = say(rotationMessages.none_works, language)
  for (const { id } of open) await closeRecord(ctx, id, { status: 'pending', code: 'in_doubt', message })
  return { valid: 'none' }
}
