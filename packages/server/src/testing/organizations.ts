import { randomUUID } from 'node:crypto'
import { roleIds, rootOrgId } from '@castellan/contract/ids'
import type { Client } from '@castellan/testing/client'
import { sample } from '@castellan/testing/sample'
import type { AnyRow } from '../db/database.ts'
import type { Route } from '../kernel/http/route.ts'
import { type ResourceTests, resourceCases, startResourceTests } from './resources.ts'
import { samples } from './samples.ts'

/** Two organizations: one with a row of everything, and another one whose users try to reach it. */
export interface TwoOrganizations extends AsyncDisposable {
  tests: ResourceTests
  /** Part of every name of the foreign organization, and of nothing else. */
  mark: string
  foreignOrg: string
  ownOrg: string
  /** Rows of the foreign organization, by the URL of their resource. */
  rows: ReadonlyMap<string, string>
  /** Users of the other organization by role, and the organization that their requests name. */
  callers: readonly { who: string; client: Client; names: string }[]
}

/** Who calls a route in this run: with a seed a few of the callers, so that a few seeds have every caller at every route. */
export const callersOf = (
  callers: TwoOrganizations['callers'],
  { method, path }: Pick<Route, 'method' | 'path'>,
): TwoOrganizations['callers'] => sample(callers, 4, ({ who }) => who, `${method} ${path}`)

/** Text fields of a row with the mark added. */
function marked(body: AnyRow, mark: string): AnyRow {
  const changed = { ...body }
  for (const name of ['name', 'username', 'value', 'comment', 'content'])
    if (typeof changed[name] === 'string') changed[name] = `${body[name]}-${mark}`
  if (typeof changed.address === 'string') changed.address = `${mark}.example.com`
  if (typeof changed.email === 'string') changed.email = `${changed.username}@${mark}.example.com`
  return changed
}

export async function startTwoOrganizations(): Promise<TwoOrganizations> {
  const mark = `leak${randomUUID().slice(0, 8)}`
  const tests = await startResourceTests()
  const { server } = tests
  const organization = async (name: string) =>
    (await server.admin.collection<{ id: string }, object>('orgs/orgs').create({ name, comment: name })).id
  const foreignOrg = await organization(`Foreign ${mark}`)
  const ownOrg = await organization('Own')
  const admin = server.admin.in(foreignOrg)
  const rows = new Map<string, string>()
  for (const [address, resource] of resourceCases) {
    const sample = samples[address]
    // Rows without an organization are visible to everyone or to nobody.
    if (!sample || (resource.scope !== 'org' && address !== 'users/users')) continue
    const row = await admin.collection<{ id: string }, object>(address).create(marked(await sample(admin), mark))
    rows.set(address, row.id)
  }
  await admin.collection('perms/asset-permissions').create({
    name: `reach ${mark}`,
    users: [rows.get('users/users')],
    assets: [rows.get('assets/hosts')],
    nodes: [rows.get('assets/nodes')],
    accounts: ['@ALL'],
  })
  const person = async (name: string, role: string) => {
    const id = await server.person(name, { system: [roleIds.user], org: [role], orgId: ownOrg })
    return (names: string) => server.as(id, names).then((client) => ({ who: `${name} naming ${names}`, client, names }))
  }
  const administrator = await person('administrator', roleIds.orgAdmin)
  const auditor = await person('auditor', roleIds.orgAuditor)
  const plain = await person('user', roleIds.orgUser)
  const callers = await Promise.all([
    administrator(ownOrg),
    administrator(foreignOrg),
    administrator(rootOrgId),
    auditor(ownOrg),
    plain(ownOrg),
    plain(rootOrgId),
    plain(foreignOrg),
  ])
  return { tests, mark, foreignOrg, ownOrg, rows, callers, [Symbol.asyncDispose]: () => tests[Symbol.asyncDispose]() }
}

/** The URLs of a route with ids of foreign rows as parameters. */
export function foreignAddresses(rows: ReadonlyMap<string, string>, route: Route): string[] {
  const of = (address: string) => rows.get(address) as string
  const known: Record<string, string[]> = {
    user: [of('users/users')],
    group: [of('users/groups')],
    node: [of('assets/nodes')],
  }
  const own = [...rows].filter(([address]) => route.path.startsWith(`/api/v1/${address}/`)).map(([, id]) => id)
  // An asset is also in the collection over all categories.
  const others = own.length > 0 ? own : [of('assets/hosts'), of('users/users')]
  const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  return parameters.reduce<string[]>(
    (paths, name) => paths.flatMap((path) => (known[name] ?? others).map((id) => path.replace(`:${name}`, id))),
    [route.path],
  )
}
