import { say } from '@castellan/contract/messages'
import { syncLogs } from '@castellan/contract/messages/cloud'
import { batches } from '../../../db/batches.ts'
import { updateRows } from '../../../db/update-rows.ts'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError } from '../../../kernel/module/errors.ts'
import { createMany, destroy, updateOne } from '../../../kernel/resource/mutations.ts'
import { findAll, findById, insertRows } from '../../../kernel/resource/repository.ts'
import type { Resource } from '../../../kernel/resource/resource.ts'
import { accountPort, markUnconfirmed } from '../../assets/index.ts'
import { type InstanceRow, instance, instanceStatus } from '../instance.ts'
import { shortReason } from '../providers/failures.ts'
import type { Machine } from './machine.ts'
import type { Decision } from './plan.ts'
import type { SyncSetup } from './setup.ts'

/** How a decision ended. */
interface Outcome {
  machine: Machine
  row: InstanceRow | undefined
  status: number
  change: 'new' | 'updated' | null
  assetId: string | null
  applied: StoredRow | null
  reason: string | null
}

/** The texts of an error of a body, without its structure. */
export function reasonOf(error: ApiError, ctx: Context): string {
  const texts: string[] = []
  const left: unknown[] = [error.body(ctx.language)]
  while (left.length > 0 && texts.length < 5) {
    const one = left.shift()
    if (typeof one === 'string') texts.push(one)
    else if (typeof one === 'object' && one !== null) left.push(...Object.values(one))
  }
  return shortReason(texts.join(' '))
}

