import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds, rootOrgId } from '@castellan/contract/ids'
import { permissionByCode, permissions } from '@castellan/contract/permissions'
import type { Client } from '@castellan/testing/client'
import { sample, sampled } from '@castellan/testing/sample'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '../../kernel/resource/repository.ts'
import { settingCatalogue } from '../../kernel/settings/setting-groups.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { user } from '../users/index.ts'
import { permissionsOf } from './effective.ts'
import { role, roleBinding } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

type Row = Record<string, unknown> & { id: string }

/** Somebody who holds one right, everywhere, and is a member of the Default organization without any. */
interface Attacker {
  id: string
  code: string
  systemRole: string
  orgRole: string
  client: Client
}

/** One attacker for each right. */
async function attackers(codes: readonly string[]): Promise<Attacker[]> {
  const people = codes.map((code) => ({ id: randomUUID(), code, systemRole: randomUUID(), orgRole: randomUUID() }))
  await server.context().transaction(async (ctx) => {
    const custom = (id: string, scope: 'system' | 'org', held: string[]) => ({
      ...{ id, name: `alone ${id}`, scope, permissions: held },
      ...{ builtin: false, created_by: 'System', comment: '' },
    })
    await insertRows(
      ctx,
      role,
      people.flatMap(({ systemRole, orgRole, code }) => [
        custom(systemRole, 'system', [code]),
        custom(orgRole, 'org', []),
      ]),
    )
    await insertRows(
      ctx,
      user,
      people.map(({ id }) => ({ id, name: `alone ${id}`, username: `alone-${id}`, email: `${id}@example.com` })),
    )
    await insertRows(
      ctx,
      roleBinding,
      people.flatMap(({ id: user_id, systemRole, orgRole }) => [
        { user_id, role_id: systemRole, scope: 'system' as const, org_id: null },
        { user_id, role_id: orgRole, scope: 'org' as const, org_id: defaultOrgId },
      ]),
    )
  })
  const found: Attacker[] = []
  for (const one of people) found.push({ ...one, client: await server.as(one.id) })
  return found
}

const everything = permissions.map(({ id }) => id)
const administrators = [roleIds.systemAdmin, roleIds.systemAuditor] as const

interface Victims {
  administrator: string
  accomplice: string
  strong: string
}

type Call = readonly [method: string, path: string, body?: unknown]

/** What somebody with a right too few would send to get more of them, or to become somebody else. */
function dangerous({ id, systemRole, orgRole }: Attacker, { administrator, accomplice, strong }: Victims): Call[] {
  const name = () => `made ${randomUUID()}`
  const rights = { permissions: everything }
  const newUser = (more: object) => {
    const username = `made-${randomUUID()}`
    return { name: username, username, email: `${username}@example.com`, ...more }
  }
  return [
    ...[id, accomplice].flatMap((one): Call[] => [
      ['POST', 'rbac/org-role-bindings/', { user: one, role: roleIds.orgAdmin }],
      ['POST', 'rbac/org-role-bindings/', [{ user: one, role: roleIds.orgAdmin }]],
      ...[...administrators, strong].map(
        (held): Call => ['POST', 'rbac/system-role-bindings/', { user: one, role: held }],
      ),
      ['POST', 'rbac/role-bindings/', { user: one, role: roleIds.orgAdmin, org: defaultOrgId }],
      ['PATCH', `users/users/${one}/`, { org_roles: [roleIds.orgAdmin] }],
      ['PATCH', `users/users/${one}/`, { system_roles: [roleIds.systemAuditor] }],
      ['PATCH', 'users/users/', [{ id: one, system_roles: [roleIds.systemAuditor], org_roles: [roleIds.orgAdmin] }]],
      ['POST', 'users/users/invite/', { users: [one], org_roles: [roleIds.orgAdmin] }],
    ]),
    ...['roles', 'system-roles'].map((path): Call => ['PATCH', `rbac/${path}/${systemRole}/`, rights]),
    ...['roles', 'org-roles'].map((path): Call => ['PATCH', `rbac/${path}/${orgRole}/`, rights]),
    ['PUT', `rbac/system-roles/${systemRole}/`, { name: name(), scope: 'system', ...rights }],
    ['POST', 'rbac/system-roles/', { name: name(), scope: 'system', ...rights }],
    ['POST', 'rbac/org-roles/', { name: name(), scope: 'org', ...rights }],
    ['POST', `rbac/roles/?clone_from=${roleIds.systemAuditor}`, { name: name(), scope: 'system' }],
    ...[...administrators, strong].map((held): Call => ['POST', 'users/users/', newUser({ system_roles: [held] })]),
    ['POST', 'users/users/', newUser({ org_roles: [roleIds.orgAdmin] })],
    ['POST', 'users/users/', newUser({ is_service_account: true })],
    ['PUT', `users/users/${administrator}/password/`, { password: 'Taken-over1' }],
    ['PATCH', `users/users/${administrator}/`, { email: 'evil@example.com', password: 'Taken-over1' }],
    ['PATCH', `users/users/${administrator}/password/reset/`],
    ['PATCH', `users/users/${administrator}/pubkey/reset/`],
    ['GET', `users/users/${administrator}/mfa/reset/`],
    ['DELETE', `users/users/${administrator}/`],
    ...['PATCH', 'PUT'].map(
      (method): Call => [method, 'settings/setting/?category=basic', { SITE_URL: 'https://evil.example' }],
    ),
    ['PATCH', 'settings/setting/', { SITE_URL: 'https://evil.example' }],
    ['PATCH', 'settings/setting/?category=all', { SITE_URL: 'https://evil.example' }],
    ['PATCH', 'settings/setting/?category=email', { EMAIL_HOST: '192.0.2.7', EMAIL_PORT: '25', EMAIL_HOST_USER: 'e' }],
    ['PATCH', 'settings/setting/?category=custom', { CUSTOM_SMS_URL: 'https://evil.example' }],
    ['PATCH', 'settings/setting/?category=vault', { VAULT_HCP_HOST: 'https://evil.example', VAULT_ENABLED: true }],
  ]
}

