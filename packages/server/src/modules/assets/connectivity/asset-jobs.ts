import { say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { PermissionCode } from '@castellan/contract/permissions'
import { itemCounts } from '../../../kernel/jobs/item-rows.ts'
import { defineJob, type JobRun } from '../../../kernel/jobs/kinds.ts'
import { ItemSkipped } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { accountPort } from '../account-port.ts'
import { protocolsOf } from '../asset-protocols.ts'
import {
  assetItems,
  demandMethod,
  eachTarget,
  skip,
  TargetFailure,
  type TargetItem,
  type Targets,
  targetAssets,
} from '../automations/targets.ts'
import { gatherFacts } from './facts.ts'
import { failureOf, gatewayFailed, reach, sshPortOf, usableForSsh, viaOf, withSsh } from './reach.ts'
import { startedBy } from './started-by.ts'

/** What signing in and reading may take for one asset. Milliseconds. */
export const assetTimeout = 90_000

export const mayTest: PermissionCode = 'assets.test_assetconnectivity'
const mayRefresh: PermissionCode = 'assets.refresh_assethardwareinfo'

export async function setConnectivity(ctx: Context, assetId: string, ok: boolean): Promise<void> {
  await ctx.acrossOrganizations
    .updateTable('assets_asset')
    .set({ connectivity: ok ? 'ok' : 'err', date_verified: Date.now() })
    .where('id', '=', assetId)
    .execute()
}

/** Signs in by the method of the asset's platform. @returns whether there was a way to */
async function signIn(ctx: Context, { asset, item }: TargetItem, method: string, job: JobRun): Promise<boolean> {
  const { language } = ctx
  const target = item.target.label
  try {
    const signedIn = await accountPort.use.signIn(ctx, asset.id, method, item.signal)
    if (!signedIn) return false
    const { username, port, via } = signedIn
    await job.log(say(taskLogs.signed_in, language, { target, port, username, via: viaOf(ctx, via) }))
    return true
  } catch (error) {
    item.signal.throwIfAborted()
    const { code, message: reason } = failureOf(ctx, error)
    throw new TargetFailure(code, reason, say(taskLogs.failed, language, { target, reason }))
  }
}

/**
 * Tests whether an asset answers: by the method of its platform or by SSH with its best account, else by a TCP connection
 * to its first port.
 */
async function test(ctx: Context, found: TargetItem, method: string, job: JobRun): Promise<void> {
  const { asset, item } = found
  const { signal } = item
  if (await signIn(ctx, found, method, job)) return
  const port = await sshPortOf(ctx, asset.id)
  const account = port === undefined ? undefined : await accountPort.use.login(ctx, asset.id, usableForSsh)
  const about = { target: item.target.label }
  if (port !== undefined && account) {
    const { username } = account
    try {
      await withSsh(ctx, asset, port, account, signal, async (_client, via) => {
        await job.log(say(taskLogs.signed_in_by_ssh, ctx.language, { ...about, port, username, via: viaOf(ctx, via) }))
      })
    } catch (error) {
      signal.throwIfAborted()
      const { code, message: reason } = failureOf(ctx, error)
      if (code !== gatewayFailed) await accountPort.use.verified(ctx, account.id, false)
      throw new TargetFailure(
        code,
        reason,
        say(taskLogs.failed_by_ssh, ctx.language, { ...about, port, username, reason }),
      )
    }
    await accountPort.use.verified(ctx, account.id, true)
    return
  }
  const first = port ?? (await protocolsOf(ctx, [asset.id])).get(asset.id)?.[0]?.port
  if (first === undefined) throw new TargetFailure('no_port', say(taskLogs.reason_no_port, ctx.language))
  try {
    const reached = await reach(ctx, asset, first, signal)
    reached.end()
    await job.log(
      say(taskLogs.port_answers, ctx.language, { ...about, port: first, via: viaOf(ctx, reached.gateway?.name) }),
    )
  } catch (error) {
    signal.throwIfAborted()
    const { code, message: reason } = failureOf(ctx, error)
    throw new TargetFailure(code, reason, say(taskLogs.port_silent, ctx.language, { ...about, port: first, reason }))
  }
}

export const testAssets = defineJob<Targets>({
  name: 'assets.tasks.ping.test_assets_connectivity_task',
  // Signing in changes nothing on the target.
  delivery: 'idempotent',
  timeout: 3_600_000,
  concurrency: 4,
  watchedWith: mayTest,
  repeatedWith: mayTest,
  async run(outer, targets, job) {
    const starter = await startedBy(outer, job, mayTest)
    const { ctx } = starter
    await job.planItems(async () => {
      const items = assetItems(await targetAssets(ctx, targets))
      await job.log(say(taskLogs.testing_assets, ctx.language, { count: items.length }))
      return items
    })
    const { total } = await eachTarget(starter, job, { concurrency: 10, timeout: assetTimeout }, async (target) => {
      const { asset, item, platform } = target
      const method = demandMethod(ctx, platform, 'ping') ?? ''
      try {
        await test(ctx, target, method, job)
      } catch (error) {
        item.signal.throwIfAborted()
        // A rule that refuses the use of the account says nothing about the asset.
        if (!(error instanceof ItemSkipped)) await setConnectivity(ctx, asset.id, false)
        throw error
      }
      await setConnectivity(ctx, asset.id, true)
    })
    const good = (await itemCounts(ctx.rawDb, [job.id])).get(job.id)?.SUCCESS ?? 0
    await job.log(say(taskLogs.assets_answered, ctx.language, { good, count: total }))
    return { tested: total, ok: good }
  },
})

export const refreshAssets = defineJob<Targets>({
  name: 'assets.tasks.gather_facts.gather_assets_facts_task',
  // It only reads from the target.
  delivery: 'idempotent',
  timeout: 3_600_000,
  concurrency: 2,
  watchedWith: mayRefresh,
  repeatedWith: mayRefresh,
  async run(outer, targets, job) {
    const starter = await startedBy(outer, job, mayRefresh)
    const { ctx } = starter
    await job.planItems(async () => {
      const items = assetItems(await targetAssets(ctx, targets))
      await job.log(say(taskLogs.collecting_facts, ctx.language, { count: items.length }))
      return items
    })
    await eachTarget(starter, job, { concurrency: 10, timeout: assetTimeout }, async ({ asset, item, platform }) => {
      demandMethod(ctx, platform, 'gather_facts')
      const port = await sshPortOf(ctx, asset.id)
      const account =
        port === undefined ? undefined : await accountPort.use.login(ctx, asset.id, usableForSsh, { prefersRoot: true })
      if (port === undefined || !account) return skip(ctx, 'no_ssh_account', taskLogs.reason_no_ssh_account)
      const facts = await withSsh(ctx, asset, port, account, item.signal, gatherFacts)
      item.signal.throwIfAborted()
      await ctx.acrossOrganizations
        .updateTable('assets_asset')
        .set({ gathered_info: JSON.stringify(facts) })
        .where('id', '=', asset.id)
        .execute()
      const found = Object.entries(facts).map(([name, value]) => `${name}=${value}`)
      const line = { target: item.target.label, facts: found.join(', ') }
      await job.log(say(taskLogs.facts, ctx.language, line))
    })
    await job.log(say(taskLogs.done, ctx.language))
  },
})

/** Amounts are counted for every response, so there is nothing to correct; the task reports the count. */
export const checkAmounts = defineJob<object>({
  name: 'assets.tasks.nodes_amount.check_node_assets_amount_task',
  delivery: 'idempotent',
  async run(ctx, _payload, job) {
    const { n } = (await ctx.rawDb
      .selectFrom('assets_asset')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('org_id', '=', ctx.orgId)
      .executeTakeFirst()) as { n: number }
    await job.log(say(taskLogs.amounts_right, ctx.language, { count: Number(n) }))
  },
})
