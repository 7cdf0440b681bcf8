import type { Message } from '@castellan/contract/messages'
import type { PermissionCode } from '@castellan/contract/permissions'
import { type Change, linksOf } from '../../../kernel/fields/index.ts'
import type { Route } from '../../../kernel/http/route.ts'
import type { JobKind } from '../../../kernel/jobs/kinds.ts'
import { checkPeriodic, type OwnerRow, storeSchedules } from '../../../kernel/jobs/periodic-fields.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { insertRow } from '../../../kernel/resource/repository.ts'
import { defineResource, type Fields, type Hooks, type Resource } from '../../../kernel/resource/resource.ts'
import { siteUrl } from '../../settings/index.ts'
import { automationFields, paramsField, planOrder } from './automation-fields.ts'
import { executionResource, type Snapshot } from './execution.ts'
import { executionRoutes, type StartExecution } from './execution-routes.ts'
import { recipientLinks, recipientsField, recipientUsers } from './recipients.ts'
import { type AutomationRow, type AutomationTask, type AutomationWork, assetsOf, automationJob } from './run.ts'
import { targetRoutes } from './target-routes.ts'
import type { AssetPayload, TargetAsset } from './targets.ts'

export interface AutomationDeclaration<P extends AssetPayload, C> extends AutomationWork<P, C> {
  /** The value of `type` on the wire. */
  type: string
  /** Labels of types in snapshots. */
  types: Readonly<Record<string, Message>>
  app: string
  /** The model of the automation, as in permission codes, and its collection. */
  name: string
  path: string
  /** The model of its executions, and their collection. */
  executions: { name: string; path: string }
  /** Where its assets and nodes are added and removed: `/api/v1/<app>/<targets>/{id}/assets/` and others. */
  targets: string
  /** The page of an execution in the console, with `:id`. */
  page: string
  /** Fields that only this automation has. */
  fields: Fields
  /** Columns that are on no wire. */
  columns?: Fields
  hooks?: Hooks<Record<string, unknown>>
  /** Columns that `search` covers beside the name. */
  search?: readonly string[]
  /** Its rows have recipients, who receive what `report` returns. */
  hasRecipients?: boolean
  /** Its method has parameters: rows have `params`, by the id of the method. */
  hasParams?: boolean
  /** What an execution needs of a row as it was when it was started; secrets sealed. `assets`: its targets now. */
  snapshot?(
    row: Readonly<Record<string, unknown>>,
    plan: { ctx: Context; assets: () => Promise<readonly TargetAsset[]> },
  ): Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>
}

/** What a module registers for an automation. */
export interface Automation {
  readonly automation: Resource
  readonly execution: Resource
  readonly job: JobKind<AutomationTask>
  readonly resources: readonly Resource[]
  readonly routes: readonly Route[]
  /** Starts an execution of a plan, within the transaction of the context. Returns its id, which is the task's. */
  readonly start: StartExecution
}

/**
 * Declares an automation: work on assets, chosen directly and by nodes, that is started by users and by a schedule of
 * its own. From it follow the resource, its targets and schedule, executions with items, log, stop, repetition of what
 * failed, report, permissions and OPTIONS. README.md has an example.
 */
export function defineAutomation<P extends AssetPayload = AssetPayload, C = unknown>(
  declaration: AutomationDeclaration<P, C>,
): Automation {
  const { app, name, path, executions, type } = declaration
  const table = `${app}_${name}`
  const code = (verb: 'view' | 'add') => `${app}.${verb}_${executions.name}` as PermissionCode

  const fields: Fields = {
    ...automationFields(table, name, () => execution),
    ...declaration.fields,
    ...(declaration.hasRecipients ? { recipients: recipientsField(table, name) } : {}),
    ...(declaration.hasParams ? { params: paramsField() } : {}),
  }
  const automation: Resource = defineResource({
    app,
    name,
    path,
    scope: 'org',
    confirms: declaration.hasRecipients ?? false,
    fields,
    columns: declaration.columns ?? {},
    fieldOrder: ['created_by', 'periodic_display', 'executed_amount', ...planOrder],
    unique: [['org_id', 'name']],
    search: ['name', ...(declaration.search ?? [])],
    defaultOrder: ['name'],
    hooks: {
      ...declaration.hooks,
      async validate(ctx, changes, problem) {
        checkPeriodic(changes as readonly Change<object>[] as readonly Change<OwnerRow>[], problem)
        await declaration.hooks?.validate?.(ctx, changes, problem)
      },
      async beforeSave(ctx, changes) {
        for (const { row } of changes) Object.assign(row, { type })
        await declaration.hooks?.beforeSave?.(ctx, changes)
      },
      async afterSave(ctx, changes) {
        const saved = changes as readonly Change<object>[] as readonly Change<OwnerRow>[]
        await storeSchedules(ctx, automation.key, saved, job, (id): AutomationTask => ({ automation: id }))
        await declaration.hooks?.afterSave?.(ctx, changes)
      },
    },
  }) as unknown as Resource
  const execution = executionResource({
    app,
    ...executions,
    automation,
    types: declaration.types,
  }) as unknown as Resource

  const linked = async (ctx: Context, field: 'assets' | 'nodes', id: string): Promise<string[]> => {
    const to = field === 'assets' ? 'asset_id' : 'node_id'
    const links = await linksOf(ctx, { table: `${table}_${field}`, from: `${name}_id`, to }, [id])
    return links.map((link) => String(link[to]))
  }
  const recipientsOf = async (ctx: Context, id: string) => {
    const { through, ...join } = recipientLinks(table, name)
    const links = await linksOf(ctx, { table: through, ...join }, [id])
    return recipientUsers(
      ctx,
      links.map(({ user_id }) => String(user_id)),
    )
  }
  const snapshotOf = async (ctx: Context, row: AutomationRow): Promise<Snapshot> => {
    const targets = { nodes: await linked(ctx, 'nodes', row.id), assets: await linked(ctx, 'assets', row.id) }
    return {
      type,
      name: row.name,
      comment: row.comment,
      accounts: row.accounts,
      ...targets,
      ...(declaration.hasRecipients ? { recipients: await recipientsOf(ctx, row.id) } : {}),
      ...(declaration.hasParams ? { params: (row as unknown as Record<string, unknown>).params } : {}),
      ...(await declaration.snapshot?.(row as unknown as Record<string, unknown>, {
        ctx,
        assets: () => assetsOf(ctx, targets),
      })),
    }
  }

  const job = automationJob<P, C>({
    automation: () => automation,
    execution,
    add: code('add'),
    view: code('view'),
    snapshotOf,
    linkOf: (ctx, id) => `${siteUrl(ctx)}/ui/#${declaration.page.replace(':id', id)}?oid=${ctx.orgId}`,
    work: declaration,
  })

  const start: StartExecution = async (ctx, row, more = {}) => {
    const inside = ctx.inOrg(row.org_id)
    const snapshot = more.snapshot ?? (await snapshotOf(inside, row))
    const trigger = 'manual'
    const { id } = await insertRow(inside, execution, { automation_id: row.id, trigger, status: 'pending', snapshot })
    return inside.enqueue(job, { automation: row.id }, { id, ...(more.items ? { items: more.items } : {}) })
  }

  return {
    automation,
    execution,
    job,
    start,
    resources: [automation, execution],
    routes: [
      ...executionRoutes({ automation, execution, add: code('add'), view: code('view'), start }),
      ...targetRoutes({ automation, prefix: `/api/v1/${app}/${declaration.targets}/`, linked }),
    ],
  }
}
