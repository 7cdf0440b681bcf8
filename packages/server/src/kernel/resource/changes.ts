import { batches } from '../../db/batches.ts'
import type { Change, ManyField, StoredRow } from '../fields/field.ts'
import { linksOf } from '../fields/relations.ts'
import type { Context } from '../module/context.ts'
import { defineHook } from '../module/hooks.ts'
import { withoutSealedParts } from '../security/secrets.ts'
import type { Resource } from './resource.ts'

/** The action on a row, as the operate log names it. */
export type ChangeAction = 'create' | 'update' | 'delete' | Seen
/** Actions without a before and after: the row was viewed, downloaded or used, or a rule or somebody decided. */
export type Seen = 'view' | 'download' | 'connect' | Verdict | 'approve' | 'close'
export type Verdict = 'accept' | 'reject' | 'review' | 'notice'

/** A change of one row as the operate log and the activity list record it. Secrets are already masked. */
export interface RecordedChange {
  resource: Resource
  action: ChangeAction
  id: string
  display: string
  orgId: string
  before: StoredRow
  after: StoredRow
}

/** Every change of every resource, inside the transaction that makes it. */
export const rowsChanged = defineHook<readonly RecordedChange[]>('kernel.rows.changed')

/** What changes nothing: rows that were seen, downloaded or used, and what rules decided. */
export const rowsSeen = defineHook<readonly RecordedChange[]>('kernel.rows.seen')

const mask = '******'
const unshown = new Set(['id', 'org_id', 'created_by', 'updated_by', 'date_created', 'date_updated'])

/** The columns of a row that may appear in a log. */
function readable(resource: Resource, row: StoredRow): StoredRow {
  const shown: StoredRow = {}
  for (const [column, field] of resource.stored) {
    if (unshown.has(column) || !(column in row)) continue
    const value = row[column]
    if (field.loggedByEntry) Object.assign(shown, value)
    else shown[column] = field.secret ? (value === null || value === undefined ? '' : mask) : value
  }
  return shown
}

const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

const masked = (side: StoredRow): StoredRow =>
  Object.fromEntries(Object.entries(side).map(([name, value]) => [name, withoutSealedParts(value, mask)]))

async function tell(ctx: Context, changes: RecordedChange[]): Promise<void> {
  // Only now: whether a sealed value has changed shows in its text.
  const shown = changes.map((change) => ({ ...change, before: masked(change.before), after: masked(change.after) }))
  if (changes.length > 0) await rowsChanged.run(ctx, shown)
}

/** Ids of related rows before a change, by field and by row. */
export type LinksBefore = ReadonlyMap<string, ReadonlyMap<unknown, readonly unknown[]>>

const joinOf = (resource: Resource, field: string) => (resource.fields[field] as Partial<ManyField> | undefined)?.join

/** Relations that a change replaces, with the new ids. */
const sentLinks = (resource: Resource, change: Change): [string, unknown[]][] =>
  Object.entries(change.values).filter(
    (entry): entry is [string, unknown[]] => joinOf(resource, entry[0]) !== undefined && Array.isArray(entry[1]),
  )

const sameSet = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((item) => b.includes(item))

/** Reads the links that the changes are about to replace, so that the log can show both sides. */
export async function linksBefore(
  ctx: Context,
  resource: Resource,
  changes: readonly Change[],
): Promise<LinksBefore | undefined> {
  if (resource.unlogged || !rowsChanged.hasListeners) return undefined
  const updates = changes.filter((change) => change.mode === 'update')
  const found = new Map<string, Map<unknown, unknown[]>>()
  for (const field of new Set(updates.flatMap((change) => sentLinks(resource, change).map(([name]) => name)))) {
    const join = joinOf(resource, field)
    if (!join) continue
    const ids = updates.map((change) => change.row.id)
    const rows = await linksOf(ctx, join, ids)
    found.set(
      field,
      new Map(
        [...Map.groupBy(rows, (row) => row[join.from])].map(([id, some]) => [id, some.map((row) => row[join.to])]),
      ),
    )
  }
  return found
}

