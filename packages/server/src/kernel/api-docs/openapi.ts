import { fileTypes } from '../http/negotiation.ts'
import type { Method, Route } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import type { Resource, Verb } from '../resource/resource.ts'
import type { Requirement } from '../security/permission.ts'
import { answerSchema, bodySchema, type Json } from './openapi-schemas.ts'

const said = (requires: Requirement): string => (Array.isArray(requires) ? requires.join(' and ') : String(requires))
const schemaName = (resource: Resource) => `${resource.app}.${resource.path.replaceAll('/', '.')}`
const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: Json): Json => ({ 'application/json': { schema } })
const list = (items: Json): Json => ({ type: 'array', items })

/** The schemas of a resource: its rows, and the bodies that create, replace or change one. */
const schemasOf = (ctx: Context, resource: Resource): Record<string, Json> => {
  const name = schemaName(resource)
  return {
    [name]: answerSchema(resource),
    [`${name}.create`]: bodySchema(ctx, resource, 'create', false),
    [`${name}.replace`]: bodySchema(ctx, resource, 'update', false),
    [`${name}.change`]: bodySchema(ctx, resource, 'update', true),
  }
}
const sentAs: Partial<Record<Method, string>> = { POST: 'create', PUT: 'replace', PATCH: 'change' }

/** A list as an array (without `limit`) or as a page. */
const listed = (items: Json): Json => ({
  anyOf: [
    list(items),
    {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        next: { type: ['string', 'null'] },
        previous: { type: ['string', 'null'] },
        results: list(items),
      },
      required: ['count', 'next', 'previous', 'results'],
    },
  ],
})

function parameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

const listNames: Readonly<Record<string, string>> = {
  limit: 'Rows of a page; without it the whole list, as a bare array.',
  offset: 'Rows before the page.',
  order: 'Names of fields, separated by commas; with a minus the other way round.',
  search: 'Words, each of which a row must contain.',
  spm: 'Only the rows of a selection that was kept under this token.',
  ids: 'Only the rows with these ids, separated by commas.',
  'id!': 'Not the rows with these ids, separated by commas.',
  _rel: '`or`: rows that meet one of the conditions; `not`: rows that do not meet them.',
  fields: 'Only these fields, separated by commas.',
  'fields!': 'Not these fields, separated by commas.',
  fields_size: '`mini` or `small`: fewer fields.',
  format: '`json`, or a file: `csv` or `xlsx`.',
}

function listParameters(resource: Resource): Json[] {
  const filters = [
    ...Object.entries(resource.fields)
      .filter(([, field]) => field.filter)
      .map(([name]) => name),
    ...Object.keys(resource.filters ?? {}),
    ...(resource.dateRange ? ['date_from', 'date_to'] : []),
    ...(resource.ruleAttributes ? ['attr_rules'] : []),
  ]
  return [...new Set([...Object.keys(listNames), ...filters])].map((name) => ({
    name,
    in: 'query',
    ...(listNames[name] ? { description: listNames[name] } : {}),
    schema: { type: 'string' },
  }))
}

/** Descriptions of error responses by status. */
const refusals: Readonly<Record<number, string>> = {
  400: 'Invalid request; the body says why, by field or in one sentence. Empty body: the selection was too wide.',
  401: 'Not signed in, or the credentials are invalid.',
  403: 'The permission is missing, or no caller may do this.',
  404: 'Not found among the objects visible to the caller.',
  406: 'No accepted media type is available.',
  409: 'Conflict with another request in progress.',
  412: 'A recent confirmation is required.',
  413: 'The body is too large.',
  503: 'The database is unavailable or full.',
}
const refusalName = (status: number | string) => `refused${status}`
const refusalResponses = (): Json =>
  Object.fromEntries(
    Object.entries(refusals).map(([status, description]) => [
      refusalName(status),
      // A 400 body lists errors by field, is an array for bulk calls, and may be empty, so it has no schema.
      { description, ...(status === '400' ? {} : { content: json(reference('refusal')) }) },
    ]),
  )

function refusedWith(route: Route, method: Method, resource: Resource | undefined): number[] {
  const writes = method !== 'GET'
  return [
    ...[400, 401, 403, 404, 503],
    406,
    ...(writes ? [409] : []),
    ...(route.confirm || (writes && method !== 'DELETE' && resource?.confirms) ? [412] : []),
    ...(writes && method !== 'DELETE' ? [413] : []),
  ]
}

