import { sampled, seedOfThisRun } from '@castellan/testing/sample'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callersOf,
  foreignAddresses,
  startTwoOrganizations,
  type TwoOrganizations,
} from '../../testing/organizations.ts'
import type { Route } from '../http/route.ts'

let orgs: TwoOrganizations
beforeAll(async () => {
  orgs = await startTwoOrganizations()
}, 120_000)
afterAll(() => orgs[Symbol.asyncDispose]())

/** Users are found for invitations by id, name and username only; `outsiders.test.ts` checks this. */
const meantForAll = new Set(['/api/v1/users/users/suggestions/'])

function addresses(route: Route): string[] {
  const { rows, mark } = orgs
  if (route.path.includes(':')) return foreignAddresses(rows, route)
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

describe('rows of another organization', () => {
  it(sampled('are in no response to a caller outside it'), async () => {
    const { tests, mark } = orgs
    const leaks: string[] = []
    const broken: string[] = []
    let answers = 0
    const ask = async (path: string, { who, client, names }: TwoOrganizations['callers'][number]) => {
      const answer = await fetch(new URL(path, tests.server.url), {
        headers: { ...client.proof('GET', path), 'x-jms-org': names, accept: 'application/json' },
      })
      const text = await answer.text()
      if (answer.status >= 500) broken.push(`${who}: GET ${path}: ${answer.status} ${text.slice(0, 200)}`)
      // An error may repeat the sent value.
      if (answer.status !== 200) return
      answers += 1
      const at = withoutQuestion(text).indexOf(mark)
      if (at >= 0) leaks.push(`${who}: GET ${path}: ${text.slice(Math.max(0, at - 120), at + 60)}`)
    }
    const routes = tests.server.application.routes.filter(
      ({ method, path }) =>
        [method].flat().includes('GET') &&
        path.startsWith('/api/') &&
        !path.includes('logout') &&
        !meantForAll.has(path),
    )
    for (const route of routes) {
      const callers = callersOf(orgs.callers, route)
      for (const path of addresses(route)) await Promise.all(callers.map((caller) => ask(path, caller)))
    }
    expect(leaks).toEqual([])
    expect(broken).toEqual([])
    // As many of those that are made in this run.
    expect(answers).toBeGreaterThan(seedOfThisRun() === undefined ? 1000 : 200)
  }, 300_000)

  it('are visible to its members', async () => {
    const { tests, foreignOrg, mark } = orgs
    const text = JSON.stringify(await tests.server.admin.in(foreignOrg).request('GET', '/api/v1/assets/hosts/'))
    expect(text).toContain(mark)
  })
})

/** Links of pages repeat the requested URL. */
const withoutQuestion = (text: string) => text.replaceAll(/"(next|previous)":"[^"]*"/g, '')
