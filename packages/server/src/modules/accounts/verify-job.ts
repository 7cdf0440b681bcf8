import { say } from '@castellan/contract/messages'
import { rotationMessages } from '@castellan/contract/messages/rotation'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { itemCounts } from '../../kernel/jobs/item-rows.ts'
import { defineJob, type JobRun } from '../../kernel/jobs/kinds.ts'
import { ItemSkipped } from '../../kernel/jobs/states.ts'
import type { Context } from '../../kernel/module/context.ts'
import { findById } from '../../kernel/resource/repository.ts'
import {
  eachTarget,
  failureOf,
  gatewayFailed,
  platformMethod,
  skip,
  sshPortOf,
  startedBy,
  TargetFailure,
  type TargetItem,
  usableForSsh,
  viaOf,
  withSsh,
} from '../assets/index.ts'
import { account } from './account.ts'
import type { AccountRow } from './account-fields.ts'
import { openedAccount, rememberVerdict } from './login.ts'
import { systemFailure } from './methods/failures.ts'
import { ownLogin, takesSecret } from './methods/login-choice.ts'
import { systemOf, withSystem } from './methods/session.ts'
import { itemsOf } from './rotation/run-accounts.ts'
import { settle } from './rotation/settle.ts'
import { usedSecret } from './secret.ts'
import { secretTypeWire } from './secret-type.ts'
import { demandUse } from './use-rules.ts'

/** Signs in by SSH, for platforms whose method nothing carries out. Returns the port and the gateway. */
async function signInBySsh(ctx: Context, { item, asset }: TargetItem, row: AccountRow): Promise<SignedIn> {
  const port = await sshPortOf(ctx, asset.id)
  if (port === undefined) return skip(ctx, 'no_ssh', taskLogs.reason_no_ssh)
  if (!usableForSsh(row)) {
    const type = String(secretTypeWire(ctx, row.secret_type).label)
    throw new ItemSkipped('secret_type', say(taskLogs.reason_secret_type, ctx.language, { type }))
  }
  demandSecret(ctx, row)
  const via = await withSsh(ctx, asset, port, await openedAccount(ctx, row), item.signal, async (_client, way) => way)
  return { port, via }
}

/** Signs in as the method of the platform does, after what an interrupted rotation left in doubt was settled. */
function signInBy(
  ctx: Context,
  job: JobRun,
  { item, asset }: TargetItem,
  first: AccountRow,
  method: string,
): Promise<SignedIn> {
  return withSystem(ctx, asset, method, item.signal, async (session) => {
    const { system, target, protocol, via } = session
    if (!takesSecret(protocol, first.secret_type)) skip(ctx, 'secret_type', rotationMessages.key_unsupported)
    await settle(ctx, job, session, first, { target: item.target.label, keep: undefined })
    const row = (await findById(ctx, account, first.id)) ?? first
    demandSecret(ctx, row)
    const secret = await usedSecret(ctx, row, protocol)
    try {
      await system.verify(target, ownLogin(row, secret))
    } catch (error) {
      throw systemFailure(ctx, error, { username: row.username, secrets: [secret] })
    }
    return { port: target.port, via: via() }
  })
}

interface SignedIn {
  port: number
  via: string | undefined
}

function demandSecret(ctx: Context, { secret }: AccountRow): void {
  if (secret === null) throw new TargetFailure('no_secret', say(taskLogs.reason_no_secret, ctx.language))
}

/** Signs in with the account of an item, and stores whether it worked. */
async function verify(ctx: Context, target: TargetItem, job: JobRun): Promise<void> {
  const { language } = ctx
  const { item, platform } = target
  const row = await findById(ctx, account, item.target.id)
  if (!row) return skip(ctx, 'account_gone', taskLogs.reason_account_gone)
  await demandUse(ctx, row)
  const named = { account: item.target.label }
  const { isEnabled, method = '' } = platformMethod(platform?.automation, 'verify_account')
  try {
    const { port, via } =
      isEnabled && systemOf(method)
        ? await signInBy(ctx, job, target, row, method)
        : await signInBySsh(ctx, target, row)
    await job.log(say(taskLogs.account_works, language, { ...named, port, via: viaOf(ctx, via) }))
  } catch (error) {
    if (error instanceof ItemSkipped) throw error
    item.signal.throwIfAborted()
    const { code, message: reason } = failureOf(ctx, error)
    // A gateway that fails says nothing about the accounts behind it.
    if (code !== gatewayFailed) await rememberVerdict(ctx, row.id, false)
    throw new TargetFailure(code, reason, say(taskLogs.account_failed, language, { ...named, reason }))
  }
  await rememberVerdict(ctx, row.id, true)
}

export const verifyAccounts = defineJob<{ accounts: readonly string[] }>({
  name: 'accounts.tasks.verify_account.verify_accounts_connectivity_task',
  // Signing in changes nothing on the target.
  delivery: 'idempotent',
  timeout: 3_600_000,
  concurrency: 4,
  watchedWith: 'accounts.verify_account',
  repeatedWith: 'accounts.verify_account',
  async run(outer, { accounts }, job) {
    const starter = await startedBy(outer, job, 'accounts.verify_account')
    const { ctx } = starter
    await job.planItems(async () => {
      const items = await itemsOf(ctx, accounts)
      await job.log(say(taskLogs.verifying_accounts, ctx.language, { count: items.length }))
      return items
    })
    const { total } = await eachTarget(starter, job, { concurrency: 10, timeout: 90_000 }, (target) =>
      verify(ctx, target, job),
    )
    const good = (await itemCounts(ctx.rawDb, [job.id])).get(job.id)?.SUCCESS ?? 0
    await job.log(say(taskLogs.accounts_work, ctx.language, { good, count: total }))
    return { verified: total, ok: good }
  },
})
