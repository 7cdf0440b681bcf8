import type { AutomationItem } from '@castellan/contract/automation-methods'
import { type Placeholders, say } from '@castellan/contract/messages'
import { executionReasons } from '@castellan/contract/messages/automations'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { PermissionCode } from '@castellan/contract/permissions'
import { linksOf } from '../../../kernel/fields/index.ts'
import { itemCounts, listItems, type NewItem } from '../../../kernel/jobs/item-rows.ts'
import { defineJob, type JobKind, type JobRun } from '../../../kernel/jobs/kinds.ts'
import type { Delivery, ItemState } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll, findById, insertRow } from '../../../kernel/resource/repository.ts'
import type { Resource, Row } from '../../../kernel/resource/resource.ts'
import { type Notice, notifyUsers } from '../../notifications/index.ts'
import { type UserRow, user } from '../../users/index.ts'
import { startedBy } from '../connectivity/started-by.ts'
import { node } from '../nodes/node.ts'
import { outermost } from '../nodes/node-key.ts'
import { type executionResource, recordEnd, recordStart, type Snapshot } from './execution.ts'
import { methodParams } from './methods.ts'
import {
  type AssetPayload,
  assetItems,
  demandMethod,
  eachTarget,
  skip,
  type TargetAsset,
  type TargetItem,
  targetAssets,
} from './targets.ts'

export type Execution = Row<ReturnType<typeof executionResource>>

/** The payload of an automation's job. An execution that a schedule starts is recorded when it begins. */
export interface AutomationTask {
  automation: string
}

/** One execution of an automation while it runs. */
export interface AutomationRun {
  readonly ctx: Context
  readonly job: JobRun
  readonly execution: Execution
  readonly snapshot: Snapshot
}

