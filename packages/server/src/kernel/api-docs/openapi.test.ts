import { randomUUID } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyRow } from '../../db/database.ts'
import {
  type Answer,
  resourceCases as cases,
  has,
  type ResourceTests,
  startResourceTests,
} from '../../testing/resources.ts'
import { samples } from '../../testing/samples.ts'

/** Checks real requests and responses against the API description. */
let tests: ResourceTests
let description: AnyRow
const ajv = new Ajv2020({ strict: false })
const validators = new Map<string, ValidateFunction>()
beforeAll(async () => {
  tests = await startResourceTests()
  description = (await tests.ask('GET', '/api/swagger.json')).body
  ajv.addSchema(description, 'api')
})
afterAll(() => tests[Symbol.asyncDispose]())

/** Compiles the schema at a path of the description into a validator. */
function validator(...place: readonly string[]): ValidateFunction {
  const pointer = place.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `api#/${encodeURI(pointer)}` })
  validators.set(pointer, known)
  return known
}

/** How a response deviates from its description; undefined when it conforms. */
function unsaid(method: string, path: string, { status, body, headers, text }: Answer): string | undefined {
  const responses: AnyRow = description.paths[path][method.toLowerCase()].responses
  const own = ['paths', path, method.toLowerCase(), 'responses', String(status)]
  const said = responses[status]
  if (!said) return `${method} ${path}: ${status} ${text.slice(0, 200)}`
  const place: string[] = said.$ref ? said.$ref.slice(2).split('/') : own
  const response = place.reduce((part, name) => part[name], description)
  if (status === 204) return text === '' ? undefined : `${method} ${path}: a body`
  if (!response.content) return undefined
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  if (!response.content[type]) return `${method} ${path}: ${type}`
  if (type !== 'application/json') return undefined
  const fits = validator(...place, 'content', type, 'schema')
  return fits(body) ? undefined : `${method} ${path} ${status}: ${ajv.errorsText(fits.errors)} ${text.slice(0, 600)}`
}

/** How a request body violates its description. */
function unfit(method: string, path: string, body: unknown): string | undefined {
  const fits = validator('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema')
  return fits(body) ? undefined : `${method} ${path}: ${ajv.errorsText(fits.errors)} ${JSON.stringify(body)}`
}

it('is a valid OpenAPI document, and every schema in it is valid', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(description))
  expect([valid, errors]).toEqual([true, undefined])
  // The OpenAPI meta-schema leaves the content of schemas to the JSON Schema meta-schema.
  const isSchema = (name: string, inSchemas: boolean) => name === 'schema' || inSchemas
  const left: [unknown, string[], boolean][] = [[description, [], false]]
  const wrong: string[] = []
  let checked = 0
  for (let one = left.pop(); one; one = left.pop()) {
    const [value, path, inSchemas] = one
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inside] of Object.entries(value)) {
      const at = [...path, name]
      if (!isSchema(name, inSchemas)) left.push([inside, at, at.join() === 'components,schemas'])
      else {
        checked++
        if (!ajv.validateSchema(inside)) wrong.push(`${at.join('/')}: ${ajv.errorsText()}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(checked).toBeGreaterThan(500)
})

it('declares null at most once per type', () => {
  const schemas: AnyRow = description.components.schemas
  expect(schemas['terminal.replay-storages'].properties.meta.type).toEqual(['object', 'null'])
  expect(schemas['terminal.replay-storages.create'].properties.meta).toMatchObject({ title: expect.any(String) })
})

describe.each(cases)('%s', (address, resource) => {
  const { url } = resource
  const detail = `${url}{id}/`

  it('accepts and returns values that match its description', async () => {
    const problems: (string | undefined)[] = []
    const asked = async (method: string, path: string, at: string, body?: unknown): Promise<AnyRow> => {
      const answer = await tests.ask(method, at, body === undefined ? {} : { body })
      problems.push(unsaid(method, path, answer))
      return answer.body
    }
    const sample = samples[address]
    const body = sample && has(resource, 'create') ? await sample(tests.server.admin) : undefined
    let made: AnyRow | undefined
    if (body) {
      problems.push(unfit('POST', url, body))
      made = await asked('POST', url, url, body)
    }
    if (has(resource, 'create')) await asked('POST', url, url, {})
    if (has(resource, 'list')) {
      const [first] = (await asked('GET', url, url)) as AnyRow[]
      made ??= first
      await asked('GET', url, `${url}?limit=1`)
      await asked('GET', url, `${url}?ids=x`)
    }
    const at = `${url}${made?.id ?? randomUUID()}/`
    if (has(resource, 'retrieve')) {
      await asked('GET', detail, at)
      await asked('GET', detail, `${url}${randomUUID()}/`)
    }
    if (has(resource, 'update')) {
      await asked('PATCH', detail, at, {})
      if (body) await asked('PUT', detail, at, body)
      await asked('PATCH', detail, at, { name: {}, is_active: 'x' })
    }
    if (has(resource, 'delete')) await asked('DELETE', detail, at)
    expect(problems.filter(Boolean)).toEqual([])
  })
})
