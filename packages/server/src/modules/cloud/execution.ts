import { triggerModes } from '@castellan/contract/choices/accounts'
import { syncStatuses } from '@castellan/contract/choices/cloud'
import type { Message } from '@castellan/contract/messages'
import { executionReasons } from '@castellan/contract/messages/automations'
import { syncLogs } from '@castellan/contract/messages/cloud'
import { batches } from '../../db/batches.ts'
import type { Db } from '../../db/database.ts'
import {
  boolean,
  choice,
  computed,
  json,
  nullableDatetime,
  nullableText,
  one,
  rawChoice,
} from '../../kernel/fields/index.ts'
import { own } from '../../kernel/fields/safe-lookup.ts'
import type { JobEnd } from '../../kernel/jobs/ends.ts'
import type { JobState } from '../../kernel/jobs/states.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'
import { instanceStatus } from './instance.ts'

export const syncStatus = { failed: 0, success: 1, running: 2, stopped: 3 } as const

/** What a synchronization did, in numbers of instances. */
export interface SyncSummary {
  /** Added. */
  new: number
  /** Known and still there; `updated` are those of them whose asset changed. */
  sync: number
  updated: number
  unsync: number
  released: number
}

/** What a synchronization would do. */
export interface SyncPreview {
  summary: SyncSummary
  /** Some instances of each kind of change. */
  samples: readonly {
    change: 'new' | 'updated' | 'released' | 'unsync'
    region: string
    name: string
    address: string
    reason?: string
  }[]
  failures: readonly { region: string; reason: string }[]
}

const statusOf: Readonly<Record<JobState, number>> = {
  PENDING: syncStatus.running,
  RUNNING: syncStatus.running,
  SUCCESS: syncStatus.success,
  FAILURE: syncStatus.failed,
  LOST: syncStatus.failed,
  CANCELED: syncStatus.stopped,
}

const reasons: Readonly<Record<string, Message>> = {
  ...executionReasons,
  not_licensed: syncLogs.not_licensed,
  task_gone: syncLogs.task_gone,
  partly_failed: syncLogs.partly_failed,
}

const noSummary: SyncSummary = { new: 0, sync: 0, updated: 0, unsync: 0, released: 0 }

/** What executions have done so far. */
export async function summaries(db: Db, ids: readonly string[]): Promise<Map<string, SyncSummary>> {
  const found = new Map<string, SyncSummary>()
  for (const some of batches(ids))
    for (const row of await db
      .selectFrom('xpack_syncinstancedetail')
      .select((eb) => ['seen_in', 'status', 'change', eb.fn.countAll().as('count')])
      .where('seen_in', 'in', some)
      .groupBy(['seen_in', 'status', 'change'])
      .execute()) {
      const summary = found.get(row.seen_in) ?? { ...noSummary }
      const count = Number(row.count)
      const status = Number(row.status)
      if (status === instanceStatus.new) summary.new += count
      else if (status === instanceStatus.released) summary.released += count
      else if (status === instanceStatus.unsynced) summary.unsync += count
      else summary.sync += count
      if (row.change === 'updated') summary.updated += count
      found.set(row.seen_in, summary)
    }
  return found
}

/** A synchronization, or the preview of one. Its id is the task's in the log. */
export const syncExecution = defineResource({
  app: 'xpack',
  name: 'syncinstancetaskexecution',
  path: 'cloud/sync-instance-task-executions',
  scope: 'org',
  unlogged: true,
  verbs: ['list', 'retrieve'],
  bulk: false,
  imports: false,
  fields: {
    task: one('xpack.syncinstancetask', { readOnly: true, onDelete: 'cascade' }),
    trigger: choice(triggerModes, { readOnly: true, filter: true, order: false }),
    summary: computed('nested object', {
      noExport: true,
      load: async (ctx, rows) => {
        const running = await summaries(
          ctx.acrossOrganizations,
          rows.filter(({ counts }) => !counts).map(({ id }) => String(id)),
        )
        return ({ id, counts }) => counts ?? running.get(String(id)) ?? noSummary
      },
    }),
    status: { ...rawChoice(syncStatuses, { readOnly: true, filter: true, numeric: true }), order: false },
    reason: {
      ...nullableText({ readOnly: true, order: false }),
      wire: (value, ctx) => (value ? (own(reasons, String(value))?.[ctx.language] ?? value) : null),
    },
    date_start: nullableDatetime({ readOnly: true }),
    date_sync: nullableDatetime({ readOnly: true }),
    is_preview: boolean({ readOnly: true, filter: true }),
    preview: { ...json<SyncPreview | null>({ nullable: true, default: null, readOnly: true }), noExport: true },
  },
  columns: { counts: json<SyncSummary | null>({ nullable: true, default: null }) },
  indexes: [['task_id', 'date_created'], ['org_id', 'date_created'], ['date_created']],
  defaultOrder: ['-date_created'],
  hidden: (_ctx, verb) => (verb === 'list' ? ['preview'] : []),
  display: (row) => row.id,
})

export type ExecutionRow = Row<typeof syncExecution>

/** Records the end of a synchronization, in the transaction in which its job ends. */
export async function recordEnd(db: Db, { id, state, code, date }: JobEnd): Promise<void> {
  const row = await db
    .selectFrom('xpack_syncinstancetaskexecution')
    .select(['task_id', 'preview', 'is_preview'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return
  const preview: SyncPreview | null = typeof row.preview === 'string' ? JSON.parse(row.preview) : row.preview
  const counts = preview?.summary ?? (await summaries(db, [id])).get(id) ?? noSummary
  await db
    .updateTable('xpack_syncinstancetaskexecution')
    .set({
      status: statusOf[state],
      date_sync: date,
      counts: JSON.stringify(counts),
      ...(code ? { reason: code } : {}),
    })
    .where('id', '=', id)
    .execute()
  if (!row.is_preview)
    await db.updateTable('xpack_syncinstancetask').set({ date_last_sync: date }).where('id', '=', row.task_id).execute()
}
