import { roleIds } from '@castellan/contract/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../kernel/jobs/log.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { disablesUnused, remindOfAccounts, remindOfPasswords } from './upkeep.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ worker: true })
})
afterAll(() => server.close())

const day = 86_400_000
const ago = (days: number) => Date.now() - days * day
const user = (name: string) => server.person(name, { system: [roleIds.user], org: [roleIds.orgUser] })
const inRow = (id: string, values: Record<string, unknown>) =>
  server.application.services.database.writer.updateTable('users_user').set(values).where('id', '=', id).execute()
const messagesOf = async (id: string) =>
  (
    await (
      await server.as(id)
    ).request<{ content: { subject: string; message: string } }[]>('GET', '/api/v1/notifications/site-messages/')
  ).map(({ content }) => content.subject)

describe('users with something about to expire', () => {
  it('are reminded of a local password that expires within five days', async () => {
    const [soon, later, gone, elsewhere] = [
      await user('soon'),
      await user('later'),
      await user('gone'),
      await user('elsewhere'),
    ]
    await server.admin.request('PATCH', '/api/v1/settings/setting/?category=security_password', {
      SECURITY_PASSWORD_EXPIRATION_TIME: 30,
    })
    await inRow(soon, { date_password_last_updated: ago(26) })
    await inRow(later, { date_password_last_updated: ago(24) })
    await inRow(gone, { date_password_last_updated: ago(31) })
    await inRow(elsewhere, { date_password_last_updated: ago(26), source: 'ldap' })
    await remindOfPasswords(server.context())
    expect([
      await messagesOf(soon),
      await messagesOf(later),
      await messagesOf(gone),
      await messagesOf(elsewhere),
    ]).toEqual([['Your password expires soon'], [], [], []])
    await server.admin.request('PATCH', '/api/v1/settings/setting/?category=security_password', {
      SECURITY_PASSWORD_EXPIRATION_TIME: 9999,
    })
  })

  it('are reminded of an account that expires within five days', async () => {
    const [soon, later] = [await user('ends'), await user('stays')]
    await inRow(soon, { date_expired: Date.now() + 4 * day })
    await inRow(later, { date_expired: Date.now() + 6 * day })
    await remindOfAccounts(server.context())
    expect([await messagesOf(soon), await messagesOf(later)]).toEqual([['Your account expires soon'], []])
  })

  it('are disabled after the configured days of inactivity, except the first administrator', async () => {
    const [unused, signedIn, byToken, fresh] = [
      await user('unused'),
      await user('signed-in'),
      await user('by-token'),
      await user('fresh'),
    ]
    const old = { date_joined: ago(100), last_login: null, date_api_key_last_used: null }
    await inRow(unused, { ...old, last_login: ago(95) })
    await inRow(signedIn, { ...old, last_login: ago(10) })
    await inRow(byToken, { ...old, date_api_key_last_used: ago(10) })
    const me = await server.admin.request<{ id: string }>('GET', '/api/v1/users/profile/')
    await inRow(me.id, old)
    // As the nightly job does: it writes its log while it runs.
    const { services } = server.application
    const job = await server.context().enqueue(disablesUnused, {})
    await expect
      .poll(async () => (await readLog(services.database.reader, job, 0)).text, { timeout: 10_000 })
      .toMatch(/^unused\(unused[^)]*\)\r\n$/)
    const active = async (id: string) =>
      (await server.admin.collection('users/users').get(id)) as unknown as { is_active: boolean }
    for (const [id, is] of [
      [unused, false],
      [signedIn, true],
      [byToken, true],
      [fresh, true],
      [me.id, true],
    ] as const)
      expect((await active(id)).is_active).toBe(is)
  })
})
