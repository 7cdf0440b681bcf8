import { randomBytes } from 'node:crypto'
import { errors } from '@castellan/contract/messages/errors'
import { opsMessages } from '@castellan/contract/messages/ops'
import { booleanOf } from '@castellan/contract/truth'
import type { StoredRow } from '../../kernel/fields/field.ts'
import { isObject } from '../../kernel/fields/safe-lookup.ts'
import { checkPeriodic } from '../../kernel/jobs/periodic-fields.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, notFound, text as say } from '../../kernel/module/errors.ts'
import { type ChangeOf, defineResource } from '../../kernel/resource/resource.ts'
import { grantedAssetsIn } from '../perms/index.ts'
import { demandExecutionAllowed } from './execution-allowed.ts'
import { jobColumns, jobFields } from './job-fields.ts'
import { ownRows, takeOwnership } from './owned.ts'
import { storeJobSchedule } from './run/schedule.ts'
import { startExecution } from './run/start.ts'

type JobChange = ChangeOf<typeof jobFields, typeof jobColumns>

/** Nodes in a body name assets now: what is granted in them later does not belong to the job. */
async function withNodes(ctx: Context, input: StoredRow): Promise<StoredRow> {
  const nodes = Array.isArray(input.nodes) ? input.nodes.filter((one) => typeof one === 'string') : []
  if (nodes.length === 0) return input
  const sent = Array.isArray(input.assets) ? input.assets : []
  return { ...input, assets: [...new Set([...sent, ...(await grantedAssetsIn(ctx, ctx.me, nodes))])] }
}

/** What only matters when the rest of the body is valid, as in the contract. */
function demandComplete(changes: readonly JobChange[]): void {
  for (const { row, input, mode } of changes) {
    if (!row.name) throw invalid({ name: [say(errors.required)] })
    if (mode === 'create' && input.assets === undefined) throw invalid({ assets: [say(errors.required)] })
    if (row.type === 'playbook' && !row.playbook_id) throw invalid({ playbook: [say(errors.required)] })
  }
}

/** A command or a playbook of a user, on some assets. Instant ones run once, and no list shows them. */
export const job = defineResource({
  app: 'ops',
  name: 'job',
  path: 'jobs',
  scope: 'org',
  idWritable: false,
  fields: jobFields,
  columns: jobColumns,
  fieldOrder: [
    ...(['id', 'average_time_cost', 'name', 'type', 'module', 'args', 'playbook', 'assets', 'runas_policy'] as const),
    ...(['runas', 'parameters_define', 'timeout', 'chdir', 'comment', 'summary', 'interval', 'crontab'] as const),
  ],
  unique: [['org_id', 'creator_id', 'name']],
  indexes: [['creator_id', 'date_created'], ['playbook_id']],
  search: ['name', 'comment'],
  defaultOrder: ['date_created'],
  visible(ctx, query) {
    if (ctx.caller) demandExecutionAllowed(ctx)
    return ownRows(ctx, query)
  },
  listed: (_ctx, query) => query.where('t.instant', '=', false),
  guard(_ctx, row, verb) {
    if (row.instant && (verb === 'update' || verb === 'delete')) throw notFound(opsMessages.job)
  },
  async describing(ctx, params) {
    demandExecutionAllowed(ctx)
    return params
  },
  async answer(ctx, row, body) {
    const isAsked = isObject(body) && booleanOf(String(body.run_after_save ?? '')) === true
    return row.instant || isAsked ? { task_id: await startExecution(ctx, row, {}) } : undefined
  },
  hooks: {
    async prepare(ctx, input, { mode }) {
      demandExecutionAllowed(ctx)
      if (mode === 'update') return input
      const isInstant = booleanOf(input.instant) === true
      const instant = { name: `job-${randomBytes(6).toString('hex')}`, is_periodic: false }
      return withNodes(ctx, isInstant ? { ...input, ...instant } : input)
    },
    validate(ctx, changes, problem) {
      takeOwnership(ctx, changes)
      checkPeriodic(changes, problem)
    },
    beforeSave: (_ctx, changes) => demandComplete(changes),
    afterSave: (ctx, changes) =>
      storeJobSchedule(
        ctx,
        changes.map(({ row }) => row),
      ),
  },
})
