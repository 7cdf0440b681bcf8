import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { builtinRoles, permissionByCode, ungrantablePermissions } from '@castellan/contract/permissions'
import { registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyRow } from '../../db/database.ts'
import { roleCodes } from '../../modules/rbac/index.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import type { Method, Route } from '../http/route.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

interface Someone {
  name: string
  /** The headers that authenticate the caller. A signature covers the method and the path. */
  proof(method: string, path: string): Record<string, string>
  /** Undefined for a caller who is not signed in. */
  codes: ReadonlySet<string> | undefined
  superuser: boolean
  component: boolean
}

async function everybody(): Promise<Someone[]> {
  const found: Someone[] = [{ name: 'nobody', proof: () => ({}), codes: undefined, superuser: false, component: false }]
  const add = async (name: string, id: string, codes: ReadonlySet<string>, superuser = false) => {
    const client = await server.as(id)
    found.push({
      name,
      proof: (method, path) => ({ ...client.proof(method, path), 'x-jms-org': defaultOrgId }),
      codes,
      superuser,
      component: false,
    })
  }
  for (const { id, name, scope } of builtinRoles) {
    const user = await server.person(name, scope === 'system' ? { system: [id] } : { org: [id] })
    await add(name, user, new Set(roleCodes(id, [], scope)), name === 'SystemAdmin')
  }
  const elsewhere = await server.organization('Elsewhere')
  const theirs = (name: string, role: string) =>
    server.person(name, { system: [roleIds.user], org: [role], orgId: elsewhere })
  // A caller who selects an organization without membership has no permissions in it, not even those every user has.
  await add('member of another organization', await theirs('member', roleIds.orgUser), new Set())
  await add('OrgAdmin of another organization', await theirs('stranger', roleIds.orgAdmin), new Set())
  const invited = await theirs('invited', roleIds.orgAdmin)
  await server.admin.request('POST', '/api/v1/users/users/invite/', { users: [invited], org_roles: [roleIds.orgUser] })
  const asMember = [...roleCodes(roleIds.user, [], 'system'), ...roleCodes(roleIds.orgUser, [], 'org')]
  await add('OrgAdmin of another organization, invited here', invited, new Set(asMember))
  const gateway = await registerComponent(server.url, server.bootstrapToken, 'gateway of the matrix')
  found.push({
    name: 'a component',
    proof: (method, path) => ({ ...gateway.proof(method, path), 'x-jms-org': 'ROOT' }),
    codes: new Set(roleCodes(roleIds.systemComponent, [], 'system')),
    superuser: false,
    component: true,
  })
  return found
}

/**
 * The expected result of a requirement for a caller: `pass`, 401 or 403. Implemented independently on purpose, to
 * verify the kernel's implementation.
 */
function expected({ requires, componentsOnly }: Route, someone: Someone): 'pass' | 401 | 403 {
  if (requires === 'public') return 'pass'
  if (!someone.codes) return 401
  if (componentsOnly && !someone.component) return 403
  if (requires === 'authenticated' || requires === 'valid' || someone.superuser) return 'pass'
  if (requires === 'superuser' || requires === 'nobody') return 403
  const { codes } = someone
  const holds = (entry: string) => entry.split('|').some((code) => codes.has(code.trim()))
  return [requires].flat().every(holds) ? 'pass' : 403
}

/** Sign-out would end the session that later calls need. */
const left = new Set(['/core/auth/logout/', '/api/v1/authentication/logout/'])

const addressOf = (route: Route) => `${route.path.replaceAll(/:\w+/g, () => randomUUID())}?ids=${randomUUID()}`

async function call(method: Method, route: Route, someone: Someone) {
  const address = addressOf(route)
  const answer = await fetch(new URL(address, server.url), {
    method,
    redirect: 'manual',
    headers: { ...someone.proof(method, address), ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
  })
  const body = await answer.text()
  return { status: answer.status, body }
}

describe('every registered route', () => {
  it('admits exactly the callers its declaration allows, and answers with a documented status', async () => {
    const users = await everybody()
    const { paths } = await server.admin.request<AnyRow>('GET', '/api/swagger.json')
    const wrong: string[] = []
    let calls = 0
    for (const route of server.application.routes.filter(({ path }) => !left.has(path)))
      for (const method of [route.method].flat())
        for (const someone of users) {
          const { status, body } = await call(method, route, someone)
          calls += 1
          const want = expected(route, someone)
          const line = `${method} ${route.path} as ${someone.name}: ${status}, expected ${want} ${body.slice(0, 150)}`
          if (status >= 500) wrong.push(line)
          else if (want !== 'pass' && status !== want) wrong.push(line)
          else if (want === 'pass' && body.includes('not_authenticated') && route.requires !== 'public')
            wrong.push(line)
          const operation = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
          if (operation && !operation.responses[status]) wrong.push(`not in the description: ${line}`)
        }
    expect(wrong).toEqual([])
    expect(calls).toBeGreaterThan(1000)
  }, 300_000)

  it('requires only permissions that exist', () => {
    const words = ['public', 'authenticated', 'valid', 'superuser', 'nobody']
    const known = new Set<string>([...words, ...ungrantablePermissions])
    const codes = server.application.routes
      .flatMap(({ requires }) => [requires].flat())
      .flatMap((entry) => entry.split('|').map((code) => code.trim()))
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
