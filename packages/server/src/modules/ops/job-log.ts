import { datetime, nullableDatetime, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource/resource.ts'
import { isFinished, isSuccess, taskId, timeCost } from './job-execution.ts'

/** The executions of all users, for auditors. */
export const jobLog = defineResource({
  app: 'audits',
  name: 'joblog',
  path: 'job-logs',
  table: 'ops_jobexecution',
  shares: 'audits.joblog',
  scope: 'org',
  verbs: ['list', 'retrieve'],
  bulk: false,
  imports: false,
  idWritable: false,
  unlogged: true,
  fields: {
    material: { ...text({ readOnly: true, filter: true }), type: 'field' as const, meta: () => ({}) },
    time_cost: timeCost,
    is_finished: isFinished,
    is_success: isSuccess,
    task_id: taskId,
    creator_name: { ...text({ readOnly: true }), type: 'field' as const, order: false, meta: () => ({}) },
    date_start: nullableDatetime({ readOnly: true }),
    date_finished: nullableDatetime({ readOnly: true }),
    date_created: datetime({ readOnly: true }),
  },
  dateRange: 'date_start',
  defaultOrder: ['-date_start'],
  search: ['creator_name', 'material'],
  filters: { creator__name: (_ctx, query, value) => query.where('t.creator_name', '=', value) },
})
