import { errors } from '@castellan/contract/messages/errors'
import { booleanOf } from '@castellan/contract/truth'
import type { RowKey } from '../../db/list-cache/changes.ts'
import { type Countable, counting } from '../../db/list-cache/counts.ts'
import { contains } from '../../db/search.ts'
import { type Candidates, searchCandidates } from '../../db/search-index.ts'
import { noRow } from '../../db/text.ts'
import type { Field, StoredRow } from '../fields/field.ts'
import { own } from '../fields/safe-lookup.ts'
import { integer, normalId, uuidRange } from '../fields/scalars.ts'
import { parseTimestamp } from '../fields/timestamps.ts'
import { wordsOf } from '../http/query-bounds.ts'
import type { Params } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import { invalid, type Problem, Rejected, text } from '../module/errors.ts'
import { scoped } from '../resource/repository.ts'
import { indexedSearch, type ListQuery, type Resource } from '../resource/resource.ts'
import { attributeRules } from '../rules/index.ts'
import { defineSettings } from '../settings/setting-groups.ts'

export type { ListQuery } from '../resource/resource.ts'

export interface Page {
  limit: number
  offset: number
}

export const pageLimits = defineSettings({
  changedBy: 'environment',
  fields: { MAX_LIMIT_PER_PAGE: integer({ default: 100, min: 1 }) },
})

/** The requested page; undefined for the whole list. A limit over `MAX_LIMIT_PER_PAGE` is cut silently. */
export function pageOf(ctx: Context, params: Params, uncapped = false): Page | undefined {
  const limit = parseCount(params.limit)
  if (limit < 1) return undefined
  return {
    limit: uncapped ? limit : Math.min(limit, pageLimits.of(ctx).MAX_LIMIT_PER_PAGE),
    offset: parseCount(params.offset),
  }
}

/** A count in decimal digits; 0 for anything else, such as `1e3` or `0x10`. */
const parseCount = (value: string | undefined): number =>
  /^\s*\+?\d+\s*$/.test(value ?? '') ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : 0

/** Names `order` may use: those the resource declares, else every column that is not an id, a link or JSON. */
export function orderable(resource: Resource): readonly string[] {
  return (
    resource.orderable ??
    Object.entries(resource.fields)
      .filter(
        ([name, field]) =>
          (field.order && field.column && !field.secret && !['json', 'uuid'].includes(field.column.type)) ||
          (name === 'org_id' && field.order && resource.scope === 'org'),
      )
      .map(([name]) => name)
  )
}

/** Orders rows as the caller or the declaration asks; `backwards` reverses the order exactly. */
export function ordered(query: ListQuery, resource: Resource, params: Params, backwards = false): ListQuery {
  // The console orders by date of change after every save, even when a resource does not show that date.
  const stamps = resource.bare || resource.orderable ? [] : ['date_created', 'date_updated']
  const allowed = new Set([...orderable(resource), ...stamps])
  const isFirst = (name: string, at: number, all: readonly string[]) =>
    all.findIndex((one) => one.replace(/^-/, '') === name.replace(/^-/, '')) === at
  const wanted = (params.order ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => allowed.has(name.replace(/^-/, '')))
    .filter(isFirst)
  const names = wanted.length > 0 ? wanted : [...(resource.defaultOrder ?? [])]
  let result = query
  const direction = (name: string) => (name.startsWith('-') === backwards ? 'asc' : 'desc')
  for (const name of names) result = result.orderBy(`t.${resource.columnOf(name.replace(/^-/, ''))}`, direction(name))
  // The id as the last sort key makes paging stable. It uses the direction of the preceding key, so that an index that
  // ends with the id is read in one direction.
  return result.orderBy('t.id', direction(names.at(-1) ?? ''))
}

const termsOf = wordsOf

/** Row candidates from the search index of SQLite; PostgreSQL uses its index by itself. */
async function candidatesOf(
  ctx: Context,
  resource: Resource,
  search: string | undefined,
): Promise<Candidates | undefined> {
  if (!search || ctx.dialect !== 'sqlite' || !indexedSearch(resource)) return undefined
  // Ids are not in the index.
  if (resource.search?.includes('id') && termsOf(search).some(uuidRange)) return undefined
  return searchCandidates(ctx.rawDb, resource.table, termsOf(search), ctx.services.lists.commonSearches)
}

