import { jobStatuses } from '@castellan/contract/choices/ops'
import { errors } from '@castellan/contract/messages/errors'
import type { StoredRow } from '../../kernel/fields/field.ts'
import {
  choice,
  computed,
  datetime,
  json,
  normalUuid,
  nullableDatetime,
  one,
  secret,
  text,
} from '../../kernel/fields/index.ts'
import { invalid, text as say } from '../../kernel/module/errors.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'
import { creatorField, ownRows } from './owned.ts'
import type { Transfer } from './transfer/transfer.ts'

/** What an execution did to its hosts, in the form of the contract, by the names of hosts. */
export interface ExecutionSummary {
  ok: string[]
  skipped: string[]
  failures: Record<string, string>
  dark: Record<string, string>
  excludes: Record<string, string>
  /** Why the execution failed as a whole, or what went wrong beside its hosts. */
  error?: string
}

/** A job as it was when the execution was started. */
export interface JobSnapshot {
  readonly job: string
  readonly name: string
  readonly type: 'adhoc' | 'playbook'
  readonly module: string
  readonly args: string
  readonly playbook: string | null
  readonly runas: string
  readonly runas_policy: string
  readonly timeout: number
  readonly chdir: string
  /** What it moves instead of running a command. */
  readonly transfer?: Transfer
  /** The execution whose failed hosts are done again. */
  readonly retry_of?: string
  /** The tickets of its commands that have to be reviewed. */
  readonly reviews?: readonly string[]
}

const secondsOf = (row: StoredRow): number => {
  if (row.date_start === null || row.date_start === undefined) return 0
  const end = row.date_finished === null || row.date_finished === undefined ? Date.now() : Number(row.date_finished)
  return Math.max(0, (end - Number(row.date_start)) / 1000)
}

export const timeCost = computed('field', { answers: 'number', wire: (_value, _ctx, row) => secondsOf(row) })
export const isFinished = computed('field', {
  answers: 'boolean',
  wire: (_value, _ctx, row) => row.date_finished !== null && row.date_finished !== undefined,
})
export const isSuccess = computed('field', {
  answers: 'boolean',
  wire: (_value, _ctx, row) => row.status === 'success',
})
export const taskId = computed('string', {
  answers: 'string',
  wire: (_value, _ctx, row) => (row.date_start === null || row.date_start === undefined ? null : row.id),
})

/** A run of a job. Its id is that of its background task. */
export const jobExecution = defineResource({
  app: 'ops',
  name: 'jobexecution',
  path: 'job-executions',
  scope: 'org',
  idWritable: false,
  verbs: ['list', 'retrieve'],
  bulk: false,
  imports: 'ops.add_jobexecution',
  // It is a log itself.
  unlogged: true,
  fields: {
    task_id: taskId,
    timedelta: computed('field', {
      answers: 'string',
      wire: (_value, _ctx, row) => (row.date_start === null ? null : String(secondsOf(row))),
    }),
    time_cost: timeCost,
    is_finished: isFinished,
    is_success: isSuccess,
    job_type: { ...text({ readOnly: true }), type: 'field' as const, meta: () => ({ default: 'adhoc' }) },
    summary: json<ExecutionSummary | Record<string, never>>({ default: {}, readOnly: true }),
    material: { ...text({ max: 8192, readOnly: true }), type: 'field' as const, meta: () => ({}) },
    job: one('ops.job', { nullable: true, onDelete: 'set null' }),
    parameters: json({ default: {} }),
    creator: creatorField,
    date_start: nullableDatetime({ readOnly: true }),
    date_finished: nullableDatetime({ readOnly: true }),
    date_created: datetime({ readOnly: true }),
  },
  columns: {
    /** Stays when the user is gone. */
    creator_name: text({ max: 128 }),
    status: choice(jobStatuses, { default: 'running' }),
    snapshot: json<JobSnapshot>(),
    /** JSON of the parameters that are secret. */
    secret_parameters: secret({ nullable: true }),
  },
  indexes: [
    ['creator_id', 'org_id', 'date_created', 'id'],
    ['job_id', 'date_created'],
    ['org_id', 'date_start', 'id'],
    ['date_start', 'id'],
    ['date_created'],
  ],
  search: ['material'],
  defaultOrder: ['-date_created'],
  visible: ownRows,
  filters: {
    status: (_ctx, query, value) => query.where('t.status', '=', value),
    job_id: (_ctx, query, value) => {
      const id = normalUuid(value)
      if (!id) throw invalid({ job_id: [say(errors.not_a_uuid, { input: value })] })
      return query.where('t.job_id', '=', id)
    },
  },
  display: (row) => row.id,
})

export type ExecutionRow = Row<typeof jobExecution>
