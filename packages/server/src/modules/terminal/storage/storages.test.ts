import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError } from '@castellan/testing/client'
import { type Simulator, startMoto } from '@castellan/testing/cloud-simulators'
import { describeWith } from '@castellan/testing/parts'
import { freePort } from '@castellan/testing/ports'
import { startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchAs, gatewayWith, mediaPath, startSession, uploadRecording } from '../../../testing/recordings.ts'
import { directRun, startServer, type TestServer } from '../../../testing/server.ts'
import { storeFiles } from './store-files.ts'
import { openS3 } from './stores/s3.ts'
import { testStorages } from './test-storages.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const url = '/api/v1/terminal/replay-storages/'
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => (error instanceof ApiError ? { status: error.status, ...Object(error.body) } : Promise.reject(error)),
  )
const create = (name: string, type: string, meta: object) =>
  server.admin.request<AnyRow>('POST', `${url}?type=${type}`, { name, type, meta })
const stored = (id: unknown) => server.admin.request<AnyRow>('GET', `${url}${id}/`)
const test = (id: unknown) => server.admin.request<AnyRow>('GET', `${url}${id}/test-connective/`)
const change = (id: unknown, body: object) => server.admin.request<AnyRow>('PATCH', `${url}${id}/`, body)
/** One round of the job. */
const send = () => storeFiles.run(server.context(), {}, directRun())
const localFile = (session: string) => join(server.dataDir, mediaPath(session))

const s3 = (endpoint: string, bucket = 'recordings') => ({
  BUCKET: bucket,
  ACCESS_KEY: 'AKIAEXAMPLE',
  SECRET_KEY: 'very-secret-key',
  ENDPOINT: endpoint,
})

describe('secrets of storages', () => {
  it('are in no answer, no log, and no row of the database', async () => {
    const { id } = await create('hidden', 's3', s3('https://s3.example.com'))
    const answer = await stored(id)
    expect(answer.meta).toEqual({ BUCKET: 'recordings', ACCESS_KEY: 'AKIAEXAMPLE', ENDPOINT: 'https://s3.example.com' })
    const rows = await server.context().rawDb.selectFrom('terminal_replaystorage').selectAll().execute()
    const logs = await server.context().rawDb.selectFrom('audits_operatelog').selectAll().execute()
    const list = await server.admin.request('GET', url)
    expect(JSON.stringify([answer, rows, logs, list])).not.toContain('very-secret-key')
  })

  it('stay when they are not sent, and must be entered again for another address', async () => {
    const { id } = await create('moved', 's3', s3('https://s3.example.com'))
    expect((await change(id, { meta: { BUCKET: 'other' } })).meta).toMatchObject({ BUCKET: 'other' })
    const refused = await failure(change(id, { meta: { ENDPOINT: 'https://evil.example.com' } }))
    expect(refused).toMatchObject({ status: 400, meta: { SECRET_KEY: [expect.stringContaining('address')] } })
    const both = { ENDPOINT: 'https://new.example.com', SECRET_KEY: 'known' }
    expect((await change(id, { meta: both })).meta).toMatchObject({ ENDPOINT: 'https://new.example.com' })
  })

  it('reach the component that uses the storage, and no other caller', async () => {
    await create('for-gateway', 'ceph', s3('https://ceph.example.com'))
    const gateway = await gatewayWith(server, { replay_storage: 'for-gateway' })
    const other = await gatewayWith(server, { replay_storage: 'default' })
    const config = (client: typeof gateway) => client.request<AnyRow>('GET', '/api/v1/terminal/terminals/config/')
    expect((await config(gateway)).TERMINAL_REPLAY_STORAGE).toMatchObject({ TYPE: 's3', SECRET_KEY: 'very-secret-key' })
    expect(JSON.stringify(await config(other))).not.toContain('very-secret-key')
    expect(JSON.stringify(await other.request('GET', url))).not.toContain('very-secret-key')
    const auditor = { system: [roleIds.systemAuditor], org: [roleIds.orgAuditor] }
    for (const roles of [auditor, { system: [roleIds.user], org: [roleIds.orgAdmin] }]) {
      const client = await server.as(await server.person('reader', roles))
      expect(await failure(client.request('GET', '/api/v1/terminal/terminals/config/'))).toBeTruthy()
      expect(await failure(client.request('POST', `${url}?type=s3`, { name: 'x', type: 's3' }))).toMatchObject({
        status: 403,
      })
    }
  })
})

