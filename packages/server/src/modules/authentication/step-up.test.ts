import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { permissionByCode, unattendedAccess } from '@castellan/contract/permissions'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { updateRow } from '../../kernel/resource/repository.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { digestOf, signedHeaders, type TestKey } from '../../testing/signed-request.ts'
import { user } from '../users/index.ts'
import { createAccessKey } from './access-key.ts'
import { newOtpSecret } from './otp.ts'

/** Everything that hands out secrets without showing them × every credential. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** How a caller proves who it is; the cookies of an API jar are kept. */
interface Caller {
  proof(method: string, path: string, body: string): Record<string, string>
  cookie: string
}

async function call(caller: Caller, method: string, path: string, body: unknown) {
  const address = `/api/v1/${path}`
  const sent = JSON.stringify(body)
  const headers = {
    ...caller.proof(method, address, sent),
    'content-type': 'application/json',
    'x-jms-org': defaultOrgId,
  }
  const answer = await fetch(server.url + address, {
    ...{ method, body: sent },
    headers: { ...headers, ...(caller.cookie ? { cookie: caller.cookie } : {}) },
  })
  caller.cookie = /jms_sessionid=[^;]+/.exec(answer.headers.getSetCookie().join())?.[0] ?? caller.cookie
  const json = (await answer.json().catch(() => ({}))) as { id?: string; code?: string }
  return { status: answer.status, json }
}

const signing =
  (key: TestKey): Caller['proof'] =>
  (method, path, body) =>
    signedHeaders(key, method, path, { names: '(request-target) date digest', more: { digest: digestOf(body) } })

/** An administrator with a second factor, an API token and an access key. */
async function administrator(roles: { system: string[]; org?: string[] }) {
  const id = await server.person('organizes', roles)
  const otp = newOtpSecret()
  const { row, secret } = await server.context().transaction(async (ctx) => {
    await updateRow(ctx, user, id, { otp_secret: otp, mfa_level: 1 })
    return createAccessKey(ctx, id)
  })
  const client = await server.as(id, defaultOrgId)
  const bearer: Caller = { proof: (method, path) => client.proof(method, path), cookie: '' }
  const signed: Caller = { proof: signing({ id: row.id, secret }), cookie: '' }
  const confirm = (caller: Caller) =>
    call(caller, 'POST', 'authentication/confirm/', {
      ...{ confirm_type: 'mfa', mfa_type: 'otp', secret_key: generateSync({ secret: otp }) },
    })
  return { id, bearer, signed, confirm }
}

let count = 0
const backup = (recipient: string) => ({
  ...{ name: `plan-${count++}`, types: ['linux'], recipients_part_one: [recipient], is_periodic: false },
})
const rotation = {
  ...{
    accounts: ['root'],
    secret_type: 'password',
    secret_strategy: 'specific',
    secret: 'Given-1',
    is_periodic: false,
  },
}

it('is asked of every credential that stands for a person, wherever secrets are handed out', async () => {
  const organizes = { system: [roleIds.user], org: [roleIds.orgAdmin] }
  const permissions = [permissionByCode(unattendedAccess)?.id]
  const role = await server.admin
    .collection('rbac/system-roles')
    .create({ name: 'programs', scope: 'system', permissions })
  const person = await administrator(organizes)
  const system = await administrator({ system: [roleIds.systemAdmin] })
  const program = await administrator({ ...organizes, system: [roleIds.user, role.id] })
  const known = await server.admin.request<{ id: string }>('GET', '/api/v1/users/profile/')
  await server.confirmations(false)
  const plan = await server.admin.collection('accounts/account-backup-plans').create(backup(known.id))
  const quiet = await server.admin
    .collection('accounts/change-secret-automations')
    .create({ ...rotation, name: 'quiet', recipients: [known.id] })
  await server.confirmations(true)
  const operations: [string, string, () => object, number][] = [
    ['POST', 'accounts/account-backup-plans/', () => backup(known.id), 201],
    ['PATCH', `accounts/account-backup-plans/${plan.id}/`, () => ({ types: ['linux', 'mysql'] }), 200],
    ['PATCH', `accounts/account-backup-plans/${plan.id}/`, () => ({ recipients_part_one: [person.id] }), 200],
    ['PATCH', `accounts/account-backup-plans/${plan.id}/`, () => ({ is_periodic: true, interval: 1 }), 200],
    ['POST', 'accounts/account-backup-plan-executions/', () => ({ plan: plan.id }), 201],
    [
      ...(['POST', 'accounts/change-secret-automations/'] as const),
      () => ({ ...rotation, name: `plan-${count++}`, recipients: [known.id] }),
      201,
    ],
    ['PATCH', `accounts/change-secret-automations/${quiet.id}/`, () => ({ recipients: [person.id] }), 200],
  ]
  const callers: [string, Caller, number | undefined][] = [
    ['a token', person.bearer, 412],
    ['a token of a system administrator', system.bearer, 412],
    ['an access key of a person', person.signed, 403],
    ['an access key of a system administrator', system.signed, 403],
    ['an access key of a program', program.signed, undefined],
    // The permission is for programs: whoever holds it confirms in person all the same.
    ['a token of who may use keys unattended', program.bearer, 412],
  ]
  for (const [who, caller, refused] of callers)
    for (const [method, path, body, accepted] of operations)
      expect((await call(caller, method, path, body())).status, `${method} ${path} with ${who}`).toBe(
        refused ?? accepted,
      )
  // The answer to 412, as for a single secret.
  expect((await person.confirm(person.bearer)).status).toBe(200)
  for (const [method, path, body, accepted] of operations)
    expect((await call(person.bearer, method, path, body())).status, `${method} ${path} confirmed`).toBe(accepted)
  await server.confirmations(false)
  for (const [method, path, body, accepted] of operations)
    expect((await call(system.bearer, method, path, body())).status, `${method} ${path} unasked`).toBe(accepted)
})

it('is asked where an access key is switched on again, or may be used from elsewhere', async () => {
  await server.confirmations(true)
  const person = await administrator({ system: [roleIds.user], org: [roleIds.orgUser] })
  const [key] = await server.as(person.id).then((client) => client.collection('authentication/access-keys').all())
  const change = async (body: object) =>
    (await call(person.bearer, 'PATCH', `authentication/access-keys/${key?.id}/`, body)).status
  expect(await change({ is_active: false })).toBe(200)
  for (const wider of [{ is_active: true }, { is_active: true, ip_group: ['10.0.0.0/8'] }])
    expect(await change(wider)).toBe(412)
  await person.confirm(person.bearer)
  expect(await change({ is_active: true, ip_group: ['10.0.0.0/8'] })).toBe(200)
})
