import { instanceStatuses } from '@castellan/contract/choices/cloud'
import { batches } from '../../db/batches.ts'
import { datetime, json, nullableText, one, rawChoice, text, uuid } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'

export const instanceStatus = { unsynced: 0, new: 1, synced: 2, released: 3 } as const

/** A machine that a task has seen, with the asset it became. It remains when the machine or the asset is gone. */
export const instance = defineResource({
  app: 'xpack',
  name: 'syncinstancedetail',
  path: 'cloud/sync-instance-details',
  scope: 'org',
  unlogged: true,
  verbs: ['list', 'retrieve'],
  bulk: false,
  imports: false,
  fields: {
    task: one('xpack.syncinstancetask', { readOnly: true, onDelete: 'cascade' }),
    instance_id: text({ max: 256, readOnly: true, filter: true }),
    instance_name: text({ max: 128, readOnly: true }),
    asset: one('assets.asset', { nullable: true, readOnly: true }),
    asset_ip: text({ max: 128, readOnly: true, filter: true }),
    region: text({ max: 128, readOnly: true, filter: true }),
    status: { ...rawChoice(instanceStatuses, { readOnly: true, filter: true, numeric: true }), order: true },
    reason: nullableText({ readOnly: true }),
    date_sync: datetime({ readOnly: true, order: true }),
  },
  columns: {
    /** The execution that saw or released it last, and what that changed. */
    seen_in: uuid(),
    change: nullableText(),
    /** What strategies have set for the asset, so that the next synchronization can compare. */
    applied: json<Readonly<Record<string, unknown>> | null>({ nullable: true, default: null }),
  },
  unique: [['task_id', 'region', 'instance_id']],
  indexes: [['task_id', 'status'], ['seen_in', 'status'], ['asset_id'], ['org_id', 'date_sync']],
  search: ['instance_id', 'instance_name', 'asset_ip'],
  defaultOrder: ['-date_sync', 'instance_name'],
  display: (row) => `${row.instance_name}(${row.asset_ip})`,
})

export type InstanceRow = Row<typeof instance>

/** The assets of tasks, or of all tasks of accounts. */
export async function assetsOfTasks(
  ctx: Context,
  of: { tasks: readonly string[] } | { accounts: readonly string[] },
): Promise<string[]> {
  const ids: string[] = []
  const [column, values] = 'tasks' in of ? (['d.task_id', of.tasks] as const) : (['k.account_id', of.accounts] as const)
  for (const some of batches(values))
    for (const { asset_id } of await ctx.acrossOrganizations
      .selectFrom('xpack_syncinstancedetail as d')
      .innerJoin('xpack_syncinstancetask as k', 'k.id', 'd.task_id')
      .select('d.asset_id')
      .where(column, 'in', some)
      .where('d.asset_id', 'is not', null)
      .execute())
      ids.push(asset_id)
  return ids
}
