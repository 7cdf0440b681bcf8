import { say } from '@castellan/contract/messages'
import { rotationMessages } from '@castellan/contract/messages/rotation'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { defineJob, type JobRun } from '../../../kernel/jobs/kinds.ts'
import { ItemSkipped } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { demandMethod, eachTarget, skip, startedBy, type TargetItem, viaOf } from '../../assets/index.ts'
import { account } from '../account.ts'
import { isRoot } from '../login.ts'
import { systemFailure } from '../methods/failures.ts'
import { privilegedLogin, privilegedRow } from '../methods/login-choice.ts'
import { withSystem } from '../methods/session.ts'
import { demandUse } from '../use-rules.ts'
import type { AccountPayload } from './plan-accounts.ts'
import { itemsOf } from './run-accounts.ts'

/** Removes one account from its asset. It stays in the product, with its secret and its history. */
async function remove(ctx: Context, job: JobRun, { item, asset, platform }: TargetItem<AccountPayload>): Promise<void> {
  const row = await findById(ctx, account, item.target.id)
  if (!row) return skip(ctx, 'account_gone', taskLogs.reason_account_gone)
  await demandUse(ctx, row)
  // Whatever pushes an account to a platform takes it away again.
  const method = demandMethod(ctx, platform, 'push_account') ?? ''
  let username = row.username
  try {
    await withSystem(ctx, asset, method, item.signal, async ({ system, target, protocol, via }) => {
      if (!system.remove) return skip(ctx, 'remove_unsupported', rotationMessages.remove_unsupported)
      const by = await privilegedRow(ctx, asset, protocol)
      if (row.privileged || isRoot(row) || by.id === row.id || by.su_from_id === row.id)
        return skip(ctx, 'remove_protected', rotationMessages.remove_protected)
      const login = await privilegedLogin(ctx, by, platform, protocol)
      username = login.username
      await system.remove(target, login, row.username)
      const line = { target: item.target.label, via: viaOf(ctx, via()) }
      await job.log(say(rotationMessages.removed, ctx.language, line))
    })
  } catch (error) {
    if (error instanceof ItemSkipped) throw error
    item.signal.throwIfAborted()
    throw systemFailure(ctx, error, { username, secrets: [] })
  }
}

/** Removes chosen accounts from their assets. */
export const removeChosen = defineJob<{ accounts: readonly string[] }>({
  name: 'accounts.tasks.remove_account.remove_accounts_from_assets_task',
  // One that is missing is removed already.
  delivery: 'idempotent',
  timeout: 3_600_000,
  concurrency: 4,
  watchedWith: 'accounts.delete_account',
  repeatedWith: 'accounts.delete_account',
  async run(outer, { accounts }, job) {
    const starter = await startedBy(outer, job, 'accounts.delete_account')
    const { ctx } = starter
    await job.planItems(async () => {
      const items = await itemsOf(ctx, accounts)
      await job.log(say(rotationMessages.removing, ctx.language, { count: items.length }))
      return items
    })
    return eachTarget<AccountPayload>(starter, job, { concurrency: 20, timeout: 90_000 }, (target) =>
      remove(ctx, job, target),
    )
  },
})
