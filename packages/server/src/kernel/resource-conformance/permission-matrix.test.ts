import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { permissionByCode, ungrantablePermissions } from '@castellan/contract/permissions'
import { sample, sampled, seedOfThisRun } from '@castellan/testing/sample'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AnyRow } from '../../db/database.ts'
import { identity } from '../../modules.ts'
import {
  type Access,
  nobody,
  type PermissionCaller,
  standardCallers,
  witnesses,
} from '../../testing/permission-callers.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { onceOn } from '../../testing/this-run.ts'
import type { Method, RequestParts, Route } from '../http/route.ts'
import { SentBody } from '../http/sent-body.ts'
import { identified } from '../http/server.ts'
import { ApiError } from '../module/errors.ts'
import { demandAccess, type Requirement } from '../security/permission.ts'

let server: TestServer
let standard: PermissionCaller[]
let witnessesOf: Awaited<ReturnType<typeof witnesses>>
/** Sign-out would end the session that later calls need. */
const left = new Set(['/core/auth/logout/', '/api/v1/authentication/logout/'])
let operations: { route: Route; method: Method; access: Access }[]

beforeAll(async () => {
  server = await startServer()
  operations = server.application.routes
    .filter(({ path }) => !left.has(path))
    .flatMap((route) => [route.method].flat().map((method) => ({ route, method, access: reviewed(route, method) })))
  standard = await standardCallers(server)
  witnessesOf = await witnesses(
    server,
    operations.map(({ access }) => access),
  )
})
afterAll(() => server.close())

const recorded = new Map(
  readFileSync(join(import.meta.dirname, '../../../api-surface.txt'), 'utf8')
    .split('\n')
    .map((line) => line.split(' needs ') as [string, string]),
)

/**
 * What an operation is to require, from the recorded surface of the API: a route whose declaration has lost its
 * permission is found here too. Pages and what is not recorded yet go by their declaration.
 */
function reviewed(route: Route, method: Method): Access {
  const needs = recorded.get(`${method} ${route.path}`)?.replace(/ and a confirmation .*$/, '')
  if (!needs) return route
  const componentsOnly = needs.endsWith(' as a component')
  const requires = needs.replace(/ as a component$/, '').split(' and ')
  return { requires: requires.length === 1 ? String(requires[0]) : requires, componentsOnly }
}

/**
 * The expected result of a requirement for a caller: `pass`, 401 or 403. Implemented independently on purpose, to
 * verify the kernel's implementation.
 */
function expected({ requires, componentsOnly }: Access, someone: PermissionCaller): 'pass' | 401 | 403 {
  if (requires === 'public') return 'pass'
  if (!someone.codes) return 401
  if (componentsOnly && !someone.component) return 403
  if (requires === 'authenticated') return 'pass'
  if (someone.expired) return 403
  if (requires === 'valid' || someone.superuser) return 'pass'
  if (requires === 'superuser' || requires === 'nobody') return 403
  const { codes } = someone
  const holds = (entry: string) => entry.split('|').some((code) => codes.has(code.trim()))
  return [requires].flat().every(holds) ? 'pass' : 403
}

const addressOf = (route: Route) => `${route.path.replaceAll(/:\w+/g, () => randomUUID())}?ids=${randomUUID()}`

