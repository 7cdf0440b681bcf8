import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { newCertificate, type TestCertificate } from '@castellan/testing/certificates'
import { type MailServer, startMailServer } from '@castellan/testing/mail-server'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

const trusted = getCACertificates()
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await server?.close()
})

const set = (values: object) => server.changeSettings('email', values)
const send = () =>
  server.admin.request('POST', '/api/v1/settings/mail/testing/', { EMAIL_RECIPIENT: 'ada@example.com' })

for (const tls of ['implicit', 'starttls'] as const)
  describeWith('openssl', `a mail server with TLS (${tls})`, () => {
    let certificate: TestCertificate
    let mails: MailServer
    beforeAll(async () => {
      certificate = newCertificate()
      mails = await startMailServer({ tls, certificate })
      await set(mails.settings)
    })
    afterAll(async () => {
      await mails?.[Symbol.asyncDispose]()
      certificate?.remove()
    })

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
