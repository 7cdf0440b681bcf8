import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AnyRow } from '../../db/database.ts'
import { type ResourceTests, resourceCases, startResourceTests } from '../../testing/resources.ts'
import { samples } from '../../testing/samples.ts'
import type { Resource } from '../resource/resource.ts'

/** Compares the OPTIONS of every list with its rows, including lists without a resource. */
let tests: ResourceTests
const ids = new Map<string, string>()
const idAt = (path: string) => ids.get(`/api/v1/${path}/`) ?? ''

/** Creates one row of everything, and permissions, gateways and roles for lists without a resource. */
beforeAll(async () => {
  tests = await startResourceTests()
  for (const [address, resource] of resourceCases as [string, Resource][]) {
    if (!resource.verbs?.includes('list')) continue
    const rows = samples[address]
      ? await tests.make(address, resource, 1)
      : (await tests.ask('GET', `${resource.url}?limit=1`)).body.results
    if (rows?.[0]) ids.set(resource.url, rows[0].id)
  }
  const post = async (path: string, body: object): Promise<AnyRow> => {
    const answer = await tests.ask('POST', `/api/v1/${path}/`, { body })
    expect([path, answer.status, answer.text]).toEqual([path, 201, answer.text])
    return answer.body
  }
  const [domain, user, group, node] = ['assets/domains', 'users/users', 'users/groups', 'assets/nodes'].map(idAt)
  const platforms: AnyRow[] = (await tests.ask('GET', '/api/v1/assets/platforms/')).body as AnyRow[]
  const gateway = platforms.find(({ name }) => name === 'Gateway')?.id
  const accounts = [{ username: 'root', secret: 'x' }]
  const host = await post('assets/hosts', {
    name: 'h',
    address: '10.9.9.9',
    platform: 1,
    domain,
    nodes: [node],
    accounts,
  })
  await post('assets/hosts', { name: 'g', address: '10.9.9.8', platform: gateway, domain, nodes: [node] })
  const given = { users: [user], user_groups: [group], assets: [host.id], nodes: [node], accounts: ['@ALL'] }
  ids.set('/api/v1/perms/asset-permissions/', (await post('perms/asset-permissions', { name: 'all', ...given })).id)
  for (const one of ['assets', 'hosts']) ids.set(`/api/v1/assets/${one}/`, host.id)
  const givable = async () => (await tests.ask('GET', '/api/v1/rbac/permissions/?scope=org&limit=1')).body.results[0].id
  const role = await post('rbac/org-roles', { name: 'r', scope: 'org', permissions: [await givable()] })
  for (const one of ['roles', 'org-roles']) ids.set(`/api/v1/rbac/${one}/`, role.id)
  await post('rbac/org-role-bindings', { user, role: role.id })
})
afterAll(() => tests[Symbol.asyncDispose]())

/**
 * Items of trees are not list columns; OPTIONS of tree URLs describes the nodes that can be created, as in the recorded
 * contract.
 */
const isTree = (path: string) => path.endsWith('/tree/')
/** Lists whose OPTIONS does not describe rows, as in the contract, or that no other console uses. */
const undescribed = new Set([
  '/api/v1/rbac/permissions/',
  '/api/v1/notifications/backends/',
  '/api/v1/terminal/components/metrics/',
])
const ownLists = new Set([
  '/api/v1/perms/findings/',
  '/api/v1/assets/domains/:id/gateway-times/',
  '/api/v1/xpack/interface/setting/themes/',
])
/** Fields that are in only one of the recorded metadata and the recorded responses, or that only our own console reads. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  'accounts/accounts': ['params'],
  'accounts/account-secrets': ['params'],
  'acls/connect-method-acls': ['org_name'],
  'acls/login-acls': ['org_name'],
  'ops/adhocs': ['creator'],
  'ops/jobs': ['creator', 'nodes'],
  'ops/playbooks': ['creator'],
  'ops/task-executions': ['state'],
  'terminal/command-storages': ['waiting', 'problem'],
  'terminal/replay-storages': ['waiting', 'problem'],
}

/** The URL of a route with the ids of existing rows; undefined where there is no such row. */
function filledIn(path: string): string | undefined {
  const places: Record<string, string> = {
    user: idAt('users/users'),
    group: idAt('users/groups'),
    node: idAt('assets/nodes'),
    terminal: idAt('terminal/terminals'),
  }
  const [collection = ''] = path.split(':id')
  places.id = ids.get(collection.replace('perms/user-groups', 'users/groups')) ?? ''
  let missing = false
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    missing ||= !places[name]
    return String(places[name])
  })
  return missing ? undefined : filled
}

