import { triggerModes } from '@castellan/contract/choices/accounts'
import { executionReasons } from '@castellan/contract/messages/automations'
import { errors } from '@castellan/contract/messages/errors'
import type { Db } from '../../../db/database.ts'
import {
  boolean,
  choice,
  computed,
  json,
  normalUuid,
  nullableDatetime,
  nullableText,
  one,
  text,
  uuid,
} from '../../../kernel/fields/index.ts'
import { own } from '../../../kernel/fields/safe-lookup.ts'
import type { JobEnd } from '../../../kernel/jobs/ends.ts'
import { listItems } from '../../../kernel/jobs/item-rows.ts'
import { invalid, text as say } from '../../../kernel/module/errors.ts'
import { defineResource, type ListQuery } from '../../../kernel/resource/resource.ts'

/** Those who were to receive a part when the execution started: `[name, has a file password]`, `[name, type]`. */
export type SnapshotPart = Readonly<Record<string, readonly [string, boolean | string]>>

/** A plan as it was at the start of an execution, without its password. */
export interface BackupSnapshot {
  readonly name: string
  readonly types: readonly string[]
  readonly backup_type: 'email' | 'object_storage'
  readonly recipients_part_one: SnapshotPart
  readonly recipients_part_two: SnapshotPart
  readonly obj_recipients_part_one: SnapshotPart
  readonly obj_recipients_part_two: SnapshotPart
  readonly [more: string]: unknown
}

const nameOfPlan = 'p.name'

/** What was backed up when, and whether everybody received it. Its id is that of the task. */
export const backupExecution = defineResource({
  app: 'accounts',
  name: 'accountbackupexecution',
  path: 'account-backup-plan-executions',
  scope: 'org',
  orgFields: false,
  // It is a log itself, and stays when its organization is deleted.
  unlogged: true,
  verbs: ['list', 'retrieve'],
  bulk: false,
  fieldOrder: 'declared',
  idWritable: false,
  fields: {
    date_start: { ...nullableDatetime({ readOnly: true }), order: false },
    /** Seconds. */
    timedelta: computed('float', {
      wire: (_value, _ctx, row: { date_start: number | null; date_finished: number | null }) =>
        row.date_start === null ? 0 : ((row.date_finished ?? Date.now()) - row.date_start) / 1000,
    }),
    snapshot: json<BackupSnapshot>({ readOnly: true }),
    trigger: choice(triggerModes, { readOnly: true, filter: true, order: false }),
    reason: {
      ...text({ readOnly: true }),
      order: false,
      wire: (value, ctx, row: { code?: string | null }) => {
        const early = own(executionReasons, String(row.code ?? ''))?.[ctx.language] ?? row.code
        return [early, value].filter(Boolean).join(' ')
      },
    },
    is_success: { ...boolean({ readOnly: true, default: false }), order: false },
    org_id: { ...uuid({ readOnly: true, nullable: false }), order: false },
    plan: {
      ...one('accounts.accountbackupautomation', { required: true, nullable: true, onDelete: 'set null' }),
      type: 'field' as const,
      readOnly: false,
      load: async () => (row: { plan_id?: unknown }) => row.plan_id ?? null,
      meta: () => ({}),
    },
  },
  columns: {
    date_finished: nullableDatetime(),
    /** What ended it early. */
    code: nullableText(),
  },
  indexes: [['org_id', 'date_created'], ['plan_id']],
  // Executions have no date before they start, but an order.
  defaultOrder: ['-date_created'],
  search: ['t.trigger', nameOfPlan],
  visible: (_ctx, query) =>
    query.leftJoin('accounts_accountbackupautomation as p', 'p.id', 't.plan_id') as unknown as ListQuery,
  filters: {
    plan__name: (_ctx, query, value) => query.where(nameOfPlan as 't.name', '=', value),
    plan_id: (_ctx, query, value) => {
      const id = normalUuid(value)
      if (!id) throw invalid({ plan_id: [say(errors.not_a_uuid, { input: value })] })
      return query.where('t.plan_id', '=', id)
    },
  },
  display: (row) => String(row.snapshot?.name ?? row.id),
})

/** Characters of a reason. */
const longestReason = 1024

/** Records the end of an execution, whatever ended it: a success only if every recipient was reached. */
export async function recordBackupEnd(db: Db, { id, state, code, date }: JobEnd): Promise<void> {
  const row = await db.selectFrom(backupExecution.table).select('reason').where('id', '=', id).executeTakeFirst()
  const failed = (await listItems(db, id, { from: 0, limit: 1000 })).filter((item) => item.state !== 'SUCCESS')
  const named = failed.map(({ target_label, error, state: how }) => `${target_label}: ${error ?? how}`)
  const reasons = [String(row?.reason ?? ''), ...named].filter(Boolean)
  const early = state === 'SUCCESS' ? null : (code ?? 'failed')
  const isSuccess = reasons.length === 0 && !early
  await db
    .updateTable(backupExecution.table)
    .set({
      is_success: isSuccess,
      reason: isSuccess ? '-' : [...reasons.join('; ')].slice(0, longestReason).join(''),
      code: early,
      date_finished: date,
    })
    .where('id', '=', id)
    .execute()
}