export function searched(ctx: Context, query: ListQuery, resource: Resource, search: string | undefined): ListQuery {
  const columns = resource.search
  if (!search || !columns) return query
  let result = query
  for (const term of termsOf(search)) {
    const ids = uuidRange(term)
    result = result.where((eb) =>
      eb.or([
        ...columns
          .filter((column) => column !== 'id')
          .map((column) => contains(ctx.dialect, eb.ref(refOf(resource, column)), term)),
        ...(ids && columns.includes('id') ? [eb.between('t.id', ids[0], ids[1])] : []),
      ]),
    )
  }
  return result
}

const refOf = (resource: Resource, column: string) => (column.includes('.') ? column : `t.${resource.columnOf(column)}`)

type Condition = (query: ListQuery) => ListQuery | Promise<ListQuery>

/** Converts a parameter to a condition; undefined when it does not filter (empty, or not a boolean). */
function fieldCondition(
  ctx: Context,
  resource: Resource,
  name: string,
  value: string,
  params: Params,
): Condition | undefined {
  const filter = own(resource.filters, name)
  if (filter) return (query) => filter(ctx, query, value, params)
  const field = own(resource.fields, name)
  if (name !== 'id' && !field?.filter) return undefined
  if (name === 'id') {
    const id = normalId(resource, value)
    if (id === undefined) throw invalid({ id: [text(errors.not_a_uuid, { input: value })] })
    return (query) => query.where('t.id', '=', id)
  }
  if (!field) return undefined
  const column = `t.${resource.columnOf(name)}`
  if (field.isRef) return relatedCondition(ctx, resource, name, field, value)
  if (field.type === 'boolean') {
    const truth = booleanOf(value)
    return truth === undefined ? undefined : (query) => query.where(column, '=', truth)
  }
  if (['labeled_choice', 'choice', 'integer'].includes(field.type) && field.parse) {
    try {
      const parsed = field.parse(value, ctx)
      return (query) => query.where(column, '=', parsed)
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      throw invalid({ [name]: Array.isArray(error.problem) ? error.problem : [error.problem] })
    }
  }
  return (query) => query.where(column, '=', value)
}

/** Rows linked to a given row. That row must be visible to the caller, directly or as a link of a visible row. */
function relatedCondition(ctx: Context, resource: Resource, name: string, field: Field, value: string): Condition {
  const column = `t.${resource.columnOf(name)}`
  const refused = (problem: Problem) => invalid({ [name]: [problem].flat() as Problem })
  let id: unknown
  try {
    id = field.parse?.(value, ctx)
  } catch (error) {
    if (error instanceof Rejected) throw refused(error.problem)
    throw error
  }
  return async (query) => {
    let missing: Problem | undefined
    await field.resolve?.(ctx, [id], (_index, problem) => {
      missing = problem
    })
    if (missing) {
      const linked = await scoped(ctx, resource).where(column, '=', id).limit(1).executeTakeFirst()
      if (!linked) throw refused(missing)
    }
    return query.where(column, '=', id)
  }
}

function idList(resource: Resource, param: string, value: string): unknown[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const id = normalId(resource, part)
      if (id === undefined) throw invalid({ [param]: [text(errors.not_a_uuid, { input: part })] })
      return id
    })
}

const selection = (ctx: Context, token: string) => ctx.kv.get<string[]>(`spm:${token}`)

/** The ids of a stored selection; empty when the token is unknown or has expired. */
export async function selectedIds(ctx: Context, token: string): Promise<string[]> {
  return (await selection(ctx, token)) ?? []
}

/** Throws for a call that would change an unknown or expired selection: it would succeed without doing anything. */
export async function demandSelection(ctx: Context, { spm }: Params): Promise<void> {
  if (spm && !(await selection(ctx, spm))) throw invalid({ spm: [text(errors.selection_gone)] })
}