const verbs: Readonly<Record<Method, Verb>> = {
  GET: 'list',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/**
 * Request and response schemas of a resource's standard route; undefined for other routes, whose shapes are not
 * declared.
 */
function shapes(route: Route, method: Method, resource: Resource | undefined) {
  const verb = method === 'GET' && route.path.endsWith(':id/') ? 'retrieve' : verbs[method]
  if (!resource?.verbs?.includes(verb)) return undefined
  const [collection, detail, suggestions] = [resource.url, `${resource.url}:id/`, `${resource.url}suggestions/`]
  const row = reference(schemaName(resource))
  const body = sentAs[method] ? reference(`${schemaName(resource)}.${sentAs[method]}`) : undefined
  if (route.path === suggestions) return { answer: listed(row), isList: true }
  if (route.path === detail) return { body, answer: row, files: method === 'GET' }
  if (route.path !== collection) return undefined
  if (method === 'GET') return { answer: listed(row), files: true, isList: true }
  if (method !== 'POST') return { body: body && list(body), answer: list(row) }
  return resource.bulk && body
    ? { body: { anyOf: [body, list(body)] }, answer: { anyOf: [row, list(row)] } }
    : { body, answer: row }
}

function operation(route: Route, method: Method, resource: Resource | undefined): Json {
  const open = route.requires === 'public'
  const known = shapes(route, method, resource)
  const usual = known ? { POST: 201, DELETE: 204 }[method as string] : undefined
  const answer = { [route.mediaType ?? 'application/json']: { schema: known?.answer ?? {} } }
  const files = known?.files ? [...fileTypes.csv, ...fileTypes.xlsx] : (route.answers ?? [])
  const content = { ...(route.answers ? {} : answer), ...Object.fromEntries(files.map((type) => [type, {}])) }
  const response = (status: number): Json => {
    if (refusals[status]) return { $ref: `#/components/responses/${refusalName(status)}` }
    return status === 204 || status === 302 || route.withoutBody
      ? { description: 'Done.' }
      : { description: 'Done.', content }
  }
  const statuses = [...(route.statuses ?? [usual ?? 200]), ...refusedWith(route, method, resource)]
  return {
    summary: route.summary,
    description: `Needs: ${said(route.requires)}.${route.componentsOnly ? ' For components only.' : ''}${route.confirm ? ` Asks for a confirmation (412): ${route.confirm}.` : ''}`,
    operationId: `${method.toLowerCase()}${route.path.replace(/[/:{}-]+/g, '_')}`,
    tags: [route.path.split('/')[3] ?? 'pages'],
    parameters: [...parameters(route.path), ...(known?.isList && resource ? listParameters(resource) : [])],
    ...(known?.body ? { requestBody: { content: json(known.body) } } : {}),
    responses: Object.fromEntries(statuses.map((status) => [status, response(status)])),
    ...(open ? { security: [] } : {}),
  }
}

const knownOperations = new WeakMap<Route, Json>()

/** The operations of a route by method. They depend on declarations only, so they are described once. */
function operationsOf(route: Route, resource: Resource | undefined): Json {
  let operations = knownOperations.get(route)
  if (!operations) {
    operations = Object.fromEntries(
      [route.method].flat().map((method) => [method.toLowerCase(), operation(route, method, resource)]),
    )
    knownOperations.set(route, operations)
  }
  return operations
}

/** The API as an OpenAPI 3.1 document, generated from the route and resource declarations. */
export function openApi(
  ctx: Context,
  routes: readonly Route[],
  resources: ReadonlyMap<string, Resource>,
  version: string,
): Json {
  const paths: Record<string, Json> = {}
  const schemas: Json = {
    refusal: {
      type: 'object',
      properties: { detail: { type: 'string' }, code: { type: 'string' }, error: {}, msg: {} },
    },
  }
  for (const route of routes) {
    if (!route.path.startsWith('/api/')) continue
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const resource = resources.get(route.path)
    if (resource && !schemas[schemaName(resource)]) Object.assign(schemas, schemasOf(ctx, resource))
    const operations = paths[path] ?? {}
    Object.assign(operations, operationsOf(route, resource))
    paths[path] = operations
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Castellan', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      schemas,
      responses: refusalResponses(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'jms_sessionid' },
      },
    },
    security: [{ bearer: [] }, { session: [] }],
  }
}
