import { randomUUID } from 'node:crypto'
import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import type { StoredRow } from '../fields/field.ts'
import { isObject } from '../fields/safe-lookup.ts'
import { normalId } from '../fields/scalars.ts'
import { columnsOf } from '../files/cells.ts'
import { exportReply } from '../files/export.ts'
import { bodyRows, importRoute } from '../files/import.ts'
import {
  type Action,
  Afterwards,
  created,
  type Handling,
  noContent,
  type Params,
  type RequestParts,
  type Route,
} from '../http/route.ts'
import { countedPage } from '../lists/daily-counts.ts'
import { pagedReply } from '../lists/paging.ts'
import {
  countOf,
  countOfList,
  demandSelection,
  filtered,
  isNegation,
  isWhole,
  type Listing,
  type ListQuery,
  listing,
  namesRows,
  ordered,
  type Page,
  pageOf,
  pageOfList,
  rowsOfPage,
} from '../lists/query.ts'
import { suggestedList } from '../lists/suggestions.ts'
import type { Context } from '../module/context.ts'
import { emptyBadRequest, invalid, notAnObject, notFound, type Problem, parseError, text } from '../module/errors.ts'
import { nameOf } from '../module/texts.ts'
import { createMany, createOne, destroy, updateMany, updateOne } from './mutations.ts'
import { decoded, scoped } from './repository.ts'
import { type Resource, type Row, requirement, type Verb } from './resource.ts'
import { chosenFields, serialize } from './serialize.ts'

/**
 * A row of the caller's scope by the last segment of a detail URL; 404 when it does not exist or the id is malformed.
 */
export async function rowBySegment<R extends Resource>(ctx: Context, resource: R, segment: string): Promise<Row<R>> {
  const custom = resource.lookup?.(segment)
  const id = custom ? custom.value : normalId(resource, segment)
  if (id === undefined) throw notFound(nameOf(resource))
  const row = await scoped(ctx, resource)
    .where(`t.${custom?.column ?? 'id'}`, '=', id)
    .executeTakeFirst()
  if (!row) throw notFound(nameOf(resource))
  return decoded(resource, row)
}

export async function listReply(
  ctx: Context,
  resource: Resource,
  request: RequestParts,
  narrow?: (query: ListQuery) => ListQuery,
): Promise<unknown> {
  const params = request.query
  const list = await listing(ctx, resource, params, narrow)
  const fields = chosenFields(ctx, resource, params)
  const wanted = pageOf(ctx, params)
  const counts = wanted && !narrow ? await countedPage(ctx, resource, params, wanted) : undefined
  let count: number | undefined = counts?.count
  return pagedReply(ctx, request, {
    count: async () => {
      count ??= await (!narrow && resource.total && isWhole(params) ? resource.total(ctx) : countOfList(ctx, list))
      return count
    },
    rows: async (page) => {
      const rows = !page
        ? await ordered(await list.indexedQuery(), resource, params).execute()
        : counts
          ? await countedRows(ctx, resource, params, list, counts, page)
          : await pageOfList(ctx, resource, params, list, { ...page, count: count ?? 0 })
      return serialize(ctx, resource, rows.map(resource.decode), fields)
    },
  })
}

/** Up to this many rows are skipped by OFFSET, which is cheap enough. */
const fewSteps = 2000

/** The rows of a page of a log, from the nearer edge, or by cached positions in its day when both edges are far. */
async function countedRows(
  ctx: Context,
  resource: Resource,
  params: Params,
  list: Listing,
  place: NonNullable<Awaited<ReturnType<typeof countedPage>>>,
  page: Page,
): Promise<StoredRow[]> {
  if (place.limit === 0) return []
  const { within } = place
  const inDay = (query: ListQuery) => ordered(within ? within.narrow(query) : query, resource, params)
  const known =
    within && place.offset > fewSteps
      ? await ctx.services.lists.page(
          ctx.rawDb,
          {
            table: resource.table,
            orderedQuery: inDay(list.fullQuery),
            among: async (keys) => inDay(await list.among(keys)),
          },
          { ...within, limit: page.limit },
        )
      : undefined
  if (known) return known
  const rows = await rowsOfPage(place.narrow(ordered(list.fullQuery, resource, params, place.backwards)), place)
  return place.backwards ? rows.toReversed() : rows
}

/** Reads every row again after a write, so that the response shows the stored and not the sent values. */
async function reread(ctx: Context, resource: Resource, rows: readonly StoredRow[], verb: Verb): Promise<StoredRow[]> {
  const ids = rows.map((row) => row.id)
  const found = new Map<unknown, StoredRow>()
  for (const some of batches(ids))
    for (const row of await ctx.rawDb.selectFrom(resource.table).selectAll().where('id', 'in', some).execute())
      found.set(row.id, resource.decode(row))
  const current = ids.map((id, index) => found.get(id) ?? (rows[index] as StoredRow))
  const fields = chosenFields(ctx, resource, {}, verb)
  return serialize(ctx, resource, current, fields)
}

