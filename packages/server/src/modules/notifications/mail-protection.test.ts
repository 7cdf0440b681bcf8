import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { newCertificate } from '@castellan/testing/certificates'
import { type MailServer, startMailServer } from '@castellan/testing/mail-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

const certificate = newCertificate()
const trusted = getCACertificates()
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  certificate.remove()
  await server.close()
})

const set = (values: object) => server.admin.request('PATCH', '/api/v1/settings/setting/?category=email', values)
const send = () =>
  server.admin.request('POST', '/api/v1/settings/mail/testing/', { EMAIL_RECIPIENT: 'ada@example.com' })

describe.each(['implicit', 'starttls'] as const)('a mail server with TLS (%s)', (tls) => {
  let mails: MailServer
  beforeAll(async () => {
    mails = await startMailServer({ tls, certificate })
    await set(mails.settings)
  })
  afterAll(() => mails[Symbol.asyncDispose]())

  it('is given no password before its certificate is trusted', async () => {
    setDefaultCACertificates(trusted)
    await expect(send()).rejects.toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/certificate/i) },
    })
    setDefaultCACertificates([...trusted, certificate.ca])
    await send()
    expect(mails.received).toMatchObject([{ to: ['ada@example.com'], isEncrypted: true }])
  })
})

it('a server that offers no TLS is sent nothing where TLS is demanded', async () => {
  await using mails = await startMailServer()
  await set({ ...mails.settings, EMAIL_USE_TLS: true })
  await expect(send()).rejects.toMatchObject({ status: 400 })
  expect(mails.received).toEqual([])
})
