import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@castellan/contract/ids'
import { type AnyRow, type ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let gateway: Client
let component: AnyRow
let session: AnyRow
const api = '/api/v1/terminal/'
beforeAll(async () => {
  server = await startServer()
  gateway = (await registerComponent(server.url, server.bootstrapToken, 'addressed')).in('ROOT')
  component = (await server.admin.collection('terminal/terminals').all({ name: 'addressed' }))[0] as AnyRow
  session = await gateway.request<AnyRow>('POST', `${api}terminals/${component.id}/sessions/`, {
    ...{ id: randomUUID(), user: 'Ada(ada)', asset: 'web(10.0.0.1)', account: 'root(root)', account_id: randomUUID() },
    ...{ protocol: 'ssh', org_id: defaultOrgId },
  })
})
afterAll(() => server.close())

const answered = (call: Promise<unknown>) =>
  call.then(
    (body) => ({ status: 200, body: body as never }),
    ({ status, body }: ApiError) => ({ status, body: body as never }),
  )
const ask = (method: string, path: string, body?: unknown) => answered(server.admin.request(method, api + path, body))

describe('sessions and heartbeats below a component', () => {
  it('are the same as at their own URL, whichever component is named', async () => {
    for (const path of ['terminals/sessions/', `terminals/${randomUUID()}/sessions/`]) {
      expect((await ask('GET', `${path}?limit=5`)).body).toMatchObject({ count: 1, results: [{ id: session.id }] })
      expect((await ask('GET', `${path}${session.id}/`)).body).toMatchObject({ id: session.id })
    }
  })

  it('list no heartbeats, and find none', async () => {
    for (const path of ['status/', 'terminals/status/', `terminals/${component.id}/status/`]) {
      expect((await ask('GET', path)).body).toEqual([])
      expect((await ask('GET', `${path}?limit=10`)).body).toEqual({ count: 0, next: null, previous: null, results: [] })
      expect((await ask('GET', `${path}${randomUUID()}/`)).status).toBe(404)
    }
  })
})

describe('a command', () => {
  it('can be read at its own URL, and never be changed', async () => {
    await gateway.request('POST', `${api}commands/`, [
      { user: 'Ada(ada)', asset: 'web', account: 'root', input: 'ls', output: '', session: session.id, timestamp: 1 },
    ])
    const [row] = (await ask('GET', `commands/?session_id=${session.id}`)).body as AnyRow[]
    expect((await ask('GET', `commands/${row?.id}/`)).body).toMatchObject({ id: row?.id, input: 'ls' })
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await ask(method, `commands/${row?.id}/`, {})).status).toBe(405)
  })

  it('that is reported with malformed ids gets an error at its index', async () => {
    const good = { user: 'a', asset: 'b', input: 'rm', session: session.id, risk_level: 0, cmd_group: randomUUID() }
    const alert = (items: unknown) => answered(gateway.request('POST', `${api}commands/insecure-command/`, items))
    expect(await alert([good, { ...good, cmd_group: 'none' }])).toEqual({
      status: 400,
      body: [{}, { non_field_errors: [expect.any(String)] }],
    })
    expect(await alert([good, {}])).toMatchObject({ status: 400, body: [{}, { user: [expect.any(String)] }] })
    expect(await alert([good])).toEqual({ status: 200, body: { msg: 'ok' } })
  })
})

describe('a task', () => {
  it('created by the superuser reaches its component, and cannot be changed', async () => {
    const made = await ask('POST', 'tasks/', { name: 'lock_session', args: session.id, terminal: component.id })
    expect(made.body).toMatchObject({ name: 'lock_session', args: session.id, terminal: component.id })
    const { id } = made.body as AnyRow
    const waiting = await gateway.request<AnyRow[]>('POST', `${api}status/`, { sessions: [session.id] })
    expect(waiting.map((task) => task.id)).toEqual([id])
    const done = { is_finished: true, args: randomUUID() }
    expect(await gateway.request<AnyRow>('PATCH', `${api}tasks/${id}/`, done)).toMatchObject({ args: session.id })
    expect((await ask('GET', `sessions/${session.id}/`)).body).toMatchObject({ is_locked: true })
    expect((await ask('POST', 'tasks/', { name: 'dance', terminal: randomUUID() })).body).toEqual({
      ...{ name: [expect.any(String)], args: [expect.any(String)], terminal: [expect.any(String)] },
    })
  })
})

describe('a selection', () => {
  it('of endpoints is deleted without the default one, of components only when none has sessions', async () => {
    const endpoints = server.admin.collection('terminal/endpoints')
    const [standard] = await endpoints.all({ name: 'Default' })
    const other = await endpoints.create({ name: 'second' })
    expect((await ask('DELETE', `endpoints/?ids=${standard?.id},${other.id}`)).status).toBe(200)
    expect((await endpoints.all()).map(({ id }) => id)).toEqual([standard?.id])
    expect((await ask('DELETE', 'terminals/')).status).toBe(400)
    const remove = () => ask('DELETE', `terminals/?ids=${component.id}`)
    expect(await remove()).toMatchObject({ status: 400, body: { code: 'have_online_session' } })
    await gateway.request('PATCH', `${api}sessions/${session.id}/`, { is_finished: true })
    expect((await remove()).status).toBe(200)
    expect((await ask('GET', `terminals/${component.id}/`)).status).toBe(404)
  })
})

describe('the endpoint for an asset', () => {
  it('is the one that a label of the asset names, if it has a port for the protocol', async () => {
    await server.admin.collection('terminal/endpoints').create({ name: 'near', host: 'near.example', ssh_port: 0 })
    const { id } = await server.admin.collection('assets/hosts').create({
      ...{ name: 'labelled', address: '10.0.0.9', platform: 1, labels: [{ name: 'endpoint', value: 'near' }] },
    })
    const name = async (protocol: string) =>
      ((await ask('GET', `endpoints/smart/?protocol=${protocol}&asset_id=${id}`)).body as AnyRow).name
    expect([await name('rdp'), await name('ssh')]).toEqual(['near', 'Default'])
  })
})

describe('a recording', () => {
  it('that is sent without a file gets an error that names it', async () => {
    const path = `${api}sessions/${session.id}/replay/`
    // Its own component is removed by now: one that registers again may complete its reports.
    const heir = (await registerComponent(server.url, server.bootstrapToken, 'heir')).in('ROOT')
    expect(await answered(heir.request('POST', path, {}))).toEqual({
      status: 401,
      body: { msg: { file: [expect.any(String)] } },
    })
  })
})
