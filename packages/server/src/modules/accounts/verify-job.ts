import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/index.ts'
import { defineJob } from '../../kernel/jobs.ts'
import { findAll } from '../../kernel/rows.ts'
import { asset, reasonOf, sshPortOf, usableForSsh, withSsh } from '../assets/index.ts'
import { account } from './account.ts'
import { openedAccount, rememberVerdict } from './login.ts'

/** Signs in with one account; answers the line for the log and whether it worked (undefined: it could not be tried). */
async function verify(ctx: Context, row: AnyRow, target: AnyRow): Promise<{ line: string; ok?: boolean }> {
  const name = `${row.name}(${row.username}) on ${target.name} (${target.address})`
  const port = await sshPortOf(ctx, target.id)
  if (port === undefined) return { line: `${name}: skipped, the asset has no SSH to sign in by` }
  if (!usableForSsh(row)) return { line: `${name}: skipped, SSH takes no secret of type ${row.secret_type}` }
  if (row.secret === null) return { line: `${name}: FAILED, no secret is stored`, ok: false }
  try {
    return await withSsh(ctx, target, port, await openedAccount(ctx, row), async (_client, via) => ({
      line: `${name}: OK, signed in on port ${port}${via ? ` through gateway ${via}` : ''}`,
      ok: true,
    }))
  } catch (error) {
    return { line: `${name}: FAILED on port ${port}: ${reasonOf(error)}`, ok: false }
  }
}

export const verifyAccounts = defineJob<{ accounts: readonly string[] }>({
  name: 'accounts.tasks.verify_account.verify_accounts_connectivity_task',
  timeout: 3_600_000,
  concurrency: 4,
  async run(ctx, { accounts }, job) {
    const rows = (await findAll(ctx, account, (query) => query.where('t.id', 'in', [...accounts]))) as AnyRow[]
    await job.log(`Verifying ${rows.length} accounts`)
    let good = 0
    for (const row of rows) {
      if (job.signal.aborted) break
      const [target] = (await findAll(ctx, asset, (query) => query.where('t.id', '=', row.asset_id))) as AnyRow[]
      if (!target) continue
      const { line, ok } = await verify(ctx, row, target)
      await job.log(line)
      if (ok) good++
      if (ok !== undefined) await rememberVerdict(ctx, row.id, ok)
    }
    await job.log(`Done: ${good} of ${rows.length} accounts work`)
    return { verified: rows.length, ok: good }
  },
})
