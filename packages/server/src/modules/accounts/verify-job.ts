import { say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/index.ts'
import { defineJob } from '../../kernel/jobs/kinds.ts'
import { findAll } from '../../kernel/repository.ts'
import { asset, reasonOf, sshPortOf, startedBy, usableForSsh, viaOf, withSsh } from '../assets/index.ts'
import { account } from './account.ts'
import { openedAccount, rememberVerdict } from './login.ts'
import { secretTypeWire } from './secret-type.ts'

/** Signs in with one account; answers the line for the log and whether it worked (undefined: it could not be tried). */
async function verify(
  ctx: Context,
  row: AnyRow,
  target: AnyRow,
  signal: AbortSignal,
): Promise<{ line: string; ok?: boolean }> {
  const { language } = ctx
  const named = { account: `${row.name}(${row.username})`, target: `${target.name} (${target.address})` }
  const account = say(taskLogs.account_on, language, named)
  const port = await sshPortOf(ctx, target.id)
  if (port === undefined) return { line: say(taskLogs.account_without_ssh, language, { account }) }
  const type = secretTypeWire(ctx, row.secret_type).label
  if (!usableForSsh(row)) return { line: say(taskLogs.account_secret_type, language, { account, type }) }
  if (row.secret === null) return { line: say(taskLogs.account_no_secret, language, { account }), ok: false }
  try {
    return await withSsh(ctx, target, port, await openedAccount(ctx, row), signal, async (_client, via) => ({
      line: say(taskLogs.account_works, language, { account, port, via: viaOf(ctx, via) }),
      ok: true,
    }))
  } catch (error) {
    signal.throwIfAborted()
    return { line: say(taskLogs.account_failed, language, { account, port, reason: reasonOf(ctx, error) }), ok: false }
  }
}

export const verifyAccounts = defineJob<{ accounts: readonly string[] }>({
  name: 'accounts.tasks.verify_account.verify_accounts_connectivity_task',
  // Signing in changes nothing on the target.
  delivery: 'idempotent',
  timeout: 3_600_000,
  concurrency: 4,
  async run(outer, { accounts }, job) {
    const ctx = await startedBy(outer, job)
    const rows = (await findAll(ctx, account, (query) => query.where('t.id', 'in', [...accounts]))) as AnyRow[]
    await job.log(say(taskLogs.verifying_accounts, ctx.language, { count: rows.length }))
    let good = 0
    for (const row of rows) {
      if (job.signal.aborted) break
      const [target] = (await findAll(ctx, asset, (query) => query.where('t.id', '=', row.asset_id))) as AnyRow[]
      if (!target) continue
      const { line, ok } = await verify(ctx, row, target, job.signal)
      await job.log(line)
      if (ok) good++
      if (ok !== undefined) await rememberVerdict(ctx, row.id, ok)
    }
    await job.log(say(taskLogs.accounts_work, ctx.language, { good, count: rows.length }))
    return { verified: rows.length, ok: good }
  },
})
