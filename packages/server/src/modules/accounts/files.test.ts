import { createHmac, pbkdf2Sync } from 'node:crypto'
import { startServer, type TestServer } from '@castellan/testing/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

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

/** Whether an archive was sealed under a password and nobody changed it since. */
function opensWith(zip: Buffer, password: string): boolean {
  const header = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28)
  const data = zip.subarray(header, header + zip.readUInt32LE(18))
  const keys = pbkdf2Sync(password, data.subarray(0, 16), 1000, 66, 'sha1')
  const proof = createHmac('sha1', keys.subarray(32, 64)).update(data.subarray(18, -10)).digest().subarray(0, 10)
  return keys.subarray(64).equals(data.subarray(16, 18)) && proof.equals(data.subarray(-10))
}

describe('files of accounts', () => {
  it('are encrypted under the password of whoever exports them, and are not made without one', async () => {
    const notice = await file('')
    expect([notice.status, notice.name]).toEqual([200, expect.stringMatching(/^account_.*\.txt$/)])
    expect(notice.bytes.toString()).toContain('file encryption password')
    await server.admin.request('PATCH', '/api/v1/users/preference/?category=lina', {
      basic: { secret_key: 'Zip#pass12', secret_key_again: 'Zip#pass12' },
    })
    const { name, bytes } = await file('')
    expect(name).toMatch(/^account_.*\.zip$/)
    expect(bytes.toString('latin1')).not.toContain('keeper')
    expect([opensWith(bytes, 'Zip#pass12'), opensWith(bytes, 'Zip#pass13')]).toEqual([true, false])
  })

  it('that are only to be filled in are plain', async () => {
    const { name, bytes } = await file('&template=import')
    expect(name).toMatch(/\.csv$/)
    expect(bytes.toString()).not.toContain('S3cret!')
  })
})
