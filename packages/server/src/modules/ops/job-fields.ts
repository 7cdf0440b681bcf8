import { jobModules, jobTypes, runasPolicies } from '@castellan/contract/choices/ops'
import { opsMessages } from '@castellan/contract/messages/ops'
import {
  boolean,
  choice,
  computed,
  datetime,
  float,
  integer,
  json,
  many,
  nullableDatetime,
  one,
  stringList,
  text,
  unstored,
} from '../../kernel/fields/index.ts'
import { periodicFields } from '../../kernel/jobs/periodic-fields.ts'
import { reject } from '../../kernel/module/errors.ts'
import type { RowOf } from '../../kernel/resource/row-types.ts'
import { creatorField } from './owned.ts'
import { type ParameterDefinitions, parameterDefinitions } from './parameters.ts'
import type { Transfer } from './transfer/transfer.ts'

export const jobAssets = { through: 'ops_job_assets', from: 'job_id', to: 'asset_id' } as const

/** Bounds of the contract's integers, although only positive timeouts mean something. */
const integers = { max: 2_147_483_647, min: -2_147_483_648 }

const { periodic_display: _display, ...periodic } = periodicFields

const definitions = json<ParameterDefinitions | string>({ default: {} })

export const jobFields = {
  name: text({ max: 128 }),
  instant: boolean({ default: false }),
  type: choice(jobTypes, { default: 'adhoc' }),
  module: choice(jobModules, { default: 'shell', nullable: true }),
  args: text({ max: 8192, nullable: true, blank: true, verbatim: true, default: '' }),
  playbook: one('ops.playbook', { nullable: true, onDelete: 'restrict' }),
  assets: {
    ...many('assets.asset', { ...jobAssets, plain: true, onDelete: 'cascade' }),
    type: 'field' as const,
  },
  nodes: {
    ...unstored(stringList({ writeOnly: true, nullable: true, max: 64, maxItems: 10_000 })),
    type: 'list' as const,
    noExport: true,
    meta: () => ({ write_only: false, child: { type: 'string', required: true } }),
  },
  runas_policy: choice(runasPolicies, { default: 'skip' }),
  runas: text({ max: 128, default: 'root' }),
  creator: creatorField,
  use_parameter_define: boolean({ default: false }),
  parameters_define: {
    ...definitions,
    // The console sends the definitions as text, and reads them as it sent them.
    parse: (input: unknown) => {
      const problem = parameterDefinitions(input)
      return typeof problem === 'string' ? reject(opsMessages.parameters_wrong, { reason: problem }) : input
    },
  },
  timeout: integer({ ...integers, default: -1 }),
  chdir: text({ max: 1024, nullable: true, default: '' }),
  comment: text({ max: 1024, nullable: true, default: '' }),
  ...periodic,
  run_after_save: unstored(boolean({ default: false }), { wire: () => false, order: false, noExport: true }),
  summary: computed('field', {
    wire: (_value, _ctx, row) => ({ total: Number(row.runs_total ?? 0), success: Number(row.runs_success ?? 0) }),
  }),
  average_time_cost: computed('field', {
    wire: (_value, _ctx, row) => (row.runs_timed ? Number(row.runs_seconds) / Number(row.runs_timed) : 0),
  }),
  date_last_run: { ...nullableDatetime({ readOnly: true }), order: false },
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

/** Totals of a job's executions, so that lists need not count them. */
export const jobColumns = {
  /** Files that it moves instead of running a command. */
  transfer: json<Transfer | null>({ nullable: true }),
  runs_total: integer({ default: 0 }),
  runs_success: integer({ default: 0 }),
  /** Executions that ended by themselves, and how long they took together. */
  runs_timed: integer({ default: 0 }),
  runs_seconds: float({ default: 0 }),
}

export type JobRow = RowOf<typeof jobFields, typeof jobColumns>