/** What the calls are after: roles, what they hold, the administrator's account, and where links and secrets go. */
async function prey({ id, code }: Attacker, { administrator, accomplice }: Victims) {
  const ctx = server.context()
  const db = ctx.rawDb
  const bindings = await db
    .selectFrom('rbac_rolebinding')
    .select(['user_id', 'role_id', 'org_id'])
    .where('role_id', 'in', [roleIds.orgAdmin, ...administrators])
    .orderBy('user_id')
    .orderBy('role_id')
    .execute()
  const roles = await db.selectFrom('rbac_role').select('permissions').where('builtin', '=', false).execute()
  const strong = roles.filter(({ permissions: held }) => JSON.parse(held).some((one: string) => one !== code))
  const held = await Promise.all(
    [id, accomplice].flatMap((one) =>
      [rootOrgId, defaultOrgId].map(async (org) => [...(await permissionsOf(ctx, { id: one }, org))].sort()),
    ),
  )
  const victim = await db.selectFrom('users_user').selectAll().where('id', '=', administrator).executeTakeFirst()
  const components = await db.selectFrom('users_user').select('id').where('is_service_account', '=', true).execute()
  const names = ['SITE_URL', 'EMAIL_HOST', 'CUSTOM_SMS_URL', 'VAULT_HCP_HOST', 'VAULT_ENABLED']
  const settings = names.map((name) => settingCatalogue.find(name)?.of(server.application.services))
  return { bindings, strong: strong.length, held, victim, components, settings }
}

describe('one right', () => {
  it(sampled('gives nobody more than itself: each alone, by every dangerous call'), async () => {
    const victims: Victims = {
      administrator: await server.person('administrator', { system: [roleIds.systemAdmin] }),
      accomplice: await server.person('accomplice', { system: [roleIds.user], org: [roleIds.orgUser] }),
      strong: randomUUID(),
    }
    await server.context().transaction((ctx) =>
      insertRows(ctx, role, [
        {
          ...{
            id: victims.strong,
            name: 'strong',
            scope: 'system',
            builtin: false,
            created_by: 'System',
            comment: '',
          },
          permissions: ['settings.change_auth', 'users.change_user', 'rbac.change_role'],
        },
      ]),
    )
    const codes = permissions.map(({ code }) => code)
    // Those that the calls are about always, of the others a part.
    const isNear = (code: string) => /^(rbac\.(add|change)|users\.(add|change|invite)_user$|settings\.)/.test(code)
    const taken = [
      ...codes.filter(isNear),
      ...sample(
        codes.filter((code) => !isNear(code)),
        8,
        (code) => code,
      ),
    ]
    for (const attacker of await attackers(taken)) {
      const before = await prey(attacker, victims)
      const passed: string[] = []
      for (const [method, path, body] of dangerous(attacker, victims))
        await attacker.client.request(method, `/api/v1/${path}`, body).then(
          () => passed.push(`${method} ${path} ${JSON.stringify(body)?.slice(0, 80)}`),
          () => undefined,
        )
      expect({ ...(await prey(attacker, victims)), by: attacker.code }, passed.join('\n')).toEqual({
        ...before,
        by: attacker.code,
      })
    }
  }, 120_000)
})

