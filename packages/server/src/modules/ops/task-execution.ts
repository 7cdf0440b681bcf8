import type { Catalogue } from '@castellan/contract/messages'
import { tasksMessages } from '@castellan/contract/messages/tasks'
import type { StoredRow } from '../../kernel/fields/field.ts'
import { computed, nullableDatetime, text } from '../../kernel/fields/index.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { isFinal } from '../../kernel/jobs/states.ts'
import type { JobRow } from '../../kernel/jobs/tables.ts'
import type { Context } from '../../kernel/module/context.ts'
import { defineResource } from '../../kernel/resource/resource.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'

/** The title of a kind of task in the caller's language, or its name. */
export const titleOf = (ctx: Context, name: string): string =>
  (tasksMessages as Catalogue)[name]?.[ctx.language] ?? name

/** v3 clients have no LOST state: they see a failure, and the log has the reason. */
export const wireState = (job: Pick<JobRow, 'state'>): string => (job.state === 'LOST' ? 'FAILURE' : job.state)

const secondsOf = ({ date_start, date_finished }: StoredRow): number | null =>
  date_start === null || date_finished === null ? null : (Number(date_finished) - Number(date_start)) / 1000

/** Clients of the contract read that it is demanded, though nobody sends it. */
const demanded = () => ({ required: true, read_only: false })

/** Runs of background tasks as lists show them, without address of its own: routes list those that a caller may see. */
export const taskExecution = defineResource({
  app: 'ops',
  name: 'celerytaskexecution',
  path: 'task-executions',
  table: 'kernel_job',
  shares: 'ops.celerytaskexecution',
  scope: 'global',
  bare: true,
  unlogged: true,
  verbs: [],
  bulk: false,
  fields: {
    id: { ...text({ readOnly: true }), order: false },
    name: { ...text({ readOnly: true }), order: true, meta: () => ({ ...demanded(), max_length: 1024 }) },
    task_name: computed('field', { wire: (_value, ctx, row) => titleOf(ctx, String(row.name)) }),
    args: computed('json', { wire: () => [], meta: demanded }),
    kwargs: computed('json', { wire: () => ({}), meta: demanded }),
    time_cost: computed('field', { wire: (_value, _ctx, row) => secondsOf(row) }),
    timedelta: computed('field', {
      wire: (_value, _ctx, row) => (secondsOf(row) === null ? null : String(secondsOf(row))),
    }),
    state: {
      ...computed('string', { wire: (_value, _ctx, row) => wireState(row as unknown as JobRow) }),
      undescribed: true,
    },
    is_success: computed('boolean', { wire: (_value, _ctx, row) => row.state === 'SUCCESS' }),
    is_finished: computed('boolean', { wire: (_value, _ctx, row) => isFinal(String(row.state)) }),
    date_published: computed('datetime', {
      wire: (_value, ctx, row) => formatTimestamp(Number(row.date_created), ctx.zone),
    }),
    date_start: nullableDatetime({ readOnly: true }),
    date_finished: nullableDatetime({ readOnly: true }),
  },
  columns: { state: text(), date_created: nullableDatetime() },
  described: {
    is_finished: { read_only: false },
    date_start: { read_only: false },
    date_finished: { read_only: false },
  },
  search: ['t.name'],
  defaultOrder: ['-date_created'],
})

/** A run of a task as lists and its own address show it. */
export const executionOf = (ctx: Context, job: JobRow): Promise<unknown> =>
  serializeOne(ctx, taskExecution, taskExecution.decode(job as unknown as StoredRow) as never)
