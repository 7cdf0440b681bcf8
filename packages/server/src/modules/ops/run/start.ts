import { randomUUID } from 'node:crypto'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { NewItem } from '../../../kernel/jobs/item-rows.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, text } from '../../../kernel/module/errors.ts'
import { findById, insertRow } from '../../../kernel/resource/repository.ts'
import { organizationNames } from '../../../kernel/resource/standard-fields.ts'
import { demand } from '../../../kernel/security/permission.ts'
import { demandExecutionAllowed } from '../execution-allowed.ts'
import { type JobSnapshot, jobExecution } from '../job-execution.ts'
import type { JobRow } from '../job-fields.ts'
import { freeValues, parameterDefinitions, parameterValues, sentParameters } from '../parameters.ts'
import { playbook } from '../playbook.ts'
import { materialOf as materialOfTransfer } from '../transfer/transfer.ts'
import { runJob } from './kinds.ts'
import { commandText } from './operation.ts'

/** Characters of the command that lists show. */
const longestMaterial = 8192

const hidden = '******'

export const snapshotOf = (row: JobRow): JobSnapshot => ({
  job: row.id,
  name: row.name,
  type: row.type,
  module: row.transfer?.direction ?? row.module ?? 'shell',
  args: row.args ?? '',
  playbook: row.playbook_id,
  runas: row.runas,
  runas_policy: row.runas_policy,
  timeout: Number(row.timeout),
  chdir: row.chdir ?? '',
  ...(row.transfer ? { transfer: row.transfer } : {}),
})

async function materialOf(ctx: Context, row: JobRow, shown: Readonly<Record<string, string>>): Promise<string> {
  if (row.transfer) return materialOfTransfer(row.transfer).slice(0, longestMaterial)
  const snapshot = snapshotOf(row)
  if (row.type === 'adhoc') return `${snapshot.module}:${commandText(snapshot, shown)}`.slice(0, longestMaterial)
  const own = row.playbook_id ? await findById(ctx, playbook, row.playbook_id) : undefined
  const org = (await organizationNames(ctx)).get(row.org_id)
  return [org, ctx.me.name, own?.name].map((name) => name ?? '-').join(':')
}

const problems = {
  missing: opsMessages.parameter_missing,
  not_offered: opsMessages.parameter_not_offered,
  too_long: opsMessages.parameter_too_long,
} as const

/** The values with which a job is started: those of its parameters, or what the caller sent as variables. */
function valuesFor(row: JobRow, sent: unknown): { values: Record<string, string>; secrets: string[] } {
  const given = sentParameters(sent)
  const definitions = row.use_parameter_define ? parameterDefinitions(row.parameters_define) : {}
  const isDefined = typeof definitions !== 'string' && Object.keys(definitions).length > 0
  const { values, secrets, problem } = isDefined
    ? parameterValues(definitions, given)
    : { ...freeValues(given), secrets: [] }
  if (problem) throw invalid({ parameters: [text(problems[problem.kind], { name: problem.label })] })
  return { values, secrets }
}

/** Records an execution of a job. */
export async function recordExecution(
  ctx: Context,
  row: JobRow,
  id: string,
  more: { parameters?: unknown; retryOf?: string } = {},
): Promise<void> {
  const { values, secrets } = valuesFor(row, more.parameters)
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secrets.includes(name) ? hidden : value]),
  )
  const sealed = Object.fromEntries(secrets.map((name) => [name, values[name] ?? '']))
  await insertRow(ctx, jobExecution, {
    id,
    job_id: row.id,
    parameters: shown,
    job_type: row.transfer?.direction ?? row.type,
    material: await materialOf(ctx, row, shown),
    status: 'running',
    summary: {},
    snapshot: { ...snapshotOf(row), ...(more.retryOf ? { retry_of: more.retryOf } : {}) },
    secret_parameters: secrets.length > 0 ? JSON.stringify(sealed) : null,
    creator_id: ctx.me.id,
    creator_name: ctx.me.name.slice(0, 128),
  })
  await ctx.acrossOrganizations
    .updateTable('ops_job')
    .set((eb) => ({ runs_total: eb('runs_total', '+', 1), date_last_run: ctx.now }))
    .where('id', '=', row.id)
    .execute()
}

/**
 * Starts a job now, in the transaction of the call.
 * @returns the id of the execution, which is that of its background task
 */
export async function startExecution(
  ctx: Context,
  row: JobRow,
  { parameters, items, retryOf }: { parameters?: unknown; items?: readonly NewItem[]; retryOf?: string },
): Promise<string> {
  demandExecutionAllowed(ctx)
  // Also where saving a job starts it.
  demand(ctx, 'ops.add_jobexecution')
  const id = randomUUID()
  const inOrg = ctx.inOrg(row.org_id)
  await recordExecution(inOrg, row, id, { parameters, ...(retryOf ? { retryOf } : {}) })
  await inOrg.enqueue(runJob, { job: row.id }, { id, ...(items ? { items } : {}) })
  return id
}