describe('passwords in addresses of search servers', () => {
  const commandUrl = '/api/v1/terminal/command-storages/'
  it('are kept apart however the address is written, or the address is refused', async () => {
    const search = createServer((request, answer) => {
      const isHead = request.method === 'HEAD'
      answer.end(isHead ? undefined : JSON.stringify({ version: { number: '8.1.0' } }))
    })
    await new Promise<void>((resolve) => search.listen(0, '127.0.0.1', resolve))
    const { port } = search.address() as AddressInfo
    const at = `127.0.0.1:${port}`
    const written = [
      `http://u:search-word@${at}`,
      `http://u:search-word@${at}/`,
      `HTTP://u:search-word@${at}`,
      `Http://:search-word@${at}`,
      `http:\\\\u:search-word@${at}`,
      `http:/u:search-word@${at}`,
      `http:u:search-word@${at}`,
      `http:///u:search-word@${at}`,
      `http://u:search\t-word@${at}`,
      `ht\ntp://u:search-word@${at}`,
      `http://u:search-word%40x@${at}/`,
      `http://search-word@x:search-word@${at}/`,
      ` http://u:search-word@${at} `,
    ]
    const taken: string[] = []
    for (const [number, host] of written.entries()) {
      const body = { name: `search ${number}`, type: 'es', meta: { HOSTS: [host], INDEX: 'commands' } }
      const answer = await failure(server.admin.request('POST', `${commandUrl}?type=es`, body))
      if (answer) expect([host, answer.status]).toEqual([host, 400])
      else taken.push(host)
    }
    const [row] = await server.admin.request<AnyRow[]>('GET', `${commandUrl}?name=search%200`)
    const alter = (meta: object) => failure(server.admin.request('PATCH', `${commandUrl}${row?.id}/`, { meta }))
    expect(await alter({ INDEX: 'others' })).toBeUndefined()
    // A certificate of anybody would do then.
    expect(await alter({ IGNORE_VERIFY_CERTS: true })).toMatchObject({
      status: 400,
      meta: { HOSTS: expect.anything() },
    })
    expect(await alter({ IGNORE_VERIFY_CERTS: true, HOSTS: [written[0]] })).toBeUndefined()
    expect(await alter({ INDEX: 'commands' })).toBeUndefined()
    search.closeAllConnections()
    search.close()
    expect(taken).toContain(written[0])
    expect(taken).toContain(written[1])
    const rows = await server.context().rawDb.selectFrom('terminal_commandstorage').selectAll().execute()
    const logs = await server.context().rawDb.selectFrom('audits_operatelog').selectAll().execute()
    const list = await server.admin.request('GET', commandUrl)
    for (const [where, seen] of Object.entries({ rows, logs, list }))
      expect(JSON.stringify(seen), where).not.toContain('-word')
  })
})

describe('addresses and names', () => {
  it('that lead to a cloud’s own credentials, carry a path, or leave the bucket are refused', async () => {
    const meta = s3('https://s3.example.com')
    for (const wrong of [
      { ENDPOINT: 'http://169.254.169.254' },
      { ENDPOINT: 'http://[fd00:ec2::254]' },
      { ENDPOINT: 'https://s3.example.com/path' },
      { ENDPOINT: 'https://user:password@s3.example.com' },
      { ENDPOINT: 'file:///etc/passwd' },
      { BUCKET: '../other' },
      { BUCKET: 'a/b' },
      { BUCKET: '' },
    ])
      expect([wrong, await failure(create('wrong', 's3', { ...meta, ...wrong }))]).toMatchObject([
        wrong,
        { status: 400, meta: { [Object.keys(wrong)[0] as string]: expect.anything() } },
      ])
    const azure = { CONTAINER_NAME: 'c', ACCOUNT_NAME: 'evil.example.com/', ACCOUNT_KEY: 'a2V5' }
    expect(await failure(create('wrong', 'azure', azure))).toMatchObject({ meta: { ACCOUNT_NAME: expect.anything() } })
  })

  it('of a type stay with it, and a renamed storage stays the one of its components', async () => {
    const { id } = await create('before', 's3', s3('https://s3.example.com'))
    await gatewayWith(server, { replay_storage: 'before' })
    expect(await failure(change(id, { type: 'sftp' }))).toMatchObject({ status: 400, type: expect.anything() })
    await change(id, { name: 'after' })
    expect((await server.admin.collection('terminal/terminals').all()).map((row) => row.replay_storage)).toContain(
      'after',
    )
    expect(await failure(server.admin.request('DELETE', `${url}${id}/`))).toMatchObject({ status: 400 })
  })
})