/** Rejects bodies that are not objects before a resource's own `create` receives them; errors of a list are aligned. */
function expectObjects(bodies: readonly unknown[], bulk: boolean): void {
  const problems = bodies.map(
    (body): Record<string, Problem> => (isObject(body) ? {} : { non_field_errors: [notAnObject(body)] }),
  )
  const wrong = problems.find((problem) => Object.keys(problem).length > 0)
  if (wrong) throw invalid(bulk ? problems : wrong)
}

/** The body of a call: an empty object when there is none; `null` is an error. */
function expectBody(body: unknown): unknown {
  if (Buffer.isBuffer(body)) throw parseError()
  if (body === null) throw invalid({ non_field_errors: [notAnObject(body)] })
  return body ?? {}
}

/**
 * Deletes the rows selected by a bulk call's parameters, as far as the resource allows; throws an empty 400 for too
 * wide a selection.
 */
export async function deleteSelection(ctx: Context, resource: Resource, query: Params): Promise<unknown> {
  if (resource.bulkDelete === 'never') throw emptyBadRequest()
  await demandSelection(ctx, query)
  const { indexedQuery, narrowed } = await listing(ctx, resource, query)
  const rows = (await (await indexedQuery()).execute()).map(resource.decode)
  const named = namesRows(query)
  if (typeof resource.bulkDelete === 'function')
    await resource.bulkDelete(ctx, rows, () => countOf(scoped(ctx, resource)))
  if (!narrowed || (resource.bulkDelete === 'ids' && !named)) throw emptyBadRequest()
  if (resource.bulkDelete === 'one' && rows.length !== 1) throw emptyBadRequest()
  // Rows named by id are deleted even when they are all there are; so is the only row that matches the conditions.
  if (resource.bulkDelete === 'narrower' && !named && (rows.length !== 1 || isNegation(query._rel))) {
    const all = await countOf(scoped(ctx, resource))
    if (rows.length >= all) throw emptyBadRequest()
  }
  await destroy(ctx, resource, resource.deletable ? await resource.deletable(ctx, rows) : rows)
  return noContent()
}

/** A route that writes, with the resource's questions to other machines before its transaction. */
function probedFirst(resource: Resource, route: Route): Route {
  const probe = resource.hooks?.probe
  const isWrite =
    route.method === 'POST' ? route.path === resource.url : ['PUT', 'PATCH'].includes(String(route.method))
  if (!probe || !isWrite) return route
  return {
    ...route,
    transaction: 'none',
    async handle(handling) {
      const { ctx, request } = handling
      const { id } = request.params
      const before = id === undefined ? undefined : await rowBySegment(ctx, resource, id)
      await probe(ctx, request.body, { query: request.query, ...(before ? { before } : {}) })
      return ctx.transaction(async (inside) => route.handle({ ...handling, ctx: inside }))
    },
  }
}