describe('roles and bindings', () => {
  const numbers = (...codes: string[]) => codes.map((code) => permissionByCode(code)?.id)
  const status = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      (error: { status: number }) => error.status,
    )

  it('are given, taken and changed by somebody who holds all of them', async () => {
    const roles = server.admin.collection<Row, object>('rbac/system-roles')
    const held = numbers(
      'rbac.add_systemrolebinding',
      'rbac.change_systemrole',
      'rbac.view_systemrole',
      'audits.view_operatelog',
      'rbac.delete_systemrolebinding',
      'rbac.view_systemrolebinding',
    )
    const managers = await roles.create({ name: 'managers', scope: 'system', permissions: held })
    const readers = await roles.create({
      name: 'readers',
      scope: 'system',
      permissions: numbers('audits.view_operatelog'),
    })
    const writers = await roles.create({ name: 'writers', scope: 'system', permissions: numbers('users.change_user') })
    const manager = await server.as(await server.person('manager', { system: [managers.id], org: [roleIds.orgUser] }))
    const someone = await server.person('someone', { system: [roleIds.user], org: [roleIds.orgUser] })
    const give = (held: string) =>
      manager.collection<Row, object>('rbac/system-role-bindings').create({ user: someone, role: held })
    expect(await status(give(writers.id))).toBe(403)
    const given = await give(readers.id)
    const change = (id: string, ...codes: string[]) =>
      status(manager.request('PATCH', `/api/v1/rbac/system-roles/${id}/`, { permissions: numbers(...codes) }))
    expect(await change(readers.id)).toBe(200)
    expect(await change(readers.id, 'audits.view_operatelog')).toBe(200)
    expect(await change(readers.id, 'audits.view_operatelog', 'users.change_user')).toBe(403)
    // Taking rights away that one does not hold is not theirs either; another comment is.
    expect(await change(writers.id)).toBe(403)
    expect(await status(manager.request('PATCH', `/api/v1/rbac/system-roles/${writers.id}/`, { comment: 'c' }))).toBe(
      200,
    )
    await manager.collection('rbac/system-role-bindings').delete(given.id)
  })
})

describe('rights to read', () => {
  /** Requests that change nothing stored, or only what is the caller's own. */
  const harmless: Readonly<Record<string, string>> = {
    'POST /api/v1/assets/platforms/filter-nodes-assets/': 'reads by a long question',
    'POST /api/v1/perms/effect/': 'reads by a long question',
    'POST /api/v1/tickets/comments/': 'users comment tickets that they see',
  }

  it('change nothing, in any operation', () => {
    const isReading = (entry: string) => entry.split('|').some((code) => /\.(view|match)_/.test(code))
    const writing = server.application.routes.flatMap((route) => {
      if (!Array.isArray(route.requires) && !String(route.requires).includes('.')) return []
      if (route.componentsOnly || ![route.requires].flat().every(isReading)) return []
      return [route.method]
        .flat()
        .filter((method) => method !== 'GET')
        .map((method) => `${method} ${route.path}`)
    })
    const isTicket = (one: string) => /\/tickets\/[\w-]+\/(open|bulk)\/$/.test(one)
    // Tickets are opened, closed and decided by whom they are of or assigned to, which their own rules decide.
    expect(writing.filter((one) => !isTicket(one)).sort()).toEqual(Object.keys(harmless).sort())
  })

  it('change no setting', () => {
    const reading = [...settingCatalogue.categories].filter(([, { changing }]) => /\.(view|match)_/.test(changing))
    expect(reading).toEqual([])
  })
})