async function genericConditions(ctx: Context, resource: Resource, params: Params): Promise<Condition[]> {
  const conditions: Condition[] = []
  const among =
    (ids: readonly unknown[]): Condition =>
    (query) =>
      ids.length === 0 ? query.where(noRow) : query.where('t.id', 'in', ids)
  // A selection is not bound to a resource; ids of another resource match no row here.
  const selected = params.spm ? await selectedIds(ctx, params.spm) : []
  if (params.spm) conditions.push(among(selected.map((id) => normalId(resource, id)).filter((id) => id !== undefined)))
  if (params.ids) conditions.push(among(idList(resource, 'ids', params.ids)))
  if (params['id!']) {
    const ids = idList(resource, 'id!', params['id!'])
    if (ids.length > 0) conditions.push((query) => query.where('t.id', 'not in', ids))
  }
  if (resource.dateRange) {
    const column = `t.${resource.columnOf(resource.dateRange)}`
    const from = params.date_from ? parseTimestamp(params.date_from, ctx.zone) : undefined
    const to = params.date_to ? parseTimestamp(params.date_to, ctx.zone) : undefined
    if (from !== undefined) conditions.push((query) => query.where(column, '>=', from))
    if (to !== undefined) conditions.push((query) => query.where(column, '<=', to))
  }
  const rules = attributeRules(ctx, resource, params.attr_rules)
  if (rules) conditions.push(rules)
  return conditions
}

/** A list without order and page; `fullQuery` has all conditions of the caller's parameters in one statement. */
export interface Listing extends Countable {
  /** Whether any parameter filters rows; unknown parameters do not. */
  narrowed: boolean
  /** The same rows, found through the search index where there is one; `again`: looked up in it again. */
  indexedQuery(again?: boolean): Promise<ListQuery>
  /** The same rows as `fullQuery`, for a page of a list that is known to be long. */
  longQuery(): Promise<ListQuery>
}

/** Rows by what identifies them in the cache of lists. */
const amongKeys = (ctx: Context, resource: Resource, keys: readonly RowKey[]): ListQuery =>
  ctx.dialect === 'sqlite'
    ? scoped(ctx, resource, { oneOf: keys.map(Number) })
    : scoped(ctx, resource).where('t.id', 'in', [...keys])

/** Applies the caller's parameters to a list, except order and page. */
export async function listing(
  ctx: Context,
  resource: Resource,
  params: Params,
  narrow: (query: ListQuery) => ListQuery = (query) => query,
): Promise<Listing> {
  const conditions: Condition[] = []
  for (const [name, value] of Object.entries(params)) {
    if (value === '') continue
    const condition = fieldCondition(ctx, resource, name, value, params)
    if (condition) conditions.push(condition)
  }
  conditions.push(...(await genericConditions(ctx, resource, params)))
  if (resource.search && termsOf(params.search).length > 0)
    conditions.push((query) => searched(ctx, query, resource, params.search))
  const how = isNegation(params._rel) ? params._rel : undefined
  const demanding = async (all: ListQuery): Promise<ListQuery> => {
    let query = all
    if (how) query = await combined(ctx, resource, query, conditions, how)
    else for (const condition of conditions) query = await condition(query)
    return narrow(query)
  }
  const listed = (query: ListQuery) => resource.listed?.(ctx, query) ?? query
  const all = listed(scoped(ctx, resource))
  const fullQuery = await demanding(all)
  let asked: Promise<Candidates | undefined> | undefined
  const candidates = () => {
    // Index candidates only contain matches of the search, so `_rel` (alternatives and negation) must not use them.
    asked ??= how ? Promise.resolve(undefined) : candidatesOf(ctx, resource, params.search)
    return asked
  }
  const among = (found: Candidates | undefined) => (found ? demanding(listed(scoped(ctx, resource, found))) : fullQuery)
  return {
    table: resource.table,
    narrowed: fullQuery !== all,
    fullQuery,
    newer: (rowid) => demanding(listed(scoped(ctx, resource, { newerThan: rowid }))),
    indexedQuery: async (again) => {
      if (again) asked = undefined
      const found = await candidates()
      return among(found?.common ? undefined : found)
    },
    longQuery: () => demanding(listed(scoped(ctx, resource, undefined, 'many'))),
    counted: async () => among(await candidates()),
    among: (keys) => demanding(listed(amongKeys(ctx, resource, keys))),
  }
}

export const isNegation = (how: string | undefined): how is 'or' | 'not' => how === 'or' || how === 'not'

