import { randomUUID } from 'node:crypto'
import { roleIds, rootOrgId } from '@castellan/contract/ids'
import type { Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ResourceTests, resourceCases, startResourceTests } from '../../testing-resources.ts'
import { samples } from '../../testing-samples.ts'
import type { AnyRow } from '../fields/field.ts'
import type { Route } from '../route.ts'

/** Stands in every name of the foreign organization, and nowhere else. */
const mark = `leak${randomUUID().slice(0, 8)}`
/** Rows of the foreign organization, by the address of their resource. */
const rows = new Map<string, string>()
let tests: ResourceTests
let foreignOrg: string
let ownOrg: string
let callers: [string, Client][]

/** Fields that say what a row is, with the mark in them. */
function marked(body: AnyRow): AnyRow {
  const changed = { ...body }
  for (const name of ['name', 'username', 'value', 'comment', 'address', 'content'])
    if (typeof changed[name] === 'string')
      changed[name] = name === 'address' ? `${mark}.example.com` : `${body[name]}-${mark}`
  if (typeof changed.email === 'string') changed.email = `${changed.username}@${mark}.example.com`
  return changed
}

beforeAll(async () => {
  tests = await startResourceTests()
  const { server } = tests
  const organization = async (name: string) =>
    (await server.admin.collection<{ id: string }, object>('orgs/orgs').create({ name, comment: name })).id
  foreignOrg = await organization(`Foreign ${mark}`)
  ownOrg = await organization('Own')
  const admin = server.admin.in(foreignOrg)
  for (const [address, resource] of resourceCases) {
    const sample = samples[address]
    // Rows of no organization are everybody's to see, or nobody's.
    if (!sample || (resource.scope !== 'org' && address !== 'users/users')) continue
    const row = await admin.collection<{ id: string }, object>(address).create(marked(await sample(admin)))
    rows.set(address, row.id)
  }
  const user = rows.get('users/users') as string
  await admin.collection('perms/asset-permissions').create({
    name: `reach ${mark}`,
    users: [user],
    assets: [rows.get('assets/hosts')],
    nodes: [rows.get('assets/nodes')],
    accounts: ['@ALL'],
  })
  const person = async (name: string, role: string) => {
    const id = await server.person(name, { system: [roleIds.user], org: [role], orgId: ownOrg })
    return server.as(id, ownOrg)
  }
  const administrator = await person('administrator', roleIds.orgAdmin)
  const auditor = await person('auditor', roleIds.orgAuditor)
  const plain = await person('plain', roleIds.orgUser)
  callers = [
    ['administrator', administrator],
    ['administrator who names the other organization', administrator.in(foreignOrg)],
    ['administrator in the view over all organizations', administrator.in(rootOrgId)],
    ['auditor', auditor],
    ['user', plain],
    ['user in the view over all organizations', plain.in(rootOrgId)],
    ['user who names the other organization', plain.in(`Foreign ${mark}`)],
  ]
}, 120_000)
afterAll(() => tests[Symbol.asyncDispose]())

/** Who invites users must find them: by id, name and username alone, which `outsiders.test.ts` sees to. */
const meantForAll = new Set(['/api/v1/users/users/suggestions/'])

/** What a parameter of an address may mean: ids of foreign rows. */
function idsFor(route: Route, parameter: string): string[] {
  const of = (address: string) => rows.get(address) as string
  const known: Record<string, string[]> = {
    user: [of('users/users')],
    group: [of('users/groups')],
    node: [of('assets/nodes')],
  }
  if (known[parameter]) return known[parameter]
  const own = [...rows].filter(([address]) => route.path.startsWith(`/api/v1/${address}/`)).map(([, id]) => id)
  // An asset is also one of the collection over all categories.
  return own.length > 0 ? own : [of('assets/hosts'), of('users/users')]
}

function addresses(route: Route): string[] {
  const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  if (parameters.length === 0) {
    const [asset, user, node] = ['assets/hosts', 'users/users', 'assets/nodes'].map((address) => rows.get(address))
    const questions = [
      '',
      `?ids=${[...rows.values()].join()}`,
      `?id=${asset}`,
      `?asset=${asset}&asset_id=${asset}`,
      `?node=${node}&node_id=${node}&key=${node}`,
      `?user=${user}&user_id=${user}`,
      `?resource_id=${user}`,
      `?resource_id=${asset}`,
      `?search=${mark}&_rel=or`,
      `?limit=5&order=-date_created&search=${mark}`,
    ]
    return questions.map((question) => route.path + question)
  }
  let paths = [route.path]
  for (const parameter of parameters)
    paths = paths.flatMap((path) => idsFor(route, parameter).map((id) => path.replace(`:${parameter}`, id)))
  return paths
}

describe('rows of another organization', () => {
  it('are in no answer to who does not belong to it', async () => {
    const leaks: string[] = []
    const broken: string[] = []
    let answers = 0
    const ask = async (path: string, who: string, client: Client) => {
      const answer = await fetch(new URL(path, tests.server.url), {
        headers: { ...client.proof('GET', path), 'x-jms-org': orgOf(who), accept: 'application/json' },
      })
      const text = await answer.text()
      if (answer.status >= 500) broken.push(`${who}: GET ${path}: ${answer.status} ${text.slice(0, 200)}`)
      // A refusal may repeat what was asked.
      if (answer.status !== 200) return
      answers += 1
      if (withoutQuestion(text).includes(mark)) leaks.push(`${who}: GET ${path}: ${around(text)}`)
    }
    const routes = tests.server.application.routes.filter(
      ({ method, path }) =>
        [method].flat().includes('GET') &&
        path.startsWith('/api/') &&
        !path.includes('logout') &&
        !meantForAll.has(path),
    )
    for (const route of routes)
      for (const path of addresses(route)) await Promise.all(callers.map(([who, client]) => ask(path, who, client)))
    expect(leaks).toEqual([])
    expect(broken).toEqual([])
    expect(answers).toBeGreaterThan(1000)
  }, 300_000)

  it('are there for who belongs to it', async () => {
    const text = JSON.stringify(await tests.server.admin.in(foreignOrg).request('GET', '/api/v1/assets/hosts/'))
    expect(text).toContain(mark)
  })
})

const orgOf = (who: string): string =>
  who.includes('all organizations') ? rootOrgId : who.includes('the other') ? foreignOrg : ownOrg

/** Pages repeat the address they were asked by in their links. */
const withoutQuestion = (text: string) => text.replaceAll(/"(next|previous)":"[^"]*"/g, '')

const around = (text: string) => {
  const at = text.indexOf(mark)
  return text.slice(Math.max(0, at - 120), at + 60)
}
