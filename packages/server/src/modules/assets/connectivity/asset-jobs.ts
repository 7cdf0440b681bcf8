import { connectSsh, openThrough } from '@castellan/connectors/ssh'
import { say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { batches } from '../../../db/batches.ts'
import type { Context } from '../../../kernel/context.ts'
import type { AnyRow } from '../../../kernel/fields/index.ts'
import { defineJob, type JobRun } from '../../../kernel/jobs/kinds.ts'
import { findAll } from '../../../kernel/repository.ts'
import { accountPort } from '../account-port.ts'
import { asset } from '../asset.ts'
import { inNode } from '../asset-filters.ts'
import { protocolsOf } from '../asset-protocols.ts'
import { platformsById } from '../platforms/platform.ts'
import { gatherFacts } from './facts.ts'
import {
  hostKeyVerifierFor,
  reach,
  reasonOf,
  signInToGateway,
  sshPortOf,
  usableForSsh,
  viaOf,
  withSsh,
} from './reach.ts'
import { startedBy } from './started-by.ts'

/** Which assets a task is about: some by id, or everything below a node. */
export interface AssetTask {
  assets?: readonly string[]
  node?: { id: string; key: string }
}

/** How many assets are tried at the same time. */
const atOnce = 10

async function targets(ctx: Context, { assets, node }: AssetTask): Promise<AnyRow[]> {
  if (node) return findAll(ctx, asset, (query) => inNode(ctx, query, node, false))
  const rows: AnyRow[] = []
  const ids = assets ?? []
  for (const some of batches(ids)) rows.push(...(await findAll(ctx, asset, (query) => query.where('t.id', 'in', some))))
  return rows
}

async function each(rows: readonly AnyRow[], job: JobRun, work: (row: AnyRow) => Promise<void>): Promise<void> {
  const queue = [...rows]
  const one = async () => {
    for (let row = queue.shift(); row && !job.signal.aborted; row = queue.shift()) await work(row)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, one))
}

export async function setConnectivity(ctx: Context, assetId: string, ok: boolean): Promise<void> {
  await ctx.unscoped
    .updateTable('assets_asset')
    .set({ connectivity: ok ? 'ok' : 'err', date_verified: Date.now() })
    .where('id', '=', assetId)
    .execute()
}

const title = (row: AnyRow) => `${row.name} (${row.address})`

/** Whether an asset answers: by SSH with its best account, else by a TCP connection to its first port. */
async function test(ctx: Context, row: AnyRow, job: JobRun): Promise<boolean> {
  const port = await sshPortOf(ctx, row.id)
  const account = port === undefined ? undefined : await accountPort.use.login(ctx, row.id, usableForSsh)
  const about = { target: title(row) }
  if (port !== undefined && account) {
    const { username } = account
    try {
      await withSsh(ctx, row, port, account, job.signal, async (_client, via) => {
        await job.log(say(taskLogs.signed_in_by_ssh, ctx.language, { ...about, port, username, via: viaOf(ctx, via) }))
      })
      await accountPort.use.verified(ctx, account.id, true)
      return true
    } catch (error) {
      job.signal.throwIfAborted()
      const reason = reasonOf(ctx, error)
      await job.log(say(taskLogs.failed_by_ssh, ctx.language, { ...about, port, username, reason }))
      await accountPort.use.verified(ctx, account.id, false)
      return false
    }
  }
  const first = port ?? (await protocolsOf(ctx, [row.id])).get(row.id)?.[0]?.port
  if (first === undefined) {
    await job.log(say(taskLogs.no_port, ctx.language, about))
    return false
  }
  try {
    const reached = await reach(ctx, row, first, job.signal)
    reached.end()
    await job.log(say(taskLogs.port_answers, ctx.language, { ...about, port: first, via: viaOf(ctx, reached.via) }))
    return true
  } catch (error) {
    job.signal.throwIfAborted()
    await job.log(say(taskLogs.port_silent, ctx.language, { ...about, port: first, reason: reasonOf(ctx, error) }))
    return false
  }
}