/** A target of an automation, with the method that its platform chose and its parameters. */
export interface AutomationTarget<P extends AssetPayload = AssetPayload, C = unknown> extends TargetItem<P, C> {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** How an item ended, for reports. */
export interface ItemResult<C> {
  readonly label: string
  readonly state: ItemState
  readonly error: string | null
  readonly reached: C | undefined
}

/** What the recipients of an automation receive. */
export type Report = Omit<Notice, 'link' | 'values'> & {
  values?: Placeholders
  /** Mails it itself, with a file for each of them; otherwise it is mailed as every notice is. */
  mail?(recipients: readonly UserRow[], link: string): Promise<void>
}

/** What an automation does: the part of its declaration that the worker needs. */
export interface AutomationWork<P extends AssetPayload, C> {
  /** The name of its background task. */
  task: string
  /** What platforms call this kind of automation. */
  method: AutomationItem
  /** Methods of the catalogue that are carried out; targets whose platform chose another one are skipped. */
  methods: readonly string[]
  /** What happens to a target that was under way when the worker died. */
  itemDelivery: Delivery
  /** Targets that are worked on at the same time. */
  concurrency: number
  /** Milliseconds one target may take. */
  timeout: number
  /** More than one item for each asset: one for each account, for example. Secrets in payloads are sealed first. */
  plan?(run: AutomationRun, assets: readonly TargetAsset[]): Promise<readonly NewItem[]>
  /** Works on one item. Throws `TargetFailure` or another error when it failed, and `skip(…)`. */
  work(run: AutomationRun, target: AutomationTarget<P, C>): Promise<void>
  /** The report for the recipients; undefined when there is nothing to report. */
  report?(run: AutomationRun, results: () => AsyncGenerator<ItemResult<C>>): Promise<Report | undefined>
}

interface Parts<P extends AssetPayload, C> {
  automation: () => Resource
  execution: Resource
  /** The permission to start executions. */
  add: PermissionCode
  /** The permission to follow their log. */
  view: PermissionCode
  snapshotOf(ctx: Context, row: AutomationRow): Promise<Snapshot>
  linkOf(ctx: Context, executionId: string): string
  work: AutomationWork<P, C>
}

/** The columns that the engine reads of every automation. */
export interface AutomationRow {
  id: string
  org_id: string
  name: string
  comment: string
  accounts: string[]
}

/** How long a whole execution may take. Milliseconds. */
const longest = 24 * 3_600_000
/** Executions of one kind at the same time in one worker; each of them works on several targets. */
const executionsAtOnce = 4
/** Items of an execution that are read at a time. */
const pageSize = 500

async function* resultsOf<C>(ctx: Context, jobId: string): AsyncGenerator<ItemResult<C>> {
  for (let from = 0; ; ) {
    const rows = await listItems(ctx.rawDb, jobId, { from, limit: pageSize })
    for (const row of rows)
      yield {
        label: row.target_label,
        state: row.state as ItemState,
        error: row.error,
        reached: row.checkpoint === null ? undefined : JSON.parse(row.checkpoint),
      }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    from = Number(last.position) + 1
  }
}

/** The assets of an execution as they are now: those named when it was started, and those below its nodes. */
export async function assetsOf(
  ctx: Context,
  { assets, nodes }: Pick<Snapshot, 'assets' | 'nodes'>,
): Promise<TargetAsset[]> {
  const rows = nodes.length === 0 ? [] : await findAll(ctx, node, (query) => query.where('t.id', 'in', [...nodes]))
  const keys = new Set(outermost(rows.map(({ key }) => String(key))))
  const tops = rows.filter(({ key }) => keys.has(String(key))).map(({ id, key }) => ({ id, key: String(key) }))
  return targetAssets(ctx, { assets, nodes: tops })
}

/** The kind of job that carries out an automation. */
export function automationJob<P extends AssetPayload, C>(parts: Parts<P, C>): JobKind<AutomationTask> {
  const { automation, execution, work } = parts

  /** The recorded execution; a scheduled one is recorded now. Undefined when its automation is gone. */
  async function begun(ctx: Context, job: JobRun, automationId: string): Promise<Execution | undefined> {
    const known = await findById(ctx, execution, job.id)
    if (!known) {
      const row = (await findById(ctx, automation(), automationId)) as AutomationRow | undefined
      if (!row) return undefined
      const snapshot = await parts.snapshotOf(ctx, row)
      await ctx.transaction((inside) =>
        insertRow(inside, execution, {
          id: job.id,
          automation_id: row.id,
          trigger: job.schedule ? 'timing' : 'manual',
          status: 'pending',
          snapshot,
        }),
      )
    }
    await recordStart(ctx.rawDb, execution, job.id)
    return (await findById(ctx, execution, job.id)) as Execution | undefined
  }

  const giveReason = (ctx: Context, id: string, reason: keyof typeof executionReasons) =>
    ctx.rawDb.updateTable(execution.table).set({ reason }).where('id', '=', id).execute()

  async function workOn(run: AutomationRun, target: TargetItem<P, C>): Promise<void> {
    const { ctx } = run
    const config = target.platform?.automation
    const method = demandMethod(ctx, target.platform, work.method) ?? ''
    if (!work.methods.includes(method))
      return skip(ctx, 'no_method', taskLogs.reason_no_method, { method: method || '-' })
    await work.work(run, { ...target, method, params: methodParams(config, work.method, run.snapshot.params) })
  }

  /** Sends the report once, to active recipients who still belong to the organization. */
  async function report(run: AutomationRun): Promise<void> {
    const { ctx, execution: row } = run
    const notice = await work.report?.(run, () => resultsOf<C>(ctx, row.id))
    const join = { table: `${automation().table}_recipients`, from: `${automation().name}_id`, to: 'user_id' }
    if (!notice || !row.automation_id) return
    const ids = (await linksOf(ctx, join, [row.automation_id])).map(({ user_id }) => user_id)
    const users = await findAll(ctx, user, (query) => query.where('t.id', 'in', ids).where('t.is_active', '=', true))
    if (users.length === 0) return
    const { mail, ...told } = notice
    const link = parts.linkOf(ctx, row.id)
    const isFirst = await ctx.transaction(async (inside) => {
      const { numUpdatedRows } = await inside.rawDb
        .updateTable(execution.table)
        .set({ date_reported: inside.now })
        .where('id', '=', row.id)
        .where('date_reported', 'is', null)
        .executeTakeFirst()
      if (!numUpdatedRows) return false
      const ids = users.map(({ id }) => id)
      await notifyUsers(inside, ids, { ...told, link }, { isMailed: !mail })
      return true
    })
    if (isFirst) await mail?.(users, link)
    await run.job.log(say(taskLogs.reported, ctx.language, { count: users.length }))
  }

  return defineJob<AutomationTask>({
    name: work.task,
    delivery: 'idempotent',
    itemDelivery: work.itemDelivery,
    timeout: longest,
    concurrency: executionsAtOnce,
    watchedWith: parts.view,
    ended: (db, end) => recordEnd(db, execution, end),
    async run(outer, { automation: automationId }, job) {
      const row = await begun(outer, job, automationId)
      if (!row) return job.log(say(executionReasons.automation_gone, outer.language))
      const starter = await startedBy(outer, job, parts.add)
      const { ctx } = starter
      const run: AutomationRun = { ctx, job, execution: row, snapshot: row.snapshot as Snapshot }
      await job.log(say(taskLogs.automation_started, ctx.language, { name: run.snapshot.name }))
      await job.planItems(async () => {
        const assets = await assetsOf(ctx, run.snapshot)
        return work.plan ? work.plan(run, assets) : assetItems(assets)
      })
      const progress = await eachTarget<P, C>(starter, job, work, (target) => workOn(run, target))
      if (progress.total === 0) {
        await giveReason(ctx, job.id, 'no_targets')
        return job.log(say(executionReasons.no_targets, ctx.language))
      }
      const counts = (await itemCounts(ctx.rawDb, [job.id])).get(job.id) ?? {}
      const of = (state: ItemState) => counts[state] ?? 0
      const totals = { ok: of('SUCCESS'), failed: of('FAILURE') + of('LOST'), skipped: of('SKIPPED') }
      if (totals.ok + totals.failed === 0) await giveReason(ctx, job.id, 'all_skipped')
      await job.log(say(taskLogs.automation_done, ctx.language, totals))
      await report(run)
      return progress
    },
  }) as JobKind<AutomationTask>
}
