import { sampled } from '@castellan/testing/sample'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AnyRow } from '../../db/database.ts'
import { modules } from '../../modules.ts'
import {
  callersOf,
  foreignAddresses,
  startTwoOrganizations,
  type TwoOrganizations,
} from '../../testing/organizations.ts'
import type { Method, Route } from '../http/route.ts'
import { declaredTables } from '../resource/schema.ts'

let orgs: TwoOrganizations
beforeAll(async () => {
  orgs = await startTwoOrganizations()
}, 120_000)
afterAll(() => orgs[Symbol.asyncDispose]())

/** Everything stored for the foreign organization: its rows, and links to them except those of our own rows. */
async function stored(): Promise<string[]> {
  const { tests, rows, foreignOrg, ownOrg } = orgs
  const { rawDb } = tests.server.context()
  const names = declaredTables(modules).map(({ name }) => name)
  const ids = [...rows.values(), foreignOrg]
  const found: string[] = []
  for (const name of names.filter((table) => !passing.has(table)))
    for (const row of (await rawDb.selectFrom(name).selectAll().execute()) as AnyRow[]) {
      const text = JSON.stringify({ ...row, date_api_key_last_used: null, date_last_used: null })
      if (ids.some((id) => text.includes(id)) && !text.includes(ownOrg)) found.push(`${name} ${text}`)
    }
  return found.toSorted()
}

/** Short-lived values; and change records, whose ids a caller may choose for rows of its own. */
const passing = new Set(['kernel_memory', 'kernel_row_news'])

const unsafe = new Set<Method>(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Bodies that name foreign rows in every known field at once; routes ignore unknown fields. */
function bodies(): unknown[] {
  const { rows } = orgs
  const of = (address: string) => rows.get(address)
  const [asset, node, user, group] = [of('assets/hosts'), of('assets/nodes'), of('users/users'), of('users/groups')]
  const [account, template, domain] = [of('accounts/accounts'), of('accounts/account-templates'), of('assets/domains')]
  const all = [...rows.values()]
  const named = {
    ...{ name: 'planted', username: 'planted', value: 'planted', comment: 'planted', action: 'remove', type: 'user' },
    ...{ id: asset, pk: asset, asset, node, user, usergroup: group, account, template, domain, user_id: user },
    ...{ assets: [asset], nodes: [node], users: [user], user_groups: [group], groups: [group], accounts: [account] },
    ...{ ids: all, resources: all, account_ids: [account], asset_ids: [asset], asset_id: asset, node_id: node },
    ...{
      password: 'Planted-pass1',
      secret: 'planted',
      is_active: false,
      org_id: orgs.foreignOrg,
      org: orgs.foreignOrg,
    },
    ...{ accounts_to_remove: [account], labels: [of('assets/labels')], assetpermission: of('perms/asset-permissions') },
  }
  return [named, all.map((id) => ({ ...named, id }))]
}

it(sampled('calls that name rows of another organization change none of them'), async () => {
  const { tests, rows } = orgs
  // Every route with a requirement rejects a caller who selects the other organization; the permission matrix checks
  // that.
  const callers = orgs.callers.filter(({ names }) => names !== orgs.foreignOrg)
  const before = await stored()
  const broken: string[] = []
  let calls = 0
  const send = async (method: Method, path: string, body: unknown, caller: TwoOrganizations['callers'][number]) => {
    const answer = await fetch(new URL(path, tests.server.url), {
      method,
      redirect: 'manual',
      headers: { ...caller.client.proof(method, path), 'x-jms-org': caller.names, 'content-type': 'application/json' },
      ...(method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    calls += 1
    if (answer.status >= 500) broken.push(`${caller.who}: ${method} ${path}: ${answer.status} ${text.slice(0, 200)}`)
  }
  const routes = tests.server.application.routes.filter(
    ({ path }) => path.startsWith('/api/v1/') && !ownDoing.some((part) => path.includes(part)),
  )
  const question = `?ids=${[...rows.values()].join()}`
  for (const route of routes)
    for (const method of [route.method].flat().filter((one) => unsafe.has(one)))
      for (const path of addressesOf(route, question))
        for (const body of method === 'DELETE' ? [undefined] : bodies())
          await Promise.all(
            callersOf(callers, { method, path: route.path }).map((caller) => send(method, path, body, caller)),
          )
  expect(broken).toEqual([])
  expect(calls).toBeGreaterThan(1000)
  expect(await stored()).toEqual(before)
}, 600_000)

const addressesOf = (route: Route, question: string) =>
  route.path.includes(':') ? foreignAddresses(orgs.rows, route) : [route.path, route.path + question]

/** Sign-in, sign-out and the caller's own account, which later calls need. */
const ownDoing = [
  'logout',
  '/users/profile/',
  '/authentication/auth/',
  '/authentication/tokens/',
  '/users/users/invite/',
]