export const testAssets = defineJob<AssetTask>({
  name: 'assets.tasks.ping.test_assets_connectivity_task',
  // Signing in changes nothing on the target.
  delivery: 'idempotent',
  timeout: 3_600_000,
  concurrency: 4,
  async run(outer, task, job) {
    const ctx = await startedBy(outer, job)
    const platforms = await platformsById(ctx)
    const rows = await targets(ctx, task)
    await job.log(say(taskLogs.testing_assets, ctx.language, { count: rows.length }))
    let good = 0
    await each(rows, job, async (row) => {
      const about = { target: title(row) }
      if (!row.is_active) return job.log(say(taskLogs.asset_disabled, ctx.language, about))
      if (!platforms.get(row.platform_id)?.automation.ping_enabled)
        return job.log(say(taskLogs.tests_off, ctx.language, about))
      const ok = await test(ctx, row, job)
      if (ok) good++
      await setConnectivity(ctx, row.id, ok)
    })
    await job.log(say(taskLogs.assets_answered, ctx.language, { good, count: rows.length }))
    return { tested: rows.length, ok: good }
  },
})

export const refreshAssets = defineJob<AssetTask>({
  name: 'assets.tasks.gather_facts.gather_assets_facts_task',
  // It only reads from the target.
  delivery: 'idempotent',
  timeout: 3_600_000,
  concurrency: 2,
  async run(outer, task, job) {
    const ctx = await startedBy(outer, job)
    const rows = await targets(ctx, task)
    await job.log(say(taskLogs.collecting_facts, ctx.language, { count: rows.length }))
    await each(rows, job, async (row) => {
      const about = { target: title(row) }
      if (!row.is_active) return job.log(say(taskLogs.asset_disabled, ctx.language, about))
      const port = await sshPortOf(ctx, row.id)
      const account = port === undefined ? undefined : await accountPort.use.login(ctx, row.id, usableForSsh)
      if (port === undefined || !account) return job.log(say(taskLogs.no_ssh_account, ctx.language, about))
      try {
        const facts = await withSsh(ctx, row, port, account, job.signal, gatherFacts)
        job.signal.throwIfAborted()
        await ctx.unscoped
          .updateTable('assets_asset')
          .set({ gathered_info: JSON.stringify(facts) })
          .where('id', '=', row.id)
          .execute()
        const found = Object.entries(facts).map(([name, value]) => `${name}=${value}`)
        await job.log(say(taskLogs.facts, ctx.language, { ...about, facts: found.join(', ') }))
      } catch (error) {
        job.signal.throwIfAborted()
        await job.log(say(taskLogs.failed, ctx.language, { ...about, reason: reasonOf(ctx, error) }))
      }
    })
    await job.log(say(taskLogs.done, ctx.language))
  },
})

/** A gateway works when SSH lets us in and it forwards us to its own SSH port again. */
export const testGateway = defineJob<{ gateway: string; port: number }>({
  name: 'assets.tasks.ping_gateway.test_gateways_connectivity_task',
  delivery: 'idempotent',
  timeout: 120_000,
  async run(outer, { gateway, port }, job) {
    const ctx = await startedBy(outer, job)
    const [row] = await targets(ctx, { assets: [gateway] })
    if (!row) return job.log(say(taskLogs.gateway_gone, ctx.language))
    const about = { target: title(row) }
    let accountId: string | undefined
    let ok = false
    try {
      const { client, account } = await signInToGateway(ctx, row, job.signal)
      accountId = account.id
      await job.log(say(taskLogs.gateway_signed_in, ctx.language, { ...about, username: account.username }))
      try {
        const stream = await openThrough(client, '127.0.0.1', port)
        // Whoever else listens there on the gateway has not its host key, and is not given its password.
        const own = (await sshPortOf(ctx, row.id)) ?? 22
        const verifyHostKey = hostKeyVerifierFor(ctx, row.id, own)
        const again = await connectSsh({ stream, credential: account, verifyHostKey, signal: job.signal })
        again.end()
        ok = true
        await job.log(say(taskLogs.gateway_forwards, ctx.language, { ...about, port }))
      } finally {
        client.end()
      }
    } catch (error) {
      job.signal.throwIfAborted()
      await job.log(say(taskLogs.failed, ctx.language, { ...about, reason: reasonOf(ctx, error) }))
    }
    await setConnectivity(ctx, row.id, ok)
    if (accountId) await accountPort.use.verified(ctx, accountId, ok)
  },
})

/** Amounts are counted anew by every answer, so there is nothing to correct; the task says what it found. */
export const checkAmounts = defineJob<object>({
  name: 'assets.tasks.nodes_amount.check_node_assets_amount_task',
  delivery: 'idempotent',
  async run(ctx, _payload, job) {
    const { n } = (await ctx.unscoped
      .selectFrom('assets_asset')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('org_id', '=', ctx.orgId)
      .executeTakeFirst()) as { n: number }
    await job.log(say(taskLogs.amounts_right, ctx.language, { count: Number(n) }))
  },
})