/** The standard routes of a resource. */
export function resourceRoutes(resource: Resource): Route[] {
  const routes: Route[] = []
  const url = resource.url
  const title = `${resource.app} ${resource.path}`
  const has = (verb: Verb) => resource.verbs?.includes(verb) ?? true
  const add = (route: Omit<Route, 'path'> & { path?: string }) => routes.push({ path: url, ...route })
  const shown = (request: RequestParts) => resource.readAs?.(request.query) ?? resource
  const one = (handling: Handling) => rowBySegment(handling.ctx, resource, handling.request.params.id ?? '')
  const detail = `${url}:id/`
  const reporting = (verb: 'create' | 'update') => (resource.reported?.includes(verb) ? { componentsOnly: true } : {})

  if (has('list'))
    add({
      method: 'GET',
      requires: requirement(resource, 'list'),
      summary: `List ${title}`,
      handle: ({ ctx, request }) =>
        exportReply(ctx, shown(request), request, () => listReply(ctx, shown(request), request)),
    })
  if (has('create'))
    add({
      method: 'POST',
      requires: requirement(resource, 'create'),
      ...reporting('create'),
      ...(resource.uploads ? { formFiles: resource.uploads } : {}),
      summary: `Create one or many ${title}`,
      handle: async ({ ctx, request }) => {
        const body = expectBody(await bodyRows(ctx, () => columnsOf(ctx, resource), request))
        if (resource.create) expectObjects([body].flat(), Array.isArray(body))
        if (Array.isArray(body)) {
          if (!resource.bulk) throw invalid({ non_field_errors: [notAnObject(body)] })
          const rows = resource.create
            ? await resource.create(ctx, body, { bulk: true, query: request.query })
            : await createMany(ctx, resource, body, request.query)
          return new Afterwards(async (later) => created(await reread(later, resource, rows, 'create')))
        }
        const row = resource.create
          ? (await resource.create(ctx, [body], { bulk: false, query: request.query }))[0]
          : await createOne(ctx, resource, body, request.query)
        const answer = await resource.answer?.(ctx, row as StoredRow, body)
        if (answer) return created(answer)
        return new Afterwards(async (later) =>
          created((await reread(later, resource, [row as StoredRow], 'create'))[0]),
        )
      },
    })
  if (has('update') && resource.bulk)
    for (const method of ['PUT', 'PATCH'] as const)
      add({
        method,
        requires: requirement(resource, 'update'),
        ...reporting('update'),
        summary: `Update many ${title}`,
        handle: async ({ ctx, request }) => {
          const body = expectBody(request.body)
          if (!Array.isArray(body))
            throw invalid({ non_field_errors: [text(errors.not_a_list, { type: typeof body })] })
          const visible = async (ids: readonly unknown[]) => {
            const rows: StoredRow[] = []
            for (const some of batches(ids))
              rows.push(...(await (await filtered(ctx, resource, request.query)).where('t.id', 'in', some).execute()))
            return rows.map(resource.decode)
          }
          await demandSelection(ctx, request.query)
          const bodies = resource.changeable ? await resource.changeable(ctx, body) : body
          const rows = await updateMany(ctx, resource, bodies, visible, method === 'PATCH', request.query)
          return new Afterwards((later) => reread(later, resource, rows, 'update'))
        },
      })
  if (has('delete') && resource.bulk)
    add({
      method: 'DELETE',
      requires: requirement(resource, 'delete'),
      summary: `Delete the selected ${title}`,
      handle: ({ ctx, request }) => deleteSelection(ctx, resource, request.query),
    })
  if (resource.suggestions) {
    const suggested = suggestedList(resource, resource.suggestions, String(requirement(resource, 'list')))
    add({
      method: 'GET',
      path: `${url}suggestions/`,
      requires: resource.suggestions.requires,
      summary: `At most ten ${title} that match a search`,
      handle: async ({ ctx, request }) => {
        const list = await suggested(ctx, request.query)
        return listReply(list.ctx, list.resource, request, list.narrow)
      },
    })
  }
  const imports = resource.imports ?? (has('create') && requirement(resource, 'create'))
  if (imports) routes.push(importRoute({ url, title, requires: imports, columns: (ctx) => columnsOf(ctx, resource) }))
  if (has('retrieve'))
    add({
      method: 'GET',
      path: detail,
      requires: requirement(resource, 'retrieve'),
      summary: `One of ${title}`,
      handle: async (handling) => {
        const { ctx, request } = handling
        const row = await one(handling)
        await resource.guard?.(ctx, row, 'retrieve')
        const as = shown(request)
        return exportReply(
          ctx,
          as,
          request,
          async () => (await serialize(ctx, as, [row], chosenFields(ctx, as, request.query, 'retrieve')))[0],
          [row],
        )
      },
    })
  if (has('update'))
    for (const method of ['PUT', 'PATCH'] as const)
      add({
        method,
        path: detail,
        requires: requirement(resource, 'update'),
        ...reporting('update'),
        summary: `Update one of ${title}`,
        handle: async (handling) => {
          const { ctx, request } = handling
          const before = await one(handling)
          const body = expectBody(request.body)
          const row = await updateOne(ctx, resource, before, body, method === 'PATCH', request.query)
          const answer = await resource.answer?.(ctx, row, body)
          if (answer) return answer
          return new Afterwards(async (later) => (await reread(later, resource, [row], 'update'))[0])
        },
      })
  if (has('delete'))
    add({
      method: 'DELETE',
      path: detail,
      requires: requirement(resource, 'delete'),
      summary: `Delete one of ${title}`,
      handle: async (handling) => {
        await destroy(handling.ctx, resource, [await one(handling)])
        return noContent()
      },
    })
  const probed = routes.map((route) => probedFirst(resource, route))
  routes.splice(0, routes.length, ...probed, ...actionRoutes(resource, resource.actions ?? []))
  if (resource.organization) for (const route of routes) route.organization ??= resource.organization
  const elsewhere = (resource.aliases ?? []).flatMap((alias) =>
    routes.map((route) => ({ ...route, path: route.path.replace(url, alias) })),
  )
  return [...routes, ...elsewhere]
}

/**
 * Routes of extra actions. A declaration lists its own; a module registers others here when they need resources that
 * the declaration must not import.
 */
export function actionRoutes<R extends Resource>(resource: R, actions: readonly Action<Row<R>>[]): Route[] {
  return actions.map(({ path, methods, detail, handle, ...rest }) => ({
    ...(rest.fields ? {} : { describes: resource.url }),
    ...(resource.organization ? { organization: resource.organization } : {}),
    ...rest,
    method: methods,
    path: detail ? `${resource.url}:id/${path}/` : `${resource.url}${path}/`,
    handle: async (handling) => {
      // An action on the collection has no row.
      const row = detail ? await rowBySegment(handling.ctx, resource, handling.request.params.id ?? '') : ({} as Row<R>)
      if (detail) await resource.guard?.(handling.ctx, row, 'action')
      return handle({ ...handling, row })
    },
  }))
}

/** Stores ids for five minutes under a token that lists, exports and bulk calls accept as `spm`. */
export async function keepSelection(ctx: Context, ids: readonly string[]): Promise<string> {
  const token = randomUUID()
  await ctx.kv.set(`spm:${token}`, ids, 300)
  return token
}