describeWith('moto', 'a storage with the protocol of S3', () => {
  let moto: Simulator
  beforeAll(async () => {
    moto = await startMoto()
    await fetch(`${moto.url}/recordings`, { method: 'PUT' })
  })
  afterAll(() => moto.stop())

  const objects = async () => (await fetch(`${moto.url}/recordings`)).text()

  it('is tested by storing, reading and deleting an object', async () => {
    const { id } = await create('works', 's3', s3(moto.url))
    expect(await test(id)).toMatchObject({ is_valid: true })
    expect(await objects()).not.toContain('castellan-test')
    await change(id, { meta: { BUCKET: 'missing' } })
    expect(await test(id)).toMatchObject({ is_valid: false, msg: expect.stringContaining('missing') })
  })

  it('takes recordings, returns them whole and by range, and notices what was changed there', async () => {
    const { id } = await create('taking', 's3', s3(moto.url))
    const gateway = await gatewayWith(server, { replay_storage: 'taking' })
    const session = await startSession(gateway)
    const bytes = randomBytes(300_000)
    expect(await uploadRecording(server, gateway, session, bytes)).toBe(201)
    expect(await stored(id)).toMatchObject({ waiting: 1, problem: '' })
    await send()
    expect(await stored(id)).toMatchObject({ waiting: 0, problem: '' })
    expect(existsSync(localFile(session))).toBe(false)
    const key = mediaPath(session).replace('/media/replay/', '')
    expect(await objects()).toContain(key)

    const whole = await fetchAs(server, server.admin, mediaPath(session))
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    const part = await fetchAs(server, server.admin, mediaPath(session), { range: 'bytes=100-199' })
    expect([part.status, Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))]).toEqual([206, true])
    const tar = await fetchAs(server, server.admin, `/api/v1/terminal/sessions/${session}/replay/download/`)
    expect(Buffer.from(await tar.arrayBuffer()).includes(bytes)).toBe(true)
    const plain = await server.as(await server.person('plain', { system: [roleIds.user], org: [roleIds.orgUser] }))
    expect((await fetchAs(server, plain, mediaPath(session))).status).toBe(403)

    // Sent again after a lost answer, it is the same; another one is a forgery.
    expect(await uploadRecording(server, gateway, session, bytes)).toBe(201)
    expect(await uploadRecording(server, gateway, session, randomBytes(10))).toBe(400)
    expect(await failure(server.admin.request('DELETE', `${url}${id}/`))).toMatchObject({ status: 400 })

    const other = join(server.dataDir, 'other')
    writeFileSync(other, randomBytes(300_000))
    const direct = await openS3('s3', s3(moto.url))
    await direct.put(key, { path: other, size: 300_000 }, AbortSignal.timeout(10_000))
    direct.close()
    const altered = await fetchAs(server, server.admin, mediaPath(session))
    await expect(altered.arrayBuffer()).rejects.toThrow()
  })

  it('keeps nothing from being recorded while it is away, and gets everything afterwards', async () => {
    const { id } = await create('away', 's3', s3(`http://127.0.0.1:${await freePort()}`))
    const gateway = await gatewayWith(server, { replay_storage: 'away' })
    const session = await startSession(gateway)
    const bytes = randomBytes(1000)
    await uploadRecording(server, gateway, session, bytes)
    await send()
    expect(await stored(id)).toMatchObject({ waiting: 1, problem: expect.stringContaining('127.0.0.1') })
    const local = await fetchAs(server, server.admin, mediaPath(session))
    expect(Buffer.from(await local.arrayBuffer()).equals(bytes)).toBe(true)
    await change(id, { meta: { ENDPOINT: moto.url, SECRET_KEY: 'again' } })
    await send()
    expect(await stored(id)).toMatchObject({ waiting: 0, problem: '' })
    expect(existsSync(localFile(session))).toBe(false)
  })

  it('shows recordings that a component has put there by itself', async () => {
    await create('direct', 's3', s3(moto.url))
    const gateway = await gatewayWith(server, { replay_storage: 'direct' })
    const session = await startSession(gateway)
    const body = new Uint8Array(randomBytes(500))
    await fetch(`${moto.url}/recordings/${mediaPath(session).replace('/media/replay/', '')}`, { method: 'PUT', body })
    await gateway.request('PATCH', `/api/v1/terminal/sessions/${session}/`, { has_replay: true, is_finished: true })
    const path = `/api/v1/terminal/sessions/${session}/replay/`
    expect(await server.admin.request('GET', path)).toMatchObject({ type: 'asciicast', src: mediaPath(session) })
    const found = await fetchAs(server, server.admin, mediaPath(session))
    expect(Buffer.from(await found.arrayBuffer()).equals(Buffer.from(body))).toBe(true)
  })
})