it('is the fields its rows have', async () => {
  const found: Record<string, unknown> = {}
  const compared: string[] = []
  for (const route of tests.server.application.routes) {
    const { path } = route
    if (![route.method].flat().includes('GET') || !path.startsWith('/api/v1/') || isTree(path)) continue
    if (undescribed.has(path) || ownLists.has(path)) continue
    const at = filledIn(path)
    const { status, body } = at ? await tests.ask('GET', at) : { status: 0, body: {} as AnyRow }
    const rows: AnyRow[] = Array.isArray(body) ? body : (body.results ?? [])
    if (!at || status !== 200 || typeof rows[0] !== 'object') continue
    const info: AnyRow = (await tests.ask('OPTIONS', at)).body.actions?.GET ?? {}
    const left = leftOut[path.split('/').slice(3, 5).join('/')] ?? leftOut[described(path)] ?? []
    const names = Object.keys(info).filter((name) => !info[name].write_only && !left.includes(name))
    const keys = Object.keys(rows[0] as AnyRow).filter((name) => !left.includes(name))
    compared.push(path)
    if (keys.sort().join() !== names.sort().join()) found[path] = { rows: keys.join(), described: names.join() }
  }
  expect(found).toEqual({})
  // Lists below a detail are included.
  expect(compared).toEqual(
    expect.arrayContaining([
      ...['assets/all', 'users/all', 'accounts'].map((one) => `/api/v1/perms/asset-permissions/:id/${one}/`),
      ...['assets', 'nodes', 'nodes/children', 'nodes/:node/assets'].map(
        (one) => `/api/v1/perms/user-groups/:id/${one}/`,
      ),
      ...['assets', 'nodes', 'nodes/children'].map((one) => `/api/v1/perms/users/:user/${one}/`),
      ...['users', 'permissions'].map((one) => `/api/v1/rbac/org-roles/:id/${one}/`),
      ...['perm-users', 'perm-user-groups', 'gateways'].map((one) => `/api/v1/assets/assets/:id/${one}/`),
      '/api/v1/assets/nodes/:id/assets/',
    ]),
  )
  expect(compared.length).toBeGreaterThan(60)
})

/** The resource whose rows a nested list contains, where they are only partly described. */
function described(path: string): string {
  return path.endsWith('/accounts/') ? 'accounts/accounts' : ''
}

it('has the texts of the listed nodes, users and permissions in the caller’s language', async () => {
  const at = `/api/v1/perms/user-groups/${idAt('users/groups')}/nodes/`
  const { body } = await tests.ask('OPTIONS', at, { headers: { 'accept-language': 'ja' } })
  expect(body.actions.GET.assets_amount).toMatchObject({ type: 'integer', read_only: true, label: '資産数' })
})

it('lists the one field of a virtual account that can be changed, by its id and by its alias', async () => {
  const { body } = await tests.ask('GET', '/api/v1/accounts/virtual-accounts/')
  const [first] = body as AnyRow[]
  expect(first?.alias).toBe('@USER')
  for (const at of [first?.id, '@USER']) {
    const { actions } = (await tests.ask('OPTIONS', `/api/v1/accounts/virtual-accounts/${at}/`)).body
    for (const method of ['PUT', 'PATCH', 'GET'])
      expect(actions[method].secret_from_login).toMatchObject({ type: 'boolean', read_only: false })
  }
})

it('marks the accounts of one asset as readable', async () => {
  const at = `/api/v1/assets/hosts/${idAt('assets/hosts')}/`
  const { actions } = (await tests.ask('OPTIONS', at)).body
  expect(actions.GET.accounts).toMatchObject({ write_only: false, child: { write_only: false } })
  expect(actions.PUT.accounts).toMatchObject({ write_only: true })
  expect((await tests.ask('GET', at)).body.accounts).toHaveLength(1)
})

it('describes the parts of a storage under meta, by its type', async () => {
  const parts = async (kind: string, type: string) =>
    (await tests.ask('OPTIONS', `/api/v1/terminal/${kind}-storages/?type=${type}`)).body.actions.POST.meta
  expect((await parts('replay', 'azure')).children).toMatchObject({
    CONTAINER_NAME: { type: 'string', required: true, label: 'Container', max_length: 1024 },
    ACCOUNT_KEY: { type: 'string', required: true, write_only: true },
    ENDPOINT_SUFFIX: { type: 'choice', choices: [{ value: 'core.chinacloudapi.cn' }, { value: 'core.windows.net' }] },
  })
  expect((await parts('command', 'es')).children.HOSTS).toMatchObject({ type: 'list', required: true, label: 'Hosts' })
  for (const type of ['', 'server', 'constructor', '__proto__', 'es'])
    expect([type, await parts('replay', type)]).toEqual([
      type,
      expect.not.objectContaining({ children: expect.anything() }),
    ])
})

it('has the fields in the declared order, and tells of actions what their collection tells', async () => {
  const of = async (path: string) => (await tests.ask('OPTIONS', `/api/v1/${path}`)).body.actions
  const [plans, templates] = [await of('accounts/gather-account-automations/'), await of('accounts/account-templates/')]
  expect(Object.keys(plans.GET).slice(0, 4)).toEqual(['created_by', 'periodic_display', 'executed_amount', 'id'])
  expect(Object.keys(templates.POST).slice(-3)).toEqual(['auto_push', 'date_created', 'date_updated'])
  // A collection that is only read tells of its actions what its list tells.
  const records = 'accounts/change-secret-records/'
  expect((await of(`${records}execute/`)).POST).toEqual((await of(records)).GET)
  // Facts for clients of the contract change nothing of what is accepted.
  const tickets = await of('tickets/tickets/')
  expect(tickets.POST.id).toMatchObject({ read_only: false })
  expect(tickets.POST.serial_num).not.toHaveProperty('max_length')
  expect((await tests.ask('POST', '/api/v1/tickets/tickets/', { body: {} })).status).toBe(405)
})

it('tells strangers no name of a setting that only people who are signed in may read', async () => {
  const at = '/api/v1/settings/public/'
  expect((await tests.ask('OPTIONS', at)).body.actions.GET.TICKETS_ENABLED).toMatchObject({ type: 'boolean' })
  const answer = await tests.ask('OPTIONS', at, { headers: { authorization: '' } })
  expect([answer.status, Object.keys(answer.body.actions?.GET ?? {})]).toEqual([200, []])
})
