import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { builtinRoles, permissionByCode, systemPermissions } from '@castellan/contract/permissions'
import { registerComponent } from '@castellan/testing/client'
import { sample } from '@castellan/testing/sample'
import type { Route } from '../kernel/http/route.ts'
import { insertRows } from '../kernel/resource/repository.ts'
import { issueBearer } from '../modules/authentication/bearer.ts'
import { role, roleBinding, roleCodes } from '../modules/rbac/index.ts'
import { user } from '../modules/users/index.ts'
import type { TestServer } from './server.ts'

/** What a route requires. */
export type Access = Pick<Route, 'componentsOnly'> & { requires: string | readonly string[] }

/** A caller of the permission matrix. */
export interface PermissionCaller {
  name: string
  /** The headers that authenticate the caller. A signature covers the method and the path. */
  proof(method: string, path: string): Record<string, string>
  /** Undefined for a caller who is not signed in. */
  codes: ReadonlySet<string> | undefined
  superuser?: boolean
  component?: boolean
  expired?: boolean
}

export const nobody: PermissionCaller = { name: 'nobody', proof: () => ({}), codes: undefined }

/** Nobody, a user of every built-in role, members of another organization, and a component. */
export async function standardCallers(server: TestServer): Promise<PermissionCaller[]> {
  const found: PermissionCaller[] = [nobody]
  const add = async (name: string, id: string, codes: ReadonlySet<string>, superuser = false) => {
    const client = await server.as(id)
    const proof = (method: string, path: string) => ({ ...client.proof(method, path), 'x-jms-org': defaultOrgId })
    found.push({ name, proof, codes, superuser })
  }
  for (const { id, name, scope } of builtinRoles) {
    const holder = await server.person(name, scope === 'system' ? { system: [id] } : { org: [id] })
    // What every user holds makes nobody a member of an organization, and outside it does not count.
    const codes = id === roleIds.user ? [] : roleCodes(id, [], scope)
    await add(name, holder, new Set(codes), name === 'SystemAdmin')
  }
  const elsewhere = await server.organization('Elsewhere')
  const theirs = (name: string, held: string) =>
    server.person(name, { system: [roleIds.user], org: [held], orgId: elsewhere })
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
    component: true,
  })
  return found
}

interface Wanted {
  name: string
  codes: readonly string[]
  component?: boolean
  expired?: boolean
}

const keyOf = ({ codes, component = false, expired = false }: Wanted) =>
  JSON.stringify([[...codes].sort(), component, expired])

/** One of a list, which the seed rotates. */
const oneOf = (items: readonly string[], about: string) =>
  sample(items, items.length, (item) => item, about)[0] as string

/**
 * Callers who notice when a route enforces anything else than `access`: one who holds exactly what is required, and one
 * who holds everything but that. The first is refused by any stricter or other requirement, the second is admitted by
 * any weaker or other one.
 */
function witnessesOf({ requires, componentsOnly: component = false }: Access): Wanted[] {
  const everything = systemPermissions
  if (requires === 'public') return []
  if (requires === 'authenticated') return [{ name: 'expired user without permissions', codes: [], expired: true }]
  if (requires === 'valid')
    return [
      { name: 'user without permissions', codes: [] },
      { name: 'expired user with every permission', codes: everything, expired: true },
    ]
  if (requires === 'superuser' || requires === 'nobody')
    return [{ name: 'user with every permission', codes: everything }]
  const about = [requires].flat().join()
  const entries = [requires].flat().map((entry) => entry.split('|').map((code) => code.trim()))
  const exact = entries.map((alternatives) => oneOf(alternatives, about))
  const left = new Set(
    oneOf(
      entries.map((alternatives) => alternatives.join('|')),
      about,
    ).split('|'),
  )
  const found: Wanted[] = [
    { name: `everything but ${[...left].join()}`, codes: everything.filter((code) => !left.has(code)), component },
  ]
  // Nobody but a system administrator passes what no role can hold.
  if (!exact.every(permissionByCode)) return found
  found.push({ name: `${exact.join()} alone`, codes: exact, component })
  if (component) found.push({ name: `${exact.join()} alone, as a user`, codes: exact })
  return found
}

/** The witnesses of every requirement, each a user of its own with a role of its own. */
export async function witnesses(server: TestServer, all: readonly Access[]) {
  const wanted = new Map(all.flatMap(witnessesOf).map((one) => [keyOf(one), { ...one, id: randomUUID() }]))
  const callers = await server.context().transaction(async (ctx) => {
    const people = [...wanted].map(([key, one]) => ({ ...one, key, role: randomUUID() }))
    // Makes its holders members of the Default organization, without a permission.
    const member = randomUUID()
    const custom = (id: string, scope: 'system' | 'org', codes: readonly string[]) => ({
      ...{ id, name: `matrix ${id}`, scope, permissions: [...codes] },
      ...{ builtin: false, created_by: 'System', comment: '' },
    })
    await insertRows(ctx, role, [
      custom(member, 'org', []),
      ...people.map(({ role: id, codes }) => custom(id, 'system', codes)),
    ])
    await insertRows(
      ctx,
      user,
      people.map(({ id, component, expired }) => ({
        ...{ id, name: `matrix ${id}`, username: `matrix-${id}`, email: `${id}@example.com` },
        ...{ is_service_account: component ?? false, ...(expired ? { date_expired: ctx.now - 86_400_000 } : {}) },
      })),
    )
    await insertRows(
      ctx,
      roleBinding,
      people.flatMap(({ id: user_id, role: role_id }) => [
        { user_id, role_id, scope: 'system', org_id: null },
        { user_id, role_id: member, scope: 'org', org_id: defaultOrgId },
      ]),
    )
    const found = new Map<string, PermissionCaller>()
    for (const { id, key, name, codes, component = false, expired = false } of people) {
      const { token } = await issueBearer(ctx, id)
      const proof = () => ({ authorization: `Bearer ${token}`, 'x-jms-org': defaultOrgId })
      found.set(key, { name, proof, codes: new Set(codes), component, expired })
    }
    return found
  })
  return (access: Access) => witnessesOf(access).map((one) => callers.get(keyOf(one)) as PermissionCaller)
}
