import { type MailServer, startMailServer } from '@castellan/testing/mail-server'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let mails: MailServer
beforeAll(async () => {
  server = await startServer({ worker: true })
  mails = await startMailServer()
  await server.changeSettings('email', mails.settings)
})
afterAll(async () => {
  await server.close()
  await mails[Symbol.asyncDispose]()
})

const mailTo = (address: string) =>
  vi.waitFor(
    () => {
      const found = mails.received.filter(({ to }) => to.includes(address)).at(-1)
      if (!found) throw new Error(`no mail to ${address} yet`)
      const [head = '', body = ''] = found.text.split(/\r?\n\r?\n/)
      return /encoding: base64/i.test(head) ? Buffer.from(body, 'base64').toString() : body
    },
    { timeout: 15_000, interval: 50 },
  )

it('tells users at the address from before, in their language, whatever they chose to get', async () => {
  const { id } = await server.admin.collection('users/users').create({
    ...{ name: 'Told', username: 'told', email: 'old-told@example.com', phone: '+8613800138000' },
  })
  await mailTo('old-told@example.com')
  mails.received.length = 0
  const own = await server.as(id)
  await own.request('PATCH', `/api/v1/notifications/user-msg-subscription/${id}/`, { receive_backends: [] })
  await server
    .context()
    .rawDb.insertInto('notifications_userlanguage')
    .values({ user_id: id, language: 'ja' })
    .execute()
  const change = { email: 'new-told@example.com', phone: '+8613900139000', comment: 'x' }
  await server.admin.request('PATCH', `/api/v1/users/users/${id}/`, change)
  const text = await mailTo('old-told@example.com')
  expect(text).toContain('メールアドレス、電話番号')
  expect(text).toContain('Administrator')
  expect(mails.received.filter(({ to }) => to.includes('new-told@example.com'))).toEqual([])
  mails.received.length = 0
  await server.admin.request('PATCH', `/api/v1/users/users/${id}/`, { comment: 'y', email: change.email })
  await server.admin.request('PUT', `/api/v1/users/users/${id}/password/`, { password: 'Other-1-password' })
  expect(await mailTo('new-told@example.com')).toContain('パスワード')
  expect(mails.received).toHaveLength(1)
})
