import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import { amongCandidates, amongNewer, amongRowids, type Candidates } from '../../db/search-index.ts'
import type { StoredRow } from '../fields/field.ts'
import type { Context } from '../module/context.ts'
import { badRequest, notFound, text } from '../module/errors.ts'
import { nameOf } from '../module/texts.ts'
import type { Columns, ListQuery, Resource, Row } from './resource.ts'
import type { Expected } from './resource-declaration.ts'
import { newRowId } from './row-id.ts'

/**
 * The rows of a context's organization. Modules read rows only through this query, which adds the organization, or
 * explicitly without it through `ctx.acrossOrganizations`. `among`: on SQLite, only the candidates of a search index, or rows
 * after a rowid.
 */
export function scoped(
  ctx: Context,
  resource: Resource,
  among?: Candidates | { newerThan: number } | { oneOf: number[] },
  expected: Expected = 'few',
): ListQuery {
  // Kysely's types need table names at compile time; ours come from declarations.
  const table = !among
    ? ctx.rawDb.selectFrom(`${resource.table} as t`)
    : 'newerThan' in among
      ? amongNewer(ctx.rawDb, resource.table, among.newerThan)
      : 'oneOf' in among
        ? amongRowids(ctx.rawDb, resource.table, among.oneOf)
        : amongCandidates(ctx.rawDb, resource.table, among)
  const all = (table as ReturnType<typeof amongCandidates>).selectAll('t') as unknown as ListQuery
  const mine = resource.scope === 'org' && !ctx.isRootOrg ? all.where('t.org_id', '=', ctx.orgId) : all
  return resource.visible ? resource.visible(ctx, mine, expected) : mine
}

/** A row as the database answered it, with the types of its resource. */
export const decoded = <R extends Resource>(resource: R, stored: StoredRow): Row<R> => resource.decode(stored) as Row<R>

type Narrow = (query: ListQuery) => ListQuery

export async function findAll<R extends Resource>(
  ctx: Context,
  resource: R,
  narrow: Narrow = (query) => query,
): Promise<Row<R>[]> {
  const rows = await narrow(scoped(ctx, resource)).execute()
  return rows.map((row) => decoded(resource, row))
}

export async function findOne<R extends Resource>(
  ctx: Context,
  resource: R,
  narrow: Narrow,
): Promise<Row<R> | undefined> {
  return (await findAll(ctx, resource, (query) => narrow(query).limit(1)))[0]
}

export const findById = <R extends Resource>(ctx: Context, resource: R, id: unknown): Promise<Row<R> | undefined> =>
  findOne(ctx, resource, (query) => query.where('t.id', '=', id))

/**
 * Locks a row until the transaction ends, so that concurrent transactions that count or check before they write run one
 * after the other. SQLite serializes writers anyway.
 */
export async function lockRow(ctx: Context, table: string, id: unknown): Promise<void> {
  if (ctx.dialect === 'postgres')
    await ctx.rawDb.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** The row; throws 404 with the kind of object in its text. */
export async function getById<R extends Resource>(ctx: Context, resource: R, id: unknown): Promise<Row<R>> {
  const row = await findById(ctx, resource, id)
  if (!row) throw notFound(nameOf(resource))
  return row
}

/** Columns that record who changed a row and when. */
export const stampsOf = (ctx: Context) => ({
  updated_by: (ctx.caller ? `${ctx.caller.name}(${ctx.caller.username})` : 'System').slice(0, 128),
  date_updated: ctx.now,
})

/** Columns that record who created a row and when. */
export const makerOf = (ctx: Context) => ({
  created_by: (ctx.caller?.name ?? 'System').slice(0, 30),
  date_created: ctx.now,
})

/** Completes a new row: id, organization, audit columns. */
export function completed(ctx: Context, resource: Resource, values: StoredRow): StoredRow {
  const row: StoredRow = { ...values }
  if (!resource.serialId) row.id ??= newRowId()
  if (!resource.bare) {
    for (const [column, value] of Object.entries({ ...makerOf(ctx), ...stampsOf(ctx) })) row[column] ??= value
  }
  if (resource.scope === 'org') {
    if (!ctx.isRootOrg) row.org_id = ctx.orgId
    if (!row.org_id) throw badRequest(text(errors.no_organization))
  }
  return row
}

/** Rows inserted by one statement. */
const insertedAtOnce = 100

/** Inserts encoded rows; a serial id is written back into the row. */
export async function insertEncoded(ctx: Context, resource: Resource, rows: StoredRow[]): Promise<void> {
  for (const some of batches(rows, insertedAtOnce)) {
    const insert = ctx.rawDb.insertInto(resource.table).values(some)
    if (!resource.serialId) await insert.execute()
    else
      for (const [index, { id }] of (await insert.returning('id').execute()).entries())
        Object.assign(some[index] as StoredRow, { id: Number(id) })
  }
}

/** Inserts rows without validation, hooks or log entry, for seeds and rows that the system itself records. */
export async function insertRows<R extends Resource>(
  ctx: Context,
  resource: R,
  rows: readonly Columns<R>[],
): Promise<Row<R>[]> {
  const encoded = rows.map((values) =>
    resource.encode(completed(ctx, resource, withDefaults(ctx, resource, values as StoredRow)), ctx),
  )
  await insertEncoded(ctx, resource, encoded)
  return encoded.map((row) => decoded(resource, row))
}

export const insertRow = async <R extends Resource>(ctx: Context, resource: R, values: Columns<R>): Promise<Row<R>> =>
  (await insertRows(ctx, resource, [values]))[0] as Row<R>

/** Fills missing columns of a new row with the declared defaults. */
export function withDefaults(ctx: Context, resource: Resource, values: StoredRow): StoredRow {
  const row: StoredRow = { ...values }
  for (const [column, field] of resource.stored) {
    if (column in row || column === 'id') continue
    const value = typeof field.default === 'function' ? field.default(ctx) : field.default
    row[column] = value ?? null
  }
  return row
}

/** Updates columns of one row without validation, hooks or log entry. */
export async function updateRow<R extends Resource>(
  ctx: Context,
  resource: R,
  id: unknown,
  values: Columns<R>,
): Promise<void> {
  let query = ctx.rawDb
    .updateTable(resource.table)
    .set(resource.encode(values as StoredRow, ctx))
    .where('id', '=', id)
  if (resource.scope === 'org' && !ctx.isRootOrg) query = query.where('org_id', '=', ctx.orgId)
  await query.execute()
}

/** Deletes rows without guards or log entry. */
export async function deleteRows<R extends Resource>(
  ctx: Context,
  resource: R,
  ids: readonly unknown[],
): Promise<void> {
  for (const some of batches(ids)) {
    let query = ctx.rawDb.deleteFrom(resource.table).where('id', 'in', some)
    if (resource.scope === 'org' && !ctx.isRootOrg) query = query.where('org_id', '=', ctx.orgId)
    await query.execute()
  }
}
