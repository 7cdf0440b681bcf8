import type { Field } from './fields/field.ts'
import type { Requirement } from './permission.ts'
import type { Resource } from './resource.ts'
import type { Method, Route } from './route.ts'
import { helpOf, labelOf, nameOf } from './texts.ts'

type Json = Record<string, unknown>

const labelled: Json = {
  type: ['object', 'null'],
  properties: { value: {}, label: { type: 'string' } },
  required: ['value', 'label'],
}
const related: Json = { type: ['object', 'null'], properties: { id: {}, name: { type: 'string' } } }

const shapes: Partial<Record<Field['type'], Json>> = {
  string: { type: 'string' },
  email: { type: 'string', format: 'email' },
  url: { type: 'string', format: 'uri' },
  slug: { type: 'string' },
  integer: { type: 'integer' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  datetime: { type: 'string', description: 'YYYY/MM/DD HH:mm:ss ±HHMM' },
  choice: { type: ['string', 'integer'] },
  'multiple choice': { type: 'array', items: { type: 'string' } },
  labeled_choice: labelled,
  object_related_field: related,
  m2m_related_field: { type: 'array', items: related },
  list: { type: 'array' },
  'nested object': { type: 'object' },
  tree: { type: 'array', items: labelled },
}

function fieldSchema(resource: Resource, name: string, field: Field): Json {
  const shape = shapes[field.type] ?? {}
  const nullable = field.nullable && typeof shape.type === 'string' ? { type: [shape.type, 'null'] } : {}
  const help = helpOf(resource, name, 'en')
  return {
    title: labelOf(resource, name, 'en'),
    ...shape,
    ...nullable,
    ...(help ? { description: help } : {}),
    ...(field.readOnly ? { readOnly: true } : {}),
    ...(field.writeOnly ? { writeOnly: true } : {}),
  }
}

function resourceSchema(resource: Resource): Json {
  const required = Object.entries(resource.fields)
    .filter(([, field]) => field.required && !field.readOnly)
    .map(([name]) => name)
  const properties = Object.fromEntries(
    Object.entries(resource.fields).map(([name, field]) => [name, fieldSchema(resource, name, field)]),
  )
  return { type: 'object', title: nameOf(resource).en, properties, ...(required.length > 0 ? { required } : {}) }
}

const said = (requires: Requirement): string => (Array.isArray(requires) ? requires.join(' and ') : String(requires))
const schemaName = (resource: Resource) => `${resource.app}.${resource.path.replaceAll('/', '.')}`

function parameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function listParameters(resource: Resource): Json[] {
  const filters = new Set([
    ...Object.entries(resource.fields)
      .filter(([, field]) => field.filter)
      .map(([name]) => name),
    ...Object.keys(resource.filters ?? {}),
  ])
  const names = ['limit', 'offset', 'order', 'search', 'spm', 'ids', ...filters]
  return names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }))
}

function operation(route: Route, method: Method, resource: Resource | undefined): Json {
  const open = route.requires === 'public'
  const own = resource && { $ref: `#/components/schemas/${schemaName(resource)}` }
  const isList = resource?.url === route.path && method === 'GET'
  const isRow = resource && (route.path === resource.url || route.path === `${resource.url}:id/`)
  const body =
    isRow && own && method !== 'GET' && method !== 'DELETE'
      ? { requestBody: { content: { 'application/json': { schema: own } } } }
      : {}
  const answer = isRow && own ? (isList ? { type: 'array', items: own } : own) : {}
  return {
    summary: route.summary,
    description: `Needs: ${said(route.requires)}.${route.confirm ? ` Asks for a confirmation (412): ${route.confirm}.` : ''}`,
    operationId: `${method.toLowerCase()}${route.path.replace(/[/:{}-]+/g, '_')}`,
    tags: [route.path.split('/')[3] ?? 'pages'],
    parameters: [...parameters(route.path), ...(isList && resource ? listParameters(resource) : [])],
    ...body,
    responses: {
      [method === 'POST' ? '201' : method === 'DELETE' ? '204' : '200']:
        method === 'DELETE'
          ? { description: 'Done.' }
          : { description: 'Done.', content: { 'application/json': { schema: answer } } },
      '400': { description: 'What was sent cannot be used; the body says why, by field.' },
      ...(open
        ? {}
        : { '401': { description: 'Nobody is signed in.' }, '403': { description: 'The right is missing.' } }),
    },
    ...(open ? { security: [] } : {}),
  }
}

/** The API as an OpenAPI 3.1 document, made from the declarations the routes themselves are made from. */
export function openApi(routes: readonly Route[], resources: ReadonlyMap<string, Resource>, version: string): Json {
  const paths: Record<string, Json> = {}
  const schemas: Json = {}
  for (const route of routes) {
    if (!route.path.startsWith('/api/')) continue
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const resource = resources.get(route.path)
    if (resource) schemas[schemaName(resource)] ??= resourceSchema(resource)
    const operations = paths[path] ?? {}
    for (const method of [route.method].flat()) operations[method.toLowerCase()] = operation(route, method, resource)
    paths[path] = operations
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Castellan', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'jms_sessionid' },
      },
    },
    security: [{ bearer: [] }, { session: [] }],
  }
}