/** Stores what was done with machines, so that the end of the region knows which ones it has not seen. */
async function record(ctx: Context, setup: SyncSetup, region: string, outcomes: readonly Outcome[]): Promise<void> {
  const { job, task } = setup
  const now = Date.now()
  const fresh: StoredRow[] = []
  const changed: StoredRow[] = []
  const same: Outcome[] = []
  for (const one of outcomes) {
    const { machine, row } = one
    const values = {
      instance_name: machine.name,
      asset_ip: machine.address,
      asset_id: one.assetId,
      status: one.status,
      change: one.change,
      applied: one.applied,
      reason: one.reason,
    }
    const isFirst = row?.seen_in !== job.id
    if (!row)
      fresh.push({ ...values, task_id: task.id, region, instance_id: machine.id, seen_in: job.id, date_sync: now })
    else if (isFirst && Object.entries(values).every(([name, value]) => isEqual(row[name as keyof InstanceRow], value)))
      same.push(one)
    // A machine that comes twice, or again after a takeover, stays what this run made of it.
    else if (isFirst || one.change) changed.push({ ...values, id: row.id, seen_in: job.id, date_sync: now })
  }
  await insertRows(ctx, instance, fresh)
  const stored = instance as unknown as Resource
  await updateRows(
    ctx.rawDb,
    ctx.dialect,
    stored.shape,
    changed.map((row) => stored.encode(row, ctx)),
  )
  for (const some of batches(same.map(({ row }) => row?.id)))
    await ctx.rawDb
      .updateTable('xpack_syncinstancedetail')
      .set({ seen_in: job.id, date_sync: now })
      .where('org_id', '=', ctx.orgId)
      .where('id', 'in', some)
      .execute()
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

const leadsElsewhere = (patch: StoredRow): boolean =>
  ['address', 'domain', 'platform', 'protocols'].some((name) => name in patch)

const isPlaced = (patch: StoredRow): boolean => 'nodes' in patch || 'nodes_display' in patch

/** Carries out some decisions in one transaction. */
function attempt(setup: SyncSetup, region: string, decisions: readonly Decision[]): Promise<Outcome[]> {
  return setup.ctx.transaction(async (ctx) => {
    const fresh = decisions.filter((one) => one.kind === 'new')
    const made = await createMany(
      ctx,
      setup.hosts,
      fresh.map(({ body }) => body),
    )
    const madeFor = new Map(fresh.map((one, index) => [one, String(made[index]?.id)]))
    for (const one of decisions) {
      if (one.kind !== 'updated') continue
      const before = await findById(ctx, setup.hosts, one.assetId)
      if (before) await updateOne(ctx, setup.hosts, before, one.patch, true)
    }
    // Whoever decided about the account or the task decided where these assets are.
    if (setup.unconfirmed) {
      const led = decisions.flatMap((one) => (one.kind === 'updated' && leadsElsewhere(one.patch) ? one.assetId : []))
      const added = [...madeFor.values()]
      await markUnconfirmed(ctx, [...led, ...added], 'destination', setup.unconfirmed)
      const placed = decisions.flatMap((one) => (one.kind === 'updated' && isPlaced(one.patch) ? one.assetId : []))
      await markUnconfirmed(ctx, placed, 'placement', setup.unconfirmed)
      // Accounts of templates are part of the same decision, which takes the permission to see their secrets.
      await accountPort.use.entrust(ctx, added)
    }
    const outcomes = decisions.map(
      (one): Outcome => ({
        machine: one.machine,
        row: one.row,
        status: one.kind === 'new' ? instanceStatus.new : instanceStatus.synced,
        change: one.kind === 'same' ? null : one.kind,
        assetId: one.kind === 'new' ? (madeFor.get(one) ?? null) : one.assetId,
        applied: one.applied,
        reason: null,
      }),
    )
    await record(ctx, setup, region, outcomes)
    return outcomes
  })
}

async function refused(setup: SyncSetup, region: string, decision: Decision, error: ApiError): Promise<void> {
  const { ctx, job } = setup
  const reason = reasonOf(error, ctx)
  await unsynced(setup, region, [{ machine: decision.machine, row: decision.row, reason }])
  await job.log(say(syncLogs.not_synced, ctx.language, { region, name: decision.machine.name, reason }))
}

/** Records machines that cannot become assets, with the reason. */
export async function unsynced(
  setup: SyncSetup,
  region: string,
  list: readonly { machine: Machine; row: InstanceRow | undefined; reason: string }[],
): Promise<void> {
  const outcomes = list.map(
    ({ machine, row, reason }): Outcome => ({
      machine,
      row,
      status: instanceStatus.unsynced,
      change: null,
      assetId: row?.asset_id ?? null,
      applied: row?.applied ?? null,
      reason,
    }),
  )
  await setup.ctx.transaction((ctx) => record(ctx, setup, region, outcomes))
}

/**
 * Carries out decisions. Where one of them is refused, each is tried alone, so that one machine with values that cannot
 * be stored does not hold up the others.
 */
export async function carryOut(setup: SyncSetup, region: string, decisions: readonly Decision[]): Promise<void> {
  const { ctx, job } = setup
  const outcomes: Outcome[] = []
  try {
    outcomes.push(...(await attempt(setup, region, decisions)))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    for (const one of decisions)
      try {
        outcomes.push(...(await attempt(setup, region, [one])))
      } catch (single) {
        if (!(single instanceof ApiError)) throw single
        await refused(setup, region, one, single)
      }
  }
  for (const { change, machine } of outcomes) {
    if (!change) continue
    const text = change === 'new' ? syncLogs.added : syncLogs.updated
    await job.log(say(text, ctx.language, { region, name: machine.name, address: machine.address }))
  }
}

/** Machines of a region that this run has not seen, some at a time. */
const unseen = ({ ctx, job, task }: SyncSetup, region: string, limit: number) =>
  findAll(ctx, instance, (query) =>
    query
      .where('t.task_id', '=', task.id)
      .where('t.region', '=', region)
      .where('t.status', '!=', instanceStatus.released)
      .where((eb) => eb.or([eb('t.seen_in', 'is', null), eb('t.seen_in', '!=', job.id)]))
      .limit(limit),
  )

const releasedAtOnce = 250

/** Assets that another task still sees are not touched. */
async function withoutOthers(ctx: Context, taskId: string, rows: readonly InstanceRow[]): Promise<string[]> {
  const ids = rows.flatMap(({ asset_id }) => asset_id ?? [])
  const kept = await findAll(ctx, instance, (query) =>
    query
      .where('t.asset_id', 'in', ids)
      .where('t.task_id', '!=', taskId)
      .where('t.status', '!=', instanceStatus.released),
  )
  const used = new Set(kept.map(({ asset_id }) => asset_id))
  return ids.filter((id) => !used.has(id))
}

/**
 * Marks the machines of a region that were not seen as released, and does with their assets what the task says. Their
 * rows, sessions and logs remain. `isSure` is false when a region is suddenly empty: then assets are left as they are.
 */
export async function release(setup: SyncSetup, region: string, isSure: boolean): Promise<void> {
  const { ctx, job, task, hosts } = setup
  for (;;) {
    const rows = await unseen(setup, region, releasedAtOnce)
    if (rows.length === 0) return
    await ctx.transaction(async (inside) => {
      const ids = isSure && task.released_action !== 'mark' ? await withoutOthers(inside, task.id, rows) : []
      const assets = ids.length > 0 ? await findAll(inside, hosts, (query) => query.where('t.id', 'in', ids)) : []
      for (const some of batches(rows.map(({ id }) => id)))
        await inside.rawDb
          .updateTable('xpack_syncinstancedetail')
          .set({ status: instanceStatus.released, change: 'released', seen_in: job.id, date_sync: Date.now() })
          .where('org_id', '=', task.org_id)
          .where('id', 'in', some)
          .execute()
      if (task.released_action === 'remove') await destroy(inside, hosts, assets)
      else for (const row of assets) if (row.is_active) await updateOne(inside, hosts, row, { is_active: false }, true)
    })
    for (const row of rows)
      await job.log(say(syncLogs.released, ctx.language, { region, name: row.instance_name, address: row.asset_ip }))
  }
}

/** How many machines a region had that are not released. */
export async function knownIn({ ctx, task }: SyncSetup, region: string): Promise<number> {
  const row = await ctx.rawDb
    .selectFrom('xpack_syncinstancedetail')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('org_id', '=', task.org_id)
    .where('task_id', '=', task.id)
    .where('region', '=', region)
    .where('status', '!=', instanceStatus.released)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
