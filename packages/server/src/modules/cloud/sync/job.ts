import { say } from '@castellan/contract/messages'
import { syncLogs } from '@castellan/contract/messages/cloud'
import { defineJob, type JobRun } from '../../../kernel/jobs/kinds.ts'
import { JobFailure, JobRefused } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll, findById, insertRow } from '../../../kernel/resource/repository.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { startedBy, unconfirmedOf } from '../../assets/index.ts'
import { licenseState } from '../../xpack/index.ts'
import { account, opened } from '../account.ts'
import { recordEnd, summaries, syncExecution, syncStatus } from '../execution.ts'
import { ProviderFailure } from '../providers/failures.ts'
import { providerNamed } from '../providers/index.ts'
import type { TaskRow } from '../task-fields.ts'
import { oneLine } from './machine.ts'
import { PreviewCollector, previewRegion, syncRegion } from './region.ts'
import { platformsOf, type SyncSetup, strategiesOf } from './setup.ts'

export interface SyncPayload {
  task: string
  /** Only says what would happen. */
  preview?: true
}

/** How long a synchronization and one of its regions may take. Milliseconds. */
const longest = 12 * 3_600_000
const longestRegion = 4 * 3_600_000
const regionsAtOnce = 2

async function setUp(ctx: Context, job: JobRun, id: string): Promise<SyncSetup> {
  const task = (await findById(ctx, findResource('xpack.syncinstancetask'), id)) as TaskRow | undefined
  const row = task && (await findById(ctx, account, task.account_id))
  const provider = providerNamed(row?.provider)
  if (!task || !row || !provider) throw new JobRefused('task_gone', say(syncLogs.task_gone, ctx.language))
  return {
    ctx,
    job,
    task,
    account: row,
    provider,
    connection: await opened(ctx, row),
    outcomeOf: await strategiesOf(ctx, job, task),
    hosts: findResource('assets/hosts'),
    defaultPlatforms: await platformsOf(ctx),
    unconfirmed: [...(await unconfirmedOf(ctx, [task.id, row.id], 'destination')).values()][0],
  }
}

/** Records the execution of a schedule, which nobody has recorded before. */
async function begin(ctx: Context, job: JobRun, task: string): Promise<void> {
  if (!(await findById(ctx, syncExecution, job.id)))
    await ctx.transaction((inside) => insertExecution(inside, { id: job.id, task, trigger: 'timing' }))
  await ctx.rawDb
    .updateTable('xpack_syncinstancetaskexecution')
    .set({ date_start: Date.now() })
    .where('org_id', '=', ctx.orgId)
    .where('id', '=', job.id)
    .where('date_start', 'is', null)
    .execute()
}

const insertExecution = (
  ctx: Context,
  { id, task, trigger, preview }: { id: string; task: string; trigger: 'manual' | 'timing'; preview?: boolean },
) =>
  insertRow(ctx, syncExecution, {
    id,
    task_id: task,
    trigger,
    status: syncStatus.running,
    is_preview: preview ?? false,
  })

/** What a region's failure is called; errors of our own go on as they are. */
async function failed({ ctx, job, provider }: SyncSetup, region: string, error: unknown): Promise<JobFailure> {
  if (!(error instanceof ProviderFailure)) throw error
  const reason = error.text(ctx.language, provider.label)
  await job.log(say(syncLogs.region_failed, ctx.language, { region, reason }))
  return new JobFailure(error.code, reason)
}

async function synchronize(setup: SyncSetup, demandPermission: () => Promise<void>): Promise<void> {
  const { ctx, job, task } = setup
  await job.planItems(async () =>
    task.regions.map((region) => ({ target: { type: 'xpack.region', id: region, label: region }, payload: {} })),
  )
  const { failed: failures, total } = await job.eachItem(
    { concurrency: regionsAtOnce, timeout: longestRegion },
    async (item) => {
      await demandPermission()
      try {
        await syncRegion(setup, item.target.id, item.signal)
      } catch (error) {
        item.signal.throwIfAborted()
        throw await failed(setup, item.target.id, error)
      }
    },
  )
  const summary = (await summaries(ctx.rawDb, [job.id])).get(job.id)
  const { new: added = 0, updated = 0, sync = 0, released = 0, unsync: unsyncedCount = 0 } = summary ?? {}
  const counts = { added, updated, unchanged: sync - updated, released, unsynced: unsyncedCount }
  await job.log(say(syncLogs.done, ctx.language, counts))
  if (failures > 0)
    throw new JobRefused('partly_failed', say(syncLogs.regions_failed, ctx.language, { failed: failures, total }))
}

async function preview(setup: SyncSetup): Promise<void> {
  const { ctx, job, task } = setup
  const collector = new PreviewCollector()
  for (const region of task.regions)
    try {
      await previewRegion(setup, region, job.signal, collector)
    } catch (error) {
      job.signal.throwIfAborted()
      const { message } = await failed(setup, region, error)
      collector.failures.push({ region: oneLine(region, 128), reason: message })
    }
  await ctx.rawDb
    .updateTable('xpack_syncinstancetaskexecution')
    .set({ preview: JSON.stringify(collector.result()) })
    .where('org_id', '=', ctx.orgId)
    .where('id', '=', job.id)
    .execute()
}

/** Reads the machines of an account, and makes the assets of a task match them. */
export const syncJob = defineJob<SyncPayload>({
  name: 'xpack.plugins.cloud.tasks.run_sync_instance_task',
  delivery: 'idempotent',
  timeout: longest,
  concurrency: 2,
  keys: ({ task }) => [`cloud-sync:${task}`],
  watchedWith: 'xpack.view_syncinstancetaskexecution',
  ended: recordEnd,
  async run(ctx, payload, job) {
    if (!licenseState(ctx.services).extended)
      throw new JobRefused('not_licensed', say(syncLogs.not_licensed, ctx.language))
    const { demandPermission } = await startedBy(ctx, job, 'xpack.add_syncinstancetaskexecution')
    // The system creates the assets: whoever set up the account, the task and its strategies has decided about them.
    const setup = await setUp(ctx, job, payload.task)
    try {
      await begin(ctx, job, payload.task)
      const { account: from, task } = setup
      await job.log(say(syncLogs.begins, ctx.language, { regions: task.regions.length, account: from.name }))
      await (payload.preview ? preview(setup) : synchronize(setup, demandPermission))
    } finally {
      await setup.connection.close?.()
    }
  },
})

/** Starts a synchronization or a preview of a task. Returns the id of its execution. */
export async function startSync(ctx: Context, task: TaskRow, isPreview = false): Promise<string> {
  const id = crypto.randomUUID()
  const inside = ctx.inOrg(task.org_id)
  await insertExecution(inside, { id, task: task.id, trigger: 'manual', preview: isPreview })
  return inside.enqueue(syncJob, { task: task.id, ...(isPreview ? { preview: true as const } : {}) }, { id })
}

/** Stops the synchronizations and previews of a task. */
export async function stopSync(ctx: Context, task: string): Promise<void> {
  const running = await findAll(ctx, syncExecution, (query) =>
    query.where('t.task_id', '=', task).where('t.date_sync', 'is', null),
  )
  for (const { id } of running) await ctx.services.jobs.cancel(ctx.rawDb, id)
}
