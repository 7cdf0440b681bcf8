import { roleIds } from '@castellan/contract/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { warnOfExpiry } from './expiry-warnings.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

describe('warnings of expiring permissions', () => {
  it('inform users of their assets and administrators of the permissions, by days left', async () => {
    const [alice, bob] = [
      await server.person('alice', { system: [roleIds.user], org: [roleIds.orgUser] }),
      await server.person('bob', { system: [roleIds.user], org: [roleIds.orgUser] }),
    ]
    const host = await server.admin.collection('assets/hosts').create({
      name: 'web<1>',
      address: '10.0.0.1',
      platform: { pk: 1 },
      protocols: [{ name: 'ssh', port: 22 }],
    })
    const give = (name: string, users: string[], date_expired: string) =>
      server.admin
        .collection('perms/asset-permissions')
        .create({ name, users, assets: [host.id], accounts: ['@ALL'], date_start: hours(-100), date_expired })
    const today = await give('today', [alice], hours(2))
    await give('in two days', [alice, bob], hours(50))
    await give('later', [bob], hours(100))
    await give('over', [bob], hours(-1))
    await warnOfExpiry(server.context())
    const messagesOf = async (id: string) =>
      (
        await (
          await server.as(id)
        ).request<{ content: { subject: string; message: string } }[]>('GET', '/api/v1/notifications/site-messages/')
      ).map(({ content }) => content)
    expect((await messagesOf(alice)).map(({ subject }) => subject).sort()).toEqual([
      'Your access to assets ends in 2 days',
      'Your access to assets ends today',
    ])
    const [only, ...more] = await messagesOf(bob)
    expect(more).toEqual([])
    expect(only?.subject).toBe('Your access to assets ends in 2 days')
    expect(only?.message).toContain('web&lt;1&gt;(10.0.0.1)')
    const admin = await server.admin.request<{ content: { subject: string; message: string } }[]>(
      'GET',
      '/api/v1/notifications/site-messages/',
    )
    expect(admin.map(({ content }) => content.subject).sort()).toEqual([
      'Asset permissions end in 2 days',
      'Asset permissions end today',
    ])
    const first = admin.find(({ content }) => content.subject === 'Asset permissions end today')
    expect(first?.content.message).toContain(`/ui/#/console/perms/asset-permissions/${today.id}`)
  })
})
