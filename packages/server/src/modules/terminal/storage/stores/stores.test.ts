import { createHmac, randomBytes } from 'node:crypto'
import { lookup } from 'node:dns'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Azurite, startAzurite } from '@castellan/testing/cloud-simulators'
import { describeWith } from '@castellan/testing/parts'
import { startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ScriptedObjectServer } from '../../../../testing/object-server.ts'
import { openAzure, textToSign } from './azure.ts'
import type { LocalFile, ObjectStore, UploadMemory } from './object-store.ts'
import { noteOf } from './parts.ts'
import { openS3 } from './s3.ts'
import { openSftp } from './sftp.ts'

const folder = mkdtempSync(join(tmpdir(), 'castellan-stores-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const key = '2026-11-25/0b9b2a4e-3c9c-4d5e-9a53-2a4f6f2a1d11.cast.gz'
const soon = () => AbortSignal.timeout(60_000)

function fileOf(bytes: Buffer): LocalFile {
  const path = join(folder, randomBytes(8).toString('hex'))
  writeFileSync(path, bytes)
  return { path, size: bytes.length }
}

/** Three parts, the last one short. */
const large = randomBytes(20 * 1024 * 1024)

async function content(store: ObjectStore, range?: { start: number; end: number }): Promise<Buffer | undefined> {
  const stream = await store.read(key, range, soon())
  if (!stream) return undefined
  const pieces: Buffer[] = []
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

class Memory implements UploadMemory {
  known: string | undefined
  async note(state: string) {
    this.known = state
  }
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  )

/** What every store does with a file that is sent in one request, and in parts. */
async function demandAStore(store: ObjectStore): Promise<void> {
  expect(await store.size(key, soon())).toBeUndefined()
  expect(await content(store)).toBeUndefined()
  for (const bytes of [Buffer.from('a small recording'), large]) {
    await store.put(key, fileOf(bytes), soon())
    expect(await store.size(key, soon())).toBe(bytes.length)
    expect((await content(store))?.equals(bytes)).toBe(true)
    expect((await content(store, { start: 2, end: 6 }))?.equals(bytes.subarray(2, 7))).toBe(true)
  }
  await store.remove(key, soon())
  await store.remove(key, soon())
  expect(await store.size(key, soon())).toBeUndefined()
}

// Nobody offers these services for tests: what they document was written down in the scripted server.
describe.each([
  ['oss', 'oss-cn-hangzhou.aliyuncs.com', 'oss-cn-hangzhou'],
  ['obs', 'obs.cn-north-4.myhuaweicloud.com', 'cn-north-4'],
  ['cos', 'cos.ap-guangzhou.myqcloud.com', 'ap-guangzhou'],
])('%s, by exchanges as its documentation describes them', (type, domain, region) => {
  const scripted = new ScriptedObjectServer({ bucket: 'recordings-125', secret: 'known', region, domain })
  const toScripted: LookupFunction = (_name, options, done) => lookup('127.0.0.1', options, done)
  let ENDPOINT = ''
  beforeAll(async () => {
    ENDPOINT = `http://${domain}:${await scripted.start()}`
  })
  afterAll(() => scripted.stop())
  const open = (more: object = {}) =>
    openS3(type, { BUCKET: 'recordings-125', ACCESS_KEY: 'AK', SECRET_KEY: 'known', ENDPOINT, ...more }, toScripted)

  it('stores, returns and deletes files, large ones in parts', async () => {
    const store = await open()
    await demandAStore(store)
    store.close()
    expect(scripted.uploads.size).toBe(0)
    expect(scripted.asked).toContain('PUT part 3')
  })

  it('says what is wrong: a key, or the name of the bucket', async () => {
    const wrong = await open({ SECRET_KEY: 'wrong' })
    expect(await failureOf(wrong.put(key, fileOf(Buffer.from('x')), soon()))).toBe('denied')
    const missing = await open({ BUCKET: 'recordings-126' })
    expect(await failureOf(missing.put(key, fileOf(Buffer.from('x')), soon()))).toBe('no_container')
    wrong.close()
    missing.close()
  })

  it('continues an upload that was interrupted, and leaves no parts where nobody could', async () => {
    const large = randomBytes(17 * 1024 * 1024)
    const store = await open()
    const [file, memory] = [fileOf(large), new Memory()]
    scripted.refuse = (asked) => (asked === 'PUT part 2' ? 503 : undefined)
    expect(await failureOf(store.put(key, file, soon()))).toBe('unavailable')
    expect(scripted.uploads.size).toBe(0)
    expect(await failureOf(store.put(key, file, soon(), memory))).toBe('unavailable')
    scripted.refuse = () => undefined
    scripted.asked.length = 0
    await store.put(key, file, soon(), memory)
    expect(scripted.asked).toEqual(['GET upload', 'PUT part 2', 'PUT part 3', 'POST upload'])
    expect(scripted.objects.get(key)?.equals(large)).toBe(true)

    // The service has forgotten the upload: it starts again.
    await store.put(key, file, soon(), memory)
    expect(scripted.asked.filter((asked) => asked === 'PUT part 1')).toHaveLength(1)
    scripted.refuse = (asked) => (asked === 'PUT part 3' ? 503 : undefined)
    await failureOf(store.put(key, file, soon(), memory))
    await store.abandon?.(key, String(memory.known), soon())
    expect(scripted.uploads.size).toBe(0)
    scripted.refuse = () => undefined
    store.close()
  })
})

describe('a server that is no storage', () => {
  it('fills no memory with endless answers about an upload', async () => {
    const endless = createServer((request, answer) => {
      request.resume()
      const more = () => {
        while (!answer.destroyed && answer.write(Buffer.alloc(65_536, 'x')));
      }
      answer.on('drain', more)
      more()
    })
    await new Promise<void>((settle) => endless.listen(0, '127.0.0.1', settle))
    const ENDPOINT = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`
    const store = await openS3('s3', { BUCKET: 'b', ACCESS_KEY: 'a', SECRET_KEY: 's', ENDPOINT })
    expect(await failureOf(store.put(key, fileOf(large), soon()))).toBe('too_large')
    expect(await failureOf(store.put(key, fileOf(Buffer.from('x')), soon()))).toBe('too_large')
    expect(await failureOf(store.remove(key, soon()))).toBe('too_large')
    store.close()
    const details = { CONTAINER_NAME: 'c', ACCOUNT_NAME: 'a', ACCOUNT_KEY: 'a2V5', ENDPOINT_SUFFIX: '' }
    const azure = openAzure(details, `${ENDPOINT}/`)
    const memory = new Memory()
    memory.known = noteOf('upload', large.length)
    expect(await failureOf(azure.put(key, fileOf(large), soon(), memory))).toBe('too_large')
    endless.closeAllConnections()
    endless.close()
  })
})

describeWith('azurite', 'a container of Azure, by the server of Azurite', () => {
  let azurite: Azurite
  beforeAll(async () => {
    azurite = await startAzurite()
    await makeContainer('recordings')
  })
  afterAll(() => azurite?.stop())

  async function makeContainer(name: string): Promise<void> {
    const url = new URL(`${azurite.url}/${azurite.account}/${name}?restype=container`)
    const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2019-12-12' }
    const resource = `/${azurite.account}${url.pathname}\nrestype:container`
    const text = textToSign('PUT', headers, resource)
    const signature = createHmac('sha256', Buffer.from(azurite.key, 'base64')).update(text).digest('base64')
    const authorization = `SharedKey ${azurite.account}:${signature}`
    const answer = await fetch(url, { method: 'PUT', headers: { ...headers, authorization } })
    expect(answer.status).toBe(201)
  }

  const open = (more: object = {}) =>
    openAzure(
      {
        CONTAINER_NAME: 'recordings',
        ACCOUNT_NAME: azurite.account,
        ACCOUNT_KEY: azurite.key,
        ENDPOINT_SUFFIX: 'core.windows.net',
        ...more,
      },
      `${azurite.url}/${azurite.account}/`,
    )

  it('stores, returns and deletes files, large ones in blocks', () => demandAStore(open()))

  it('says what is wrong: a key, or the name of the container', async () => {
    const small = fileOf(Buffer.from('x'))
    for (const [more, code] of [
      [{ ACCOUNT_KEY: randomBytes(32).toString('base64') }, 'denied'],
      [{ CONTAINER_NAME: 'missing' }, 'no_container'],
    ] as const) {
      expect(await failureOf(open(more).put(key, small, soon()))).toBe(code)
      expect(await failureOf(open(more).put(key, fileOf(large), soon()))).toBe(code)
    }
  })

  it('continues an upload that was interrupted', async () => {
    const [file, memory] = [fileOf(large), new Memory()]
    // The file ends too early, so the second block fails as a cut connection does.
    const cut = fileOf(large.subarray(0, 10 * 1024 * 1024))
    expect(await failureOf(open().put(key, { path: cut.path, size: large.length }, soon(), memory))).toBeTruthy()
    // What the first block had would be seen if it were sent again.
    const marked = Buffer.concat([Buffer.alloc(8 * 1024 * 1024), large.subarray(8 * 1024 * 1024)])
    await open().put(key, { ...file, path: fileOf(marked).path }, soon(), memory)
    expect((await content(open()))?.equals(large)).toBe(true)
  })
})

describeWith(['sshd', 'ssh-keygen', 'sftp-server'], 'a folder by SFTP', () => {
  it('gets the rest of a file that was interrupted', async () => {
    const target = await startSshd()
    try {
      const details = {
        SFTP_HOST: target.host,
        SFTP_PORT: target.port,
        SFTP_USERNAME: target.username,
        STP_SECRET_TYPE: 'ssh_key',
        SFTP_PASSWORD: '',
        STP_PRIVATE_KEY: target.privateKey,
        STP_PASSPHRASE: '',
        SFTP_ROOT_PATH: target.home,
      }
      const store = await openSftp(details, { known: '' }, soon())
      const bytes = large.subarray(0, 1024 * 1024)
      const half = bytes.length / 2
      await store.put(key, fileOf(Buffer.alloc(half)), soon())
      const memory = new Memory()
      memory.known = noteOf(key, bytes.length)
      await store.put(key, fileOf(bytes), soon(), memory)
      const expected = Buffer.concat([Buffer.alloc(half), bytes.subarray(half)])
      expect((await content(store))?.equals(expected)).toBe(true)
      // Another file of that key is none to continue.
      memory.known = noteOf(key, 1)
      await store.put(key, fileOf(bytes), soon(), memory)
      expect((await content(store))?.equals(bytes)).toBe(true)
      store.close()
    } finally {
      await target.stop()
    }
  })
})