async function call(method: Method, route: Route, someone: PermissionCaller) {
  const address = addressOf(route)
  // Tells a refusal by the requirement from one by the handler.
  using handler = vi.spyOn(route, 'handle')
  const answer = await fetch(new URL(address, server.url), {
    method,
    redirect: 'manual',
    headers: { ...someone.proof(method, address), ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
  })
  const body = await answer.text()
  return { status: answer.status, body, isHandled: handler.mock.calls.length > 0 }
}

/**
 * The calls of this run: every operation by nobody and by the witnesses of its requirement, and every third by one of the
 * other callers. Without a seed every operation by everybody.
 */
function callsOfThisRun() {
  const others = standard.filter((one) => one !== nobody)
  const pairs = operations.flatMap((operation) => others.map((someone) => ({ ...operation, someone })))
  const key = ({ method, route, someone }: (typeof pairs)[number]) => `${method} ${route.path} ${someone.name}`
  return [
    ...operations.flatMap((operation) =>
      [nobody, ...witnessesOf(operation.access)].map((someone) => ({ ...operation, someone })),
    ),
    ...sample(pairs, 3 * others.length, key),
  ]
}

/** The context of a request by somebody, as the kernel makes it. */
function contextOf(someone: PermissionCaller) {
  const url = '/api/v1/users/profile/'
  const headers: RequestParts['headers'] = someone.proof('GET', url)
  const parts: RequestParts = {
    ...{ method: 'GET', url, headers, contentType: '', origin: server.url, body: undefined },
    ...{ params: {}, query: {}, queryAll: {}, cookies: {} },
    sent: new SentBody(undefined, false),
    received: Date.now(),
    multipart: () => [][Symbol.iterator]() as never,
  }
  return identified(server.application.services, identity, parts, '127.0.0.1')
}

describe('every registered route', () => {
  // Who may call what is decided before a database is asked.
  onceOn('sqlite')(
    sampled('admits exactly the callers its requirement allows, and answers with a documented status'),
    async () => {
      const { paths } = await server.admin.request<AnyRow>('GET', '/api/swagger.json')
      const wrong: string[] = []
      const calls = callsOfThisRun()
      for (const { route, method, access, someone } of calls) {
        const { status, body, isHandled } = await call(method, route, someone)
        const want = expected(access, someone)
        const line = `${method} ${route.path} as ${someone.name}: ${status}, expected ${want} ${body.slice(0, 150)}`
        if (status >= 500) wrong.push(line)
        else if (want !== 'pass' && (status !== want || isHandled)) wrong.push(line)
        else if (want === 'pass' && body.includes('not_authenticated') && access.requires !== 'public') wrong.push(line)
        // 412 asks somebody who passes for a confirmation.
        else if (want === 'pass' && !isHandled && status !== 412) wrong.push(`not handled: ${line}`)
        const operation = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
        if (operation && !operation.responses[status]) wrong.push(`not in the description: ${line}`)
      }
      expect(wrong).toEqual([])
      expect(operations.length).toBeGreaterThan(1000)
      const each = seedOfThisRun() === undefined ? standard.length : 2.8
      expect(calls.length / operations.length).toBeGreaterThan(each)
    },
    600_000,
  )

  onceOn('sqlite')(sampled('has a requirement that is decided as it says, for every caller'), async () => {
    const requirements = new Map(operations.map(({ access }) => [JSON.stringify(access), access]))
    const others = new Set([...requirements.values()].flatMap((access) => witnessesOf(access)))
    const everybody = new Set([...standard, ...sample([...others], 8, ({ name }) => name)])
    const wrong: string[] = []
    let passing = 0
    for (const someone of everybody) {
      const ctx = await contextOf(someone)
      for (const access of requirements.values()) {
        const decided = decisionOf(() => demandAccess(ctx, access as Parameters<typeof demandAccess>[1]))
        const want = expected(access, someone)
        if (want === 'pass') passing += 1
        if (decided !== want) wrong.push(`${JSON.stringify(access)} for ${someone.name}: ${decided}, expected ${want}`)
      }
    }
    expect(wrong).toEqual([])
    const pairs = everybody.size * requirements.size
    expect([requirements.size > 200, passing > pairs / 4, passing < (pairs * 3) / 4]).toEqual([true, true, true])
  })

  it('requires only permissions that exist', () => {
    const words = ['public', 'authenticated', 'valid', 'superuser', 'nobody']
    const known = new Set<string>([...words, ...ungrantablePermissions])
    const codes = server.application.routes
      .flatMap(({ requires }) => [requires].flat())
      .flatMap((entry: Requirement & string) => entry.split('|').map((code) => code.trim()))
      .filter((code) => !known.has(code) && !permissionByCode(code))
    expect([...new Set(codes)]).toEqual([])
  })

  it('rejects methods it does not have, with another status than unknown URLs', async () => {
    const client = server.admin
    const failing = (method: string, path: string) =>
      client.request(method, path).then(
        () => 200,
        (error: { status: number }) => error.status,
      )
    expect(await failing('DELETE', '/api/v1/users/profile/')).toBe(405)
    expect(await failing('GET', '/api/v1/no/such/address/')).toBe(404)
  })
})

/** `pass`, or the status with which a check refuses. */
function decisionOf(check: () => void): 'pass' | number {
  try {
    check()
    return 'pass'
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
}
