import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resourcesByPath } from '../../application.ts'
import { resourceCases as cases, has, type ResourceTests, startResourceTests } from '../../testing/resources.ts'
import { samples } from '../../testing/samples.ts'
import { isObject } from '../fields/safe-lookup.ts'
import type { Resource } from '../resource/resource.ts'
import { answerShape } from './wire-shapes.ts'
import { hiddenIn, wireTypes } from './wire-types.ts'

let tests: ResourceTests
beforeAll(async () => {
  tests = await startResourceTests()
})
afterAll(() => tests[Symbol.asyncDispose]())

it('are those the declarations generate; after a change of declarations, `npm run wire-types` writes them', () => {
  const written = readFileSync(join(import.meta.dirname, '../../../../contract/src/wire.gen.ts'), 'utf8')
  expect(written).toBe(wireTypes(resourcesByPath().values()))
})

/** The fields that a row lacks, although their type does not say so. */
const lacking = (resource: Resource, row: unknown): string[] => {
  const hidden = hiddenIn(resource)
  return Object.entries(resource.fields)
    .filter(([name, { writeOnly }]) => isObject(row) && !writeOnly && !hidden.has(name) && !(name in row))
    .map(([name]) => `${resource.url} ${name}: is missing`)
}

/** What a row has and its type does not say. */
const untrue = (resource: Resource, row: unknown): string[] => [
  ...lacking(resource, row),
  ...Object.entries(isObject(row) ? row : { '': row }).flatMap(([name, value]) => {
    const field = resource.fields[name]
    if (!field) return [`${resource.url} ${name}: not declared`]
    const shape = answerShape(field)
    return shape.holds(value) ? [] : [`${resource.url} ${name}: ${JSON.stringify(value)} is not ${shape.type}`]
  }),
]

it('are true of the rows in lists and details of every collection', async () => {
  const wrong = new Set<string>()
  const seen = new Set<string>()
  for (const [address, resource] of cases) {
    if (has(resource, 'create') && samples[address]) await tests.make(address, resource, 1)
    if (!has(resource, 'list')) continue
    const { status, body } = await tests.ask('GET', resource.url)
    const rows: unknown[] = status === 200 && Array.isArray(body) ? body : []
    for (const row of rows) for (const problem of untrue(resource, row)) wrong.add(problem)
    const [first] = rows
    if (!isObject(first)) continue
    seen.add(address)
    if (!has(resource, 'retrieve') || first.id === undefined) continue
    const detail = await tests.ask('GET', `${resource.url}${first.id}/`)
    if (detail.status === 200) for (const problem of untrue(resource, detail.body)) wrong.add(problem)
  }
  expect([...wrong]).toEqual([])
  expect(seen.size).toBeGreaterThan(35)
})
