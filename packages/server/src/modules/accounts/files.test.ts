import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.admin.collection('assets/hosts').create({
    name: 'vaulted',
    address: '127.0.0.1',
    platform: 1,
    accounts: [{ username: 'keeper', secret: 'S3cret!' }],
  })
})
afterAll(() => server.close())

const file = async (query: string) => {
  const path = `/api/v1/accounts/accounts/?format=csv${query}`
  const answer = await fetch(server.url + path, {
    headers: { ...server.admin.proof('GET', path), 'accept-language': 'en' },
  })
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? ''
  return { status: answer.status, name, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/**
 * Decrypts an archive.
 * @throws Error for a wrong password
 */
async function opened(zip: Buffer, password: string): Promise<string> {
  const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(zip)))
  const [entry] = await reader.getEntries()
  if (!entry || entry.directory) throw new Error('The archive holds no file.')
  return entry.getData(new TextWriter(), { password, useWebWorkers: false })
}

describe('files of accounts', () => {
  it('are encrypted with the caller’s password, and require one', async () => {
    const notice = await file('')
    expect([notice.status, notice.name]).toEqual([200, expect.stringMatching(/^account_.*\.txt$/)])
    expect(notice.bytes.toString()).toContain('file encryption password')
    await server.admin.request('PATCH', '/api/v1/users/preference/?category=lina', {
      basic: { secret_key: 'Zip#pass12', secret_key_again: 'Zip#pass12' },
    })
    const { name, bytes } = await file('')
    expect(name).toMatch(/^account_.*\.zip$/)
    expect(bytes.toString('latin1')).not.toContain('keeper')
    expect(await opened(bytes, 'Zip#pass12')).toContain('keeper')
    await expect(opened(bytes, 'Zip#pass13')).rejects.toThrow(/password/i)
  })

  it('for filling in (import templates) are not encrypted', async () => {
    const { name, bytes } = await file('&template=import')
    expect(name).toMatch(/\.csv$/)
    expect(bytes.toString()).not.toContain('S3cret!')
  })
})