describe('the nightly test', () => {
  it('tells the subscribers which storages do not work, and why, without their secrets', async () => {
    await create('broken', 's3', s3(`http://127.0.0.1:${await freePort()}`))
    const { id } = await server.admin.request<AnyRow>('GET', '/api/v1/users/profile/')
    const subscription = '/api/v1/notifications/system-msg-subscription/StorageConnectivityMessage/'
    await server.admin.request('PATCH', subscription, { users: [id], receive_backends: ['site_msg'] })
    await testStorages.run(server.context(), {}, directRun())
    const [message] = await server.admin.collection('notifications/site-messages').all()
    const text = JSON.stringify(message)
    expect(text).toContain('broken')
    expect(text).toContain('127.0.0.1')
    expect(text).not.toContain('very-secret-key')
  })
})

describe('a server that is no storage', () => {
  it('cannot make a recording count as stored, nor feed an endless one', async () => {
    // Scripted: accepts everything, and answers every read without an end.
    const scripted = createServer((request, answer) => {
      request.resume()
      if (request.method !== 'GET') {
        answer.end()
        return
      }
      const more = () => {
        while (!answer.destroyed && answer.write(Buffer.alloc(65_536)));
      }
      answer.on('drain', more)
      more()
    })
    await new Promise<void>((resolve) => scripted.listen(0, '127.0.0.1', resolve))
    const { port } = scripted.address() as AddressInfo
    const { id } = await create('endless', 's3', s3(`http://127.0.0.1:${port}`))
    expect(await test(id)).toMatchObject({ is_valid: false })
    const gateway = await gatewayWith(server, { replay_storage: 'endless' })
    const session = await startSession(gateway)
    await uploadRecording(server, gateway, session, randomBytes(1000))
    await send()
    expect(await stored(id)).toMatchObject({ waiting: 1, problem: expect.stringContaining('changed') })
    expect(existsSync(localFile(session))).toBe(true)
    scripted.closeAllConnections()
    scripted.close()
  })
})

describeWith(['sshd', 'ssh-keygen', 'sftp-server'], 'a storage by SFTP', () => {
  it('takes recordings, and is not used after its host key has changed', async () => {
    const target = await startSshd()
    try {
      const { id } = await create('by-sftp', 'sftp', {
        SFTP_HOST: target.host,
        SFTP_PORT: target.port,
        SFTP_USERNAME: target.username,
        STP_SECRET_TYPE: 'ssh_key',
        STP_PRIVATE_KEY: target.privateKey,
        SFTP_ROOT_PATH: target.home,
      })
      expect(await test(id)).toMatchObject({ is_valid: true })
      expect((await stored(id)).meta).toMatchObject({ SFTP_HOST_KEY: target.fingerprint() })
      const gateway = await gatewayWith(server, { replay_storage: 'by-sftp' })
      const session = await startSession(gateway)
      const bytes = randomBytes(100_000)
      await uploadRecording(server, gateway, session, bytes)
      await send()
      expect(await stored(id)).toMatchObject({ waiting: 0, problem: '' })
      const found = await fetchAs(server, server.admin, mediaPath(session))
      expect(Buffer.from(await found.arrayBuffer()).equals(bytes)).toBe(true)
      await target.changeHostKey()
      expect(await test(id)).toMatchObject({ is_valid: false, msg: expect.stringContaining('host key') })
      expect((await fetchAs(server, server.admin, mediaPath(session))).status).toBe(503)
    } finally {
      await target.stop()
    }
  })
})
