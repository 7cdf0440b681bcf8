import { type Change, linksOf } from '../../kernel/fields/index.ts'
import { checkPeriodic, type OwnerRow, storeSchedules } from '../../kernel/jobs/periodic-fields.ts'
import type { Context } from '../../kernel/module/context.ts'
import { defineResource, type Resource } from '../../kernel/resource/resource.ts'
import { accountPort, confirmDecisions, noteDecision } from '../assets/index.ts'
import { assetsOfTasks } from './instance.ts'
import { partsOf, strategyAction, taskStrategies } from './strategy.ts'
import { demandTemplates, type StrategyAction } from './strategy-parts.ts'
import { type SyncPayload, stopSync, syncJob } from './sync/job.ts'
import { type TaskRow, taskFields } from './task-fields.ts'

/** Which regions of an account are synchronized, how, and when. */
export const syncTask = defineResource({
  app: 'xpack',
  name: 'syncinstancetask',
  path: 'cloud/sync-instance-tasks',
  scope: 'org',
  imports: false,
  fields: taskFields,
  indexes: [['account_id']],
  unique: [['org_id', 'name']],
  search: ['name', 'comment'],
  defaultOrder: ['name'],
  hooks: {
    async validate(ctx, changes, problem) {
      checkPeriodic(changes as readonly Change<object>[] as readonly Change<OwnerRow>[], problem)
      await demandRights(ctx, changes as unknown as readonly Change<TaskRow>[])
    },
    async afterSave(ctx, changes) {
      const made = changes.flatMap(({ mode, row }) => (mode === 'create' ? [row.id] : []))
      await noteDecision(ctx, made, 'destination')
      const saved = changes as readonly Change<object>[] as readonly Change<OwnerRow>[]
      await storeSchedules(ctx, 'xpack.syncinstancetask', saved, syncJob, (id): SyncPayload => ({ task: id }))
    },
    /** Stops what is under way for them. */
    async beforeDelete(ctx, rows) {
      for (const { id } of rows) await stopSync(ctx, id)
    },
  },
})

/** Changes of what decides about the addresses and networks of assets that a task has made. */
const redirecting = ['account_id', 'sync_ip_type', 'ip_network_segment_group', 'regions', 'is_always_update'] as const

/**
 * A task decides where secrets of its assets are sent, and who gets those of templates. Throws 403 as for a change of
 * the assets, or for accounts from a template.
 */
async function demandRights(ctx: Context, changes: readonly Change<TaskRow>[]): Promise<void> {
  const moved = changes.filter(
    ({ before, row, values }) =>
      before &&
      (values.strategy !== undefined ||
        redirecting.some((column) => JSON.stringify(before[column]) !== JSON.stringify(row[column]))),
  )
  if (moved.length > 0) {
    const tasks = moved.map(({ row }) => row.id)
    await accountPort.use.demandRedirect(ctx, await assetsOfTasks(ctx, { tasks }))
    await noteDecision(ctx, tasks, 'destination')
  }
  // A further task of an account decides about the machines that its other tasks have found.
  const accounts = changes.flatMap(({ before, row }) => (before ? [] : [row.account_id]))
  if (accounts.length > 0) await accountPort.use.demandRedirect(ctx, await assetsOfTasks(ctx, { accounts }))
  const saved = changes.flatMap(({ before, values }) => (before && values.account !== undefined ? [before.id] : []))
  await confirmDecisions(ctx, saved, 'destination')
  // Strategies that are kept count as well: whoever chooses the machines chooses who gets the secrets.
  const kept = await linksOf(
    ctx,
    { table: taskStrategies, from: 'syncinstancetask_id', to: 'strategy_id' },
    changes.flatMap(({ before }) => before?.id ?? []),
  )
  const chosen = changes.flatMap(({ values }) => (values.strategy as string[] | undefined) ?? [])
  const parts = await partsOf(ctx, strategyAction as Resource, [...chosen, ...kept.map((link) => link.strategy_id)])
  demandTemplates(ctx, [...parts.values()].flat() as unknown as readonly StrategyAction[])
}
