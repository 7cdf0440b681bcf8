import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer, type Server } from 'node:tls'
import { accountTarget, passwordChange, passwordLogin } from '@castellan/testing/account-target'
import { newCertificate, type TestCertificate } from '@castellan/testing/certificates'
import { describeWith } from '@castellan/testing/parts'
import { startScriptedMongoDb } from '@castellan/testing/scripted-mongodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mongodb } from './mongodb.ts'

const by = passwordLogin('root', 'of root')

async function started(database = 'shop') {
  const server = await startScriptedMongoDb()
  server.users.set(`${database}.root`, 'of root')
  server.administrators.add(`${database}.root`)
  return {
    server,
    target: accountTarget(server.port, { database }),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

describe('accounts of MongoDB, by its driver and a scripted server', () => {
  it('are those of the database of the asset', async () => {
    await using running = await started()
    const { server, target } = running
    await mongodb.change(target, by, passwordChange('app', 'secret', true))
    expect(server.users.get('shop.app')).toBe('secret')
    server.users.set('admin.other', 'x')
    const names = (await mongodb.list?.(target, by))?.map(({ username }) => username)
    expect(names).toEqual(['root', 'app', 'other'])
  })

  it('are changed on the primary only, and no other member is asked', async () => {
    await using running = await started()
    const { server, target } = running
    server.isSecondary = true
    await mongodb.verify(target, by)
    server.users.set('shop.app', 'before')
    await expect(mongodb.change(target, by, passwordChange('app', 'after'))).rejects.toMatchObject({
      code: 'read_only',
    })
    expect(server.users.get('shop.app')).toBe('before')
  })

  it('do not hash a password as often as the server likes', async () => {
    await using running = await started()
    const { server, target } = running
    server.rounds = 15_000
    await mongodb.verify(target, by)
    server.rounds = 2_000_000_000
    await expect(mongodb.verify(target, by)).rejects.toMatchObject({ code: 'bad_answer' })
  })

  it('do not get passwords that the protocol does not allow', async () => {
    await using running = await started()
    const { target } = running
    await expect(mongodb.change(target, by, passwordChange('app', '🔑', true))).rejects.toMatchObject({
      code: 'secret_rejected',
    })
  })
})

describeWith('openssl', 'accounts of MongoDB with TLS', () => {
  let certificate: TestCertificate
  let mongo: Awaited<ReturnType<typeof startScriptedMongoDb>>
  let secure: Server
  beforeAll(async () => {
    certificate = newCertificate()
    mongo = await startScriptedMongoDb()
    mongo.users.set('admin.root', 'of root')
    secure = createServer({ key: certificate.key, cert: certificate.certificate }, (socket) => {
      const plain = connect(mongo.port, '127.0.0.1')
      socket.on('error', () => plain.destroy()).pipe(plain)
      plain.on('error', () => socket.destroy()).pipe(socket)
    })
    secure.on('tlsClientError', () => undefined)
    secure.listen(0, '127.0.0.1')
    await once(secure, 'listening')
  })
  afterAll(async () => {
    secure?.close()
    await mongo?.[Symbol.asyncDispose]()
    certificate?.remove()
  })

  it('sign in only to a server with an accepted certificate', async () => {
    const { port } = secure.address() as AddressInfo
    const verify = (tls: object, host = '127.0.0.1') =>
      mongodb.verify(accountTarget(port, { host, tls: { enabled: true, ...tls } }), by)
    await verify({ ca: certificate.ca })
    await verify({ acceptInvalid: true })
    await expect(verify({})).rejects.toMatchObject({ code: 'unsupported' })
    await expect(verify({ ca: certificate.ca }, 'db.example')).rejects.toMatchObject({ code: 'unsupported' })
  })
})
