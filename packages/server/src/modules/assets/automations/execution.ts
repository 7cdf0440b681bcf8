import { type executionStatuses, triggerModes } from '@castellan/contract/choices/accounts'
import { executionReasons } from '@castellan/contract/messages/automations'
import { errors } from '@castellan/contract/messages/errors'
import type { Db } from '../../../db/database.ts'
import {
  choice,
  computed,
  type Field,
  json,
  normalUuid,
  nullableDatetime,
  nullableText,
  one,
  text,
} from '../../../kernel/fields/index.ts'
import { own } from '../../../kernel/fields/safe-lookup.ts'
import type { JobEnd } from '../../../kernel/jobs/ends.ts'
import { itemCounts } from '../../../kernel/jobs/item-rows.ts'
import type { ItemState, JobState } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, text as say } from '../../../kernel/module/errors.ts'
import { defineResource, type ListQuery, type Resource } from '../../../kernel/resource/resource.ts'

export type ExecutionStatus = keyof typeof executionStatuses

/** Parameters of an execution at its start. The automation may change or be deleted afterwards. */
export interface Snapshot {
  readonly type: string
  readonly name: string
  readonly comment: string
  readonly accounts: readonly string[]
  readonly nodes: readonly string[]
  readonly assets: readonly string[]
  /** Users who receive its report: the name, and whether files could be encrypted for them; by id. */
  readonly recipients?: Readonly<Record<string, readonly [string, boolean]>>
  /** The execution whose failed items are done again. */
  readonly retry_of?: string
  readonly [extra: string]: unknown
}

type Counts = Partial<Record<ItemState, number>>

/** The wire's word for a state of an execution. A lost one has failed, and its reason says how. */
const statusOf: Readonly<Record<JobState, ExecutionStatus>> = {
  PENDING: 'pending',
  RUNNING: 'running',
  SUCCESS: 'success',
  FAILURE: 'failed',
  LOST: 'failed',
  CANCELED: 'canceled',
}

const undescribed = <F extends Field>(field: F): F => ({ ...field, undescribed: true, noExport: true })

/** How far an execution is, and why it ended early or had nothing to do. */
const summaryField = undescribed(
  computed('nested object', {
    load: async (ctx, rows) => {
      const running = await itemCounts(
        ctx.rawDb,
        rows.filter(({ date_finished }) => date_finished === null).map(({ id }) => String(id)),
      )
      return (row) => {
        const counts = (row.counts as Counts | null) ?? running.get(String(row.id)) ?? {}
        const of = (state: ItemState) => counts[state] ?? 0
        const reason = own(executionReasons, String(row.reason ?? ''))
        return {
          total: Object.values(counts).reduce((sum, count) => sum + count, 0),
          success: of('SUCCESS'),
          failed: of('FAILURE'),
          skipped: of('SKIPPED'),
          canceled: of('CANCELED'),
          lost: of('LOST'),
          reason: row.reason ? { value: row.reason, label: reason?.[ctx.language] ?? row.reason } : null,
        }
      }
    },
  }),
)

/** A column of the joined automation. */
const nameOfAutomation = 'a.name'

/** The resource of an automation's executions: what was started, by whom, and how it ended. Its id is the task's. */
export function executionResource(declaration: {
  app: string
  name: string
  path: string
  automation: Resource
  types: Readonly<Record<string, Readonly<Record<'en' | 'zh' | 'ja', string>>>>
}) {
  const { app, name, path, automation, types } = declaration
  const snapshotOf = (snapshot: Snapshot, ctx: Context) => ({
    type: { value: snapshot.type, label: own(types, snapshot.type)?.[ctx.language] ?? snapshot.type },
    name: snapshot.name,
    comment: snapshot.comment,
    accounts: snapshot.accounts,
    node_amount: snapshot.nodes.length,
    asset_amount: snapshot.assets.length,
    ...(snapshot.recipients ? { recipients: snapshot.recipients } : {}),
  })
  return defineResource({
    app,
    name,
    path,
    scope: 'org',
    orgFields: false,
    // It is a log itself, and stays when its organization is deleted.
    unlogged: true,
    verbs: ['list', 'retrieve'],
    bulk: false,
    fieldOrder: 'declared',
    fields: {
      automation: {
        ...one(automation.key as `${string}.${string}`, { nullable: true, onDelete: 'set null' }),
        type: 'field' as const,
        load: async () => (row: { automation_id?: unknown }) => row.automation_id ?? null,
        meta: () => ({}),
      },
      trigger: choice(triggerModes, { readOnly: true, filter: true, order: false }),
      date_start: { ...nullableDatetime({ readOnly: true }), order: false },
      date_finished: { ...nullableDatetime({ readOnly: true }), order: false },
      snapshot: {
        ...json<Snapshot>({ readOnly: true }),
        type: 'field' as const,
        wire: (value: unknown, ctx: Context) => snapshotOf(value as Snapshot, ctx),
      },
      status: { ...text({ readOnly: true }), order: false },
      summary: summaryField,
      created_by: undescribed(nullableText({ readOnly: true, order: false })),
    },
    columns: {
      reason: nullableText(),
      counts: json<Counts | null>({ nullable: true, default: null }),
      /** When the report was sent, so that it is sent once. */
      date_reported: nullableDatetime(),
    },
    indexes: [['org_id', 'date_created'], ['automation_id']],
    // Executions have no date before they start, but an order.
    defaultOrder: ['-date_created'],
    search: ['t.trigger', nameOfAutomation],
    visible: (_ctx, query) =>
      query.leftJoin(`${automation.table} as a`, 'a.id', 't.automation_id') as unknown as ListQuery,
    filters: {
      automation__name: (_ctx, query, value) => query.where(nameOfAutomation as 't.name', '=', value),
      automation_id: (_ctx, query, value) => {
        const id = normalUuid(value)
        if (!id) throw invalid({ automation_id: [say(errors.not_a_uuid, { input: value })] })
        return query.where('t.automation_id', '=', id)
      },
    },
    display: (row) => String(row.snapshot?.name ?? row.id),
  })
}

/** Records that an execution began; a further attempt began before. */
export async function recordStart(db: Db, execution: Resource, id: string): Promise<void> {
  await db
    .updateTable(execution.table)
    .set({ status: 'running', date_start: Date.now() })
    .where('id', '=', id)
    .where('date_start', 'is', null)
    .execute()
}

/** Records the end of an execution; for `ended` of its kind of job. What the run itself gave as reason stays. */
export async function recordEnd(db: Db, execution: Resource, { id, state, code, date }: JobEnd): Promise<void> {
  const counts = (await itemCounts(db, [id])).get(id) ?? {}
  await db
    .updateTable(execution.table)
    .set({
      status: statusOf[state],
      date_finished: date,
      counts: JSON.stringify(counts),
      ...(code ? { reason: code } : {}),
    })
    .where('id', '=', id)
    .execute()
}
