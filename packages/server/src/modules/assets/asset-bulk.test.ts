import { randomUUID } from 'node:crypto'
import type { AnyRow, ApiError } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const api = <T = AnyRow>(method: string, path: string, body?: unknown) =>
  server.admin.request<T>(method, `/api/v1/assets/${path}`, body)
const failed = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ status, body }: ApiError) => ({ status, body }),
  )
const host = (name: string, more: object = {}) =>
  api('POST', 'hosts/', { name, address: '127.0.0.1', platform: 1, ...more })

describe('many assets at once', () => {
  it('keep their type when the platform is changed, with a message to the caller', async () => {
    const [one, two] = [await host('bulk-1'), await host('bulk-2')]
    const changed = await api<AnyRow[]>('PATCH', 'hosts/', [
      { id: one.id, platform: { pk: 5 }, comment: 'lost' },
      { id: two.id, platform: { pk: 2 } },
      { id: two.id, comment: 'kept' },
    ])
    expect(changed.map(({ id }) => id)).toEqual([two.id])
    expect(await api('GET', `hosts/${one.id}/`)).toMatchObject({ platform: { id: 1 }, comment: '' })
    const messages = await server.admin.collection('notifications/site-messages').all()
    expect(JSON.stringify(messages)).toContain('bulk-1')
  })

  it('accept a platform only as an object, as the bulk form sends it', async () => {
    const { id } = await host('bulk-3')
    expect(
      await failed(
        api('PATCH', 'hosts/', [
          { id, comment: 'x' },
          { id, platform: 1 },
        ]),
      ),
    ).toEqual({
      status: 400,
      body: [{}, { platform: ['Expected an object but got “number”.'] }],
    })
  })
})

describe('a new asset', () => {
  it('is returned like a row of its list, without the accounts that came with it', async () => {
    const made = await host('with-accounts', { accounts: [{ username: 'root', secret: 'x' }] })
    expect(made).not.toHaveProperty('accounts')
    expect(await api('GET', `hosts/${made.id}/`)).toMatchObject({ accounts: [{ username: 'root' }] })
    expect(await failed(host('texts', { accounts: 'root' }))).toEqual({
      status: 400,
      body: { accounts: expect.any(String) },
    })
  })
})

describe('the protocols of a new asset', () => {
  it('are the platform’s defaults when none are sent, and an empty list lacks the required ones', async () => {
    for (const more of [{}, { protocols: null }])
      expect((await host(`filled-${randomUUID()}`, more)).protocols).toEqual([
        { name: 'ssh', port: 22 },
        { name: 'sftp', port: 22 },
      ])
    const lacking = { status: 400, body: { protocols: { protocols: expect.stringContaining('ssh') } } }
    expect(await failed(host('lacking', { protocols: [] }))).toEqual(lacking)
    const { id } = await host('emptied')
    expect(await failed(api('PATCH', `hosts/${id}/`, { protocols: [] }))).toEqual(lacking)
  })
})

describe('a favorite', () => {
  it('is found and removed by its asset', async () => {
    const { id: asset } = await host('liked')
    await api('POST', 'favorite-assets/', { asset })
    expect(await api('GET', `favorite-assets/${asset}/`)).toEqual({ asset })
    await api('DELETE', `favorite-assets/${asset}/`)
    expect(await failed(api('GET', `favorite-assets/${asset}/`))).toMatchObject({ status: 404 })
  })
})

describe('OPTIONS', () => {
  it('require a database name unless the platform needs none', async () => {
    const demanded = async (query: string) =>
      (await api<{ actions: { POST: AnyRow } }>('OPTIONS', `databases/${query}`)).actions.POST.db_name
    expect(await demanded('')).toMatchObject({ required: true, max_length: 1024 })
    const [mysql] = await api<AnyRow[]>('GET', 'platforms/?name=MySQL')
    expect(await demanded(`?platform=${mysql?.id}`)).toMatchObject({ required: false })
    const { id } = await api('POST', 'databases/', { name: 'my', address: 'db', platform: mysql?.id })
    const detail = await api<{ actions: { PUT: AnyRow } }>('OPTIONS', `databases/${id}/`)
    expect(detail.actions.PUT.db_name).toMatchObject({ required: false })
  })

  it('list PUT only for an object that exists and may be changed', async () => {
    const methods = async (path: string) =>
      Object.keys((await api<{ actions: AnyRow }>('OPTIONS', path)).actions).sort()
    const { id } = await host('described')
    expect(await methods(`hosts/${id}/`)).toEqual(['GET', 'PATCH', 'PUT'])
    expect(await methods(`hosts/${randomUUID()}/`)).toEqual(['GET', 'PATCH'])
    expect(await methods('platforms/1/')).toEqual(['GET', 'PATCH'])
  })

  it('describe the settings of the requested protocol', async () => {
    const settings = async (query: string) => {
      const { actions } = await api<{ actions: { POST: { setting: AnyRow } } }>('OPTIONS', `protocol-settings/${query}`)
      return actions.POST.setting.children
    }
    expect(await settings('?name=rdp')).toMatchObject({
      console: { type: 'boolean', default: false },
      security: { type: 'choice', default: 'any', choices: [{ value: 'any' }, {}, {}, {}] },
      ad_domain: { type: 'string', max_length: 4096 },
    })
    expect(await settings('')).toEqual({})
  })
})
