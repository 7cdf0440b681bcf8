import { startMailServer } from '@castellan/testing/mail-server'
import { expect, it } from 'vitest'
import { startServer } from '../../testing/server.ts'
import { queueMails } from './mail.ts'

it('a mail that is sent again after the death of its worker has the same Message-ID', async () => {
  await using mails = await startMailServer()
  await using server = await startServer({ worker: true })
  await server.changeSettings('email', mails.settings)
  const ctx = server.context()
  await queueMails(ctx, [{ to: 'ada@example.com', subject: 'Hello', html: '<p>Hello</p>' }])
  const job = () =>
    ctx.acrossOrganizations
      .selectFrom('kernel_job')
      .select(['id', 'state'])
      .where('name', '=', 'notifications.send-mail')
      .executeTakeFirst()
  await expect.poll(async () => (await job())?.state, { timeout: 10_000 }).toBe('SUCCESS')
  // The mail left, and then the worker died before it could say so.
  await ctx.acrossOrganizations
    .updateTable('kernel_job')
    .set({ state: 'RUNNING', date_lease: 1, date_finished: null })
    .where('id', '=', (await job())?.id)
    .execute()
  await expect.poll(() => mails.received.length, { timeout: 10_000 }).toBe(2)
  const ids = mails.received.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1]?.trim())
  expect(ids).toEqual([`<${(await job())?.id}@example.com>`, `<${(await job())?.id}@example.com>`])
})
