import { randomUUID } from 'node:crypto'
import { type AnyRow, type ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let gateway: Client
let asset: AnyRow
let user: AnyRow
beforeAll(async () => {
  server = await startServer()
  gateway = (await registerComponent(server.url, server.bootstrapToken, 'asks-first')).in('ROOT')
  asset = await server.admin.collection('assets/hosts').create({ name: 'h', address: '10.0.0.1', platform: 1 })
  user = await server.admin.request<AnyRow>('GET', '/api/v1/users/profile/')
})
afterAll(() => server.close())

const answered = (call: Promise<unknown>) =>
  call.then(
    (body) => ({ status: 200, body }),
    ({ status, body }: ApiError) => ({ status, body }),
  )
const check = (body: object) => answered(gateway.request('POST', '/api/v1/acls/login-asset/check/', body))

describe('a component that checks a connection before opening it', () => {
  it('gets the decision of the first matching rule, for users of any organization', async () => {
    const rules = server.admin.collection('acls/login-asset-acls')
    const login = () => ({ user_id: user.id, asset_id: asset.id, account_username: 'root' })
    expect(await check(login())).toEqual({ status: 200, body: { need_review: false } })
    for (const [action, expected] of [
      ['accept', { status: 200, body: { need_review: false } }],
      ['notice', { status: 200, body: { need_review: false } }],
      ['reject', { status: 400, body: { code: 'acl_reject', detail: expect.any(String) } }],
    ] as const) {
      const rule = await rules.create({
        name: `rule-${action}`,
        users: { type: 'ids', ids: [user.id] },
        assets: { type: 'ids', ids: [asset.id] },
        accounts: ['root'],
        rules: { ip_group: ['192.0.2.1'] },
        action,
        reviewers: [user.id],
      })
      expect([action, await check(login())]).toEqual([action, expected])
      expect((await check({ ...login(), account_username: 'other' })).status).toBe(200)
      await rules.delete(rule.id)
    }
  })

  it('gets an error that names the missing user or asset', async () => {
    expect(await check({})).toMatchObject({ status: 400, body: { user_id: [expect.any(String)] } })
    expect(await check({ user_id: user.id, asset_id: randomUUID() })).toEqual({
      status: 400,
      body: { asset_id: [expect.any(String)] },
    })
  })
})

describe('rules about connect methods', () => {
  it('are found by a method they deny', async () => {
    const rules = server.admin.collection('acls/connect-method-acls')
    const rule = await rules.create({ name: 'no web', users: { type: 'all' }, connect_methods: ['web_gui'] })
    expect((await rules.all({ methods: 'web_gui' })).map(({ id }) => id)).toEqual([rule.id])
    expect(await rules.all({ methods: 'web_cli' })).toEqual([])
    await rules.delete(rule.id)
  })
})