/** Whether parameters name the selected rows by id; with `_rel` they mean other rows, or more. */
export const namesRows = ({ spm, ids, id, _rel }: Params): boolean => Boolean(spm || ids || id) && !isNegation(_rel)

/** The rows that match the caller's parameters, unordered. */
export async function filtered(ctx: Context, resource: Resource, params: Params): Promise<ListQuery> {
  return (await listing(ctx, resource, params)).indexedQuery()
}

/** `_rel` applies to the caller's own conditions only; the organization condition always applies. */
async function combined(
  ctx: Context,
  resource: Resource,
  query: ListQuery,
  conditions: Condition[],
  how: 'or' | 'not',
): Promise<ListQuery> {
  if (conditions.length === 0) return query
  const ids = (narrowed: ListQuery) => narrowed.clearSelect().select('t.id')
  if (how === 'not') {
    let all = scoped(ctx, resource)
    for (const condition of conditions) all = await condition(all)
    return query.where('t.id', 'not in', ids(all))
  }
  const each: ListQuery[] = []
  for (const condition of conditions) each.push(ids(await condition(scoped(ctx, resource))))
  return query.where((eb) => eb.or(each.map((one) => eb('t.id', 'in', one))))
}

/** From this offset on, a page is found by its ids first, so that skipped rows are not read completely. */
const deepOffset = 100

/** A list of more rows is read row by row in its order, instead of collecting what the caller may see first. */
const longList = 2000

/**
 * The rows of a page of an ordered list. `opposite`: the list in reverse order and its length, so that a page in the
 * second half is found from the end. `fullQuery`: the same list without candidates of the search index.
 */
export async function rowsOfPage(
  orderedQuery: ListQuery,
  { limit, offset }: Page,
  opposite?: { orderedQuery: ListQuery; count: number },
  fullQuery: ListQuery = orderedQuery,
): Promise<StoredRow[]> {
  if (offset < deepOffset) return orderedQuery.limit(limit).offset(offset).execute()
  const left = opposite ? opposite.count - offset : 0
  const found =
    opposite && left > 0 && left < offset
      ? opposite.orderedQuery.limit(Math.min(limit, left)).offset(left - Math.min(limit, left))
      : orderedQuery.limit(limit).offset(offset)
  const ids = (await found.clearSelect().select('t.id').execute()).map(({ id }) => id)
  // The ids already satisfy the filters; repeating them makes SQLite choose a worse plan than the primary key.
  return ids.length === 0 ? [] : fullQuery.clearWhere().where('t.id', 'in', ids).execute()
}

/** The rows of a page: by cached row positions where finding them is expensive, else by a query. */
export async function pageOfList(
  ctx: Context,
  resource: Resource,
  params: Params,
  list: Listing,
  page: Page & { count: number },
): Promise<StoredRow[]> {
  const orderedQuery = (query: ListQuery, backwards = false) => ordered(query, resource, params, backwards)
  const known =
    params.search || page.offset >= deepOffset
      ? await ctx.services.lists.page(
          ctx.rawDb,
          {
            table: resource.table,
            orderedQuery: orderedQuery(list.fullQuery),
            // The order is cached as of now, and the count may have looked candidates up before.
            indexedQuery: async () => orderedQuery(await list.indexedQuery(true)),
            among: async (keys) => orderedQuery(await list.among(keys)),
          },
          page,
        )
      : undefined
  if (known) return known
  const long = page.count > longList && !params.search
  const query = await (long ? list.longQuery() : list.indexedQuery())
  return rowsOfPage(
    orderedQuery(query),
    page,
    { orderedQuery: orderedQuery(query, true), count: page.count },
    orderedQuery(list.fullQuery),
  )
}

/** Parameters that do not filter rows. */
const shaping = new Set(['limit', 'offset', 'order', 'fields', 'fields!', 'fields_size', 'format', 'oid'])

/** Whether the parameters do not filter rows. */
export const isWhole = (params: Params) =>
  Object.entries(params).every(([name, value]) => value === '' || shaping.has(name))

export const countOfList = (ctx: Context, list: Listing): Promise<number> => ctx.services.lists.count(ctx.rawDb, list)

export async function countOf(query: ListQuery): Promise<number> {
  const row = await counting(query).executeTakeFirst()
  return Number((row as StoredRow | undefined)?.n ?? 0)
}
