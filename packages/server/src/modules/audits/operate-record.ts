import type { operateActions } from '@castellan/contract/choices/audits'
import { systemOrgId } from '@castellan/contract/ids'
import { type OperateResourceName, operateResourceOf } from '@castellan/contract/operate-resources'
import { batches } from '../../db/batches.ts'
import type { ManyField, StoredRow } from '../../kernel/fields/field.ts'
import { addToDailyCounts } from '../../kernel/lists/daily-counts.ts'
import type { Context } from '../../kernel/module/context.ts'
import type { ChangeAction, RecordedChange } from '../../kernel/resource/changes.ts'
import { findResource, type Resource } from '../../kernel/resource/resource.ts'
import { newRowId } from '../../kernel/resource/row-id.ts'
import { operateLog, type StoredDiff } from './operate-log.ts'

/** Maximum text stored of one value, and of a whole difference. Characters. */
const longestValue = 4096
const longestDiff = 65_536
/** Maximum related rows named in one entry. */
const mostNamed = 200
const chunk = 100

const who = (ctx: Context) => (ctx.caller ? `${ctx.caller.name}(${ctx.caller.username})`.slice(0, 128) : 'System')

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)

const clipped = (value: unknown) =>
  typeof value === 'string' && value.length > longestValue ? `${value.slice(0, longestValue)}…` : value

/** Display names of rows by id. Deleted rows are shown by id. */
async function namesOf(ctx: Context, target: Resource, ids: readonly unknown[]): Promise<Map<unknown, string>> {
  const names = new Map<unknown, string>()
  const wanted = [...new Set(ids)]
  for (const some of batches(wanted, mostNamed))
    for (const row of await ctx.rawDb.selectFrom(target.table).selectAll().where('id', 'in', some).execute())
      names.set(row.id, target.displayOf(target.decode(row)))
  return names
}

/** The target of a column or relation; undefined for other values. */
function targetOf(resource: Resource, key: string): Resource | undefined {
  const join = (resource.fields[key] as Partial<ManyField> | undefined)?.join
  if (join) return findResource(join.target)
  const field = resource.stored.get(key)
  const name = field?.isRef ? field.column?.references : undefined
  return name && !name.includes('(') ? findResource(name) : undefined
}

/** Replaces ids of related rows by names, for all changes of a call with one query per relation. */
async function nameRelations(ctx: Context, changes: readonly RecordedChange[]): Promise<void> {
  const wanted = new Map<Resource, { side: StoredRow; key: string }[]>()
  for (const { resource, before, after } of changes)
    for (const side of [before, after])
      for (const key of Object.keys(side)) {
        const target = isEmpty(side[key]) ? undefined : targetOf(resource, key)
        if (!target) continue
        const places = wanted.get(target) ?? []
        places.push({ side, key })
        wanted.set(target, places)
      }
  for (const [target, places] of wanted) {
    const names = await namesOf(
      ctx,
      target,
      places.flatMap(({ side, key }) => [side[key]].flat().slice(0, mostNamed)),
    )
    for (const { side, key } of places)
      side[key] = [side[key]]
        .flat()
        .map((id) => names.get(id) ?? String(id))
        .join(', ')
  }
}

function diffOf(change: RecordedChange): StoredDiff {
  const pruned = (side: StoredRow) =>
    Object.fromEntries(
      Object.entries(side)
        .filter(([, value]) => change.action === 'update' || !isEmpty(value))
        .map(([key, value]) => [key, clipped(value)]),
    )
  const diff = { model: change.resource.key, before: pruned(change.before), after: pruned(change.after) }
  return JSON.stringify(diff).length > longestDiff ? { model: '', before: {}, after: {}, tooLarge: true } : diff
}

/** Roles belong to the system, whatever organization they were changed in. */
const orgOf = (change: RecordedChange) => (change.resource.key === 'rbac.role' ? systemOrgId : change.orgId)

async function insert(ctx: Context, rows: readonly StoredRow[]): Promise<void> {
  await addToDailyCounts(ctx, operateLog, rows)
  for (const some of batches(rows, chunk))
    await ctx.services.database.withNext(
      ctx.rawDb,
      ctx.rawDb.insertInto(operateLog.table).values(some.map((row) => operateLog.encode(row, ctx))),
    )
}

const entry = (ctx: Context, values: StoredRow): StoredRow => ({
  id: newRowId(),
  user: who(ctx),
  user_id: ctx.caller?.id ?? null,
  remote_addr: ctx.ip || null,
  datetime: ctx.now,
  ...values,
})

/** Changes by components and the system are logged elsewhere; their reads, uses and rule decisions are logged here. */
const changing: ReadonlySet<ChangeAction> = new Set(['create', 'update', 'delete'])

/** Logs changes by users; of components and the system itself only security-relevant ones. */
export async function recordChanges(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const byUser = ctx.caller !== undefined && !ctx.caller.isServiceAccount
  const named = changes.filter(
    ({ resource, action }) =>
      Object.hasOwn(operateResourceOf, resource.key) &&
      (byUser || !changing.has(action) || resource.alwaysLogged === true),
  )
  if (named.length === 0) return
  // Names are set in copies, because other listeners need the ids.
  const copies = named.map((change) => ({ ...change, before: { ...change.before }, after: { ...change.after } }))
  await nameRelations(ctx, copies)
  await insert(
    ctx,
    copies.map((change) =>
      entry(ctx, {
        action: change.action,
        resource_type: operateResourceOf[change.resource.key as keyof typeof operateResourceOf],
        resource: change.display.slice(0, 128),
        resource_id: change.id,
        diff: diffOf(change),
        org_id: orgOf(change),
      }),
    ),
  )
}

export interface Operation {
  action: keyof typeof operateActions
  resourceType: OperateResourceName
  resource: string
  resourceId?: string
  /** Shown unchanged: keys are labels. */
  before?: StoredRow
  after?: StoredRow
  orgId?: string
}

/** Logs an operation without a changed row, such as the decision of a rule. */
export async function recordOperate(ctx: Context, operation: Operation): Promise<void> {
  await insert(ctx, [
    entry(ctx, {
      action: operation.action,
      resource_type: operation.resourceType,
      resource: operation.resource.slice(0, 128),
      resource_id: operation.resourceId ?? '',
      diff: { model: '', before: operation.before ?? {}, after: operation.after ?? {} },
      org_id: operation.orgId ?? ctx.orgId,
    }),
  ])
}
