import { roleIds } from '@castellan/contract/ids'
import type { Client } from '@castellan/testing/client'
import { sampled } from '@castellan/testing/sample'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyRow } from '../../db/database.ts'
import { type ResourceTests, resourceCases, startResourceTests } from '../../testing/resources.ts'
import { fresh, samples } from '../../testing/samples.ts'
import { casesOfThisRun } from '../../testing/this-run.ts'
import type { ManyField } from '../fields/field.ts'
import { findResource, type Resource } from '../resource/resource.ts'

let tests: ResourceTests
/** Rows of another organization by resource, created once per resource. */
const foreign = new Map<string, Promise<string>>()
let elsewhere: string
let adminElsewhere: Client
beforeAll(async () => {
  tests = await startResourceTests()
  elsewhere = (await tests.server.admin.collection<{ id: string }, object>('orgs/orgs').create({ name: 'Foreign' })).id
  adminElsewhere = tests.server.admin.in(elsewhere)
})
afterAll(() => tests[Symbol.asyncDispose]())

/** The resource that a field refers to; undefined for other fields. */
function targetOf(field: AnyRow): string | undefined {
  const join = (field as Partial<ManyField>).join
  if (join) return join.target
  return field.isRef ? field.column?.references : undefined
}

interface Case {
  address: string
  resource: Resource
  name: string
  target: string
  isList: boolean
  /** The field is a rule that contains ids. */
  isRule: boolean
}

/** Rules refer to users and assets by id inside their value. */
const rules: Readonly<Record<string, string>> = { users: 'users.user', assets: 'assets.asset' }
const isRule = (address: string, name: string, field: AnyRow) =>
  address.startsWith('acls/') && name in rules && !('join' in field)

/** Relations that may name rows of another organization on purpose, with the reason. */
const meantForAll: Readonly<Record<string, string>> = {
  'rbac/role-bindings user': 'giving a role is how somebody becomes a member',
  'rbac/org-role-bindings user': 'giving a role is how somebody becomes a member',
  'rbac/system-role-bindings user': 'system roles belong to no organization',
  'acls/login-acls users': 'such rules hold in every organization',
  'acls/login-acls reviewers': 'such rules hold in every organization',
  'acls/connect-method-acls users': 'such rules hold in every organization',
  'acls/connect-method-acls reviewers': 'such rules hold in every organization',
  'assets/favorite-assets asset': 'a mark of the caller; which assets it takes is tested with favorites',
}

const cases: Case[] = resourceCases
  .filter(([address, resource]) => samples[address] && resource.verbs?.includes('create'))
  .flatMap(([address, resource]) =>
    Object.entries(resource.fields as Record<string, AnyRow>)
      .filter(([, field]) => !field.readOnly && field.parse)
      .flatMap(([name, field]): Case[] => {
        const rule = isRule(address, name, field)
        const target = rule ? rules[name] : targetOf(field)
        if (!target) return []
        const related = findResource(target)
        if (related.scope !== 'org' && target !== 'users.user') return []
        return [{ address, resource, name, target, isList: 'join' in field, isRule: rule }]
      }),
  )

/** The id of a row that belongs only to the other organization. */
function foreignId(target: string): Promise<string> {
  let made = foreign.get(target)
  if (!made) {
    made = makeForeign(target)
    foreign.set(target, made)
  }
  return made
}

async function makeForeign(target: string): Promise<string> {
  if (target === 'users.user')
    return tests.server.person(fresh('stranger'), {
      system: [roleIds.user],
      org: [roleIds.orgUser],
      orgId: elsewhere,
    })
  const path =
    target === 'assets.asset' ? 'assets/hosts' : findResource(target).url.replace('/api/v1/', '').slice(0, -1)
  if (path === 'assets/domains' || samples[path]) {
    const body = await samples[path]?.(adminElsewhere)
    return (await adminElsewhere.collection<{ id: string }, object>(path).create(body as object)).id
  }
  throw new Error(`There is no sample for ${path}.`)
}

const valueFor = ({ isList, isRule: rule }: Case, id: string): unknown =>
  rule ? { type: 'ids', ids: [id] } : isList ? [id] : id

const named = cases.map((one) => [`${one.address} ${one.name}`, one] as const)

describe('a row of another organization', () => {
  const inThisRun = named.filter(([, { resource }]) => casesOfThisRun.some(([, one]) => one === resource))
  it.each(inThisRun.filter(([name]) => !(name in meantForAll)))(sampled('is rejected by %s'), async (_name, one) => {
    const id = await foreignId(one.target)
    const sent = { [one.name]: valueFor(one, id) }
    const body = { ...((await samples[one.address]?.(tests.server.admin)) as AnyRow), ...sent }
    const created = await tests.ask('POST', one.resource.url, { body })
    expect(created.status, created.text).toBe(400)
    expect(Object.keys(created.body), created.text).toContain(one.name)
    const [row] = await tests.make(one.address, one.resource, 1)
    if (!row || !one.resource.verbs?.includes('update')) return
    const detail = `${one.resource.url}${row.id}/`
    const changed = await tests.ask('PATCH', detail, { body: sent })
    expect([400, 405], changed.text).toContain(changed.status)
    if (!one.resource.bulk) return
    const bulk = await tests.ask('PATCH', one.resource.url, { body: [{ id: row.id, ...sent }] })
    expect([400, 405], bulk.text).toContain(bulk.status)
  })

  it('lists only relations that exist', () => {
    const known = new Set<string>(named.map(([name]) => name))
    expect(Object.keys(meantForAll).filter((name) => !known.has(name))).toEqual([])
    expect(named.length - Object.keys(meantForAll).length).toBeGreaterThan(20)
  })
})