export async function recordSaves(
  ctx: Context,
  resource: Resource,
  changes: readonly Change[],
  links?: LinksBefore,
): Promise<void> {
  if (resource.unlogged || !rowsChanged.hasListeners) return
  await tell(
    ctx,
    changes.flatMap((change): RecordedChange[] => {
      const after = readable(resource, change.row)
      const before = change.before ? readable(resource, change.before) : {}
      if (change.mode === 'update') {
        for (const column of Object.keys(after)) {
          const sentSecret = resource.stored.get(column)?.secret && column in change.values
          if (!sentSecret && same(before[column], after[column])) {
            delete after[column]
            delete before[column]
          }
        }
        for (const [field, ids] of sentLinks(resource, change)) {
          const linked = links?.get(field)?.get(change.row.id) ?? []
          if (sameSet(linked, ids)) continue
          before[field] = linked
          after[field] = ids
        }
        if (Object.keys(after).length === 0) return []
      } else for (const [field, ids] of sentLinks(resource, change)) if (ids.length > 0) after[field] = ids
      return [described(resource, change.mode, change.row, before, after, ctx)]
    }),
  )
}

/**
 * Logs links that were added or removed one by one (a join table with its own collection) as changes of the field
 * `field` of the rows they belong to.
 */
export async function recordLinks(
  ctx: Context,
  resource: Resource,
  field: string,
  links: readonly { id: unknown; linked: unknown }[],
  how: 'added' | 'removed',
): Promise<void> {
  const join = joinOf(resource, field)
  if (!join || resource.unlogged || !rowsChanged.hasListeners || links.length === 0) return
  const ids = [...new Set(links.map(({ id }) => id))]
  const now = Map.groupBy(await linksOf(ctx, join, ids), (row) => row[join.from])
  const recorded: RecordedChange[] = []
  const changed = Map.groupBy(links, ({ id }) => id)
  for (const some of batches(ids)) {
    for (const row of await ctx.rawDb.selectFrom(resource.table).selectAll().where('id', 'in', some).execute()) {
      const touched = new Set((changed.get(row.id) ?? []).map((link) => link.linked))
      const after = (now.get(row.id) ?? []).map((link) => link[join.to])
      const before = how === 'added' ? after.filter((one) => !touched.has(one)) : [...after, ...touched]
      recorded.push(described(resource, 'update', resource.decode(row), { [field]: before }, { [field]: after }, ctx))
    }
  }
  await tell(ctx, recorded)
}

/** Logs changes of rows that were stored otherwise than by the resource, with the values that changed. */
export async function recordUpdates(
  ctx: Context,
  resource: Resource,
  changed: readonly { row: StoredRow; before: StoredRow; after: StoredRow }[],
): Promise<void> {
  if (resource.unlogged || !rowsChanged.hasListeners || changed.length === 0) return
  await tell(
    ctx,
    changed.map(({ row, before, after }) => described(resource, 'update', row, before, after, ctx)),
  )
}

export async function recordDeletes(ctx: Context, resource: Resource, rows: readonly StoredRow[]): Promise<void> {
  if (resource.unlogged || !rowsChanged.hasListeners) return
  await tell(
    ctx,
    rows.map((row) => described(resource, 'delete', row, readable(resource, row), {}, ctx)),
  )
}

function described(
  resource: Resource,
  action: ChangeAction,
  row: StoredRow,
  before: StoredRow,
  after: StoredRow,
  ctx: Context,
): RecordedChange {
  return {
    resource,
    action,
    id: String(row.id),
    display: resource.displayOf(row),
    orgId: typeof row.org_id === 'string' ? row.org_id : ctx.orgId,
    before,
    after,
  }
}

/**
 * Logs that a row was viewed, downloaded or used (a secret, a recording), or that a rule or somebody decided; `about`
 * holds details by field.
 */
export async function recordAction(
  ctx: Context,
  resource: Resource,
  action: Seen,
  row: StoredRow,
  about: StoredRow = {},
): Promise<void> {
  await rowsSeen.run(ctx, [described(resource, action, row, {}, about, ctx)])
}

/** The same for many rows. */
export const recordActions = (
  ctx: Context,
  resource: Resource,
  action: Seen,
  seen: readonly { row: StoredRow; about: StoredRow }[],
): Promise<void> =>
  rowsSeen.run(
    ctx,
    seen.map(({ row, about }) => described(resource, action, row, {}, about, ctx)),
  )
