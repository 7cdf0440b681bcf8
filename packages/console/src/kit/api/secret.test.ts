import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { encryptSecret, randomText } from './secret.ts'

afterEach(() => vi.unstubAllGlobals())

/** The server's side of `rsa:aes`, with Node's own crypto. */
function open(sealed: string, pem: string): string {
  const [rsa, aes] = sealed.split(':') as [string, string]
  const key = privateDecrypt({ key: pem, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(rsa, 'base64'))
  const cipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  return Buffer.concat([cipher.update(Buffer.from(aes, 'base64')), cipher.final()])
    .toString('utf8')
    .replace(/\0+$/, '')
}

describe('an encrypted secret', () => {
  for (const type of ['spki', 'pkcs1'] as const) {
    it(`is decrypted with the server's key (${type})`, async () => {
      const pair = generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type, format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      })
      vi.stubGlobal('document', {
        cookie: `jms_public_key="${encodeURIComponent(Buffer.from(pair.publicKey).toString('base64'))}"`,
      })
      for (const text of ['a', 'sixteen letters!', '密码 with ünïcode and more than one block', 'x'.repeat(4000)]) {
        const sealed = await encryptSecret(text)
        if (text.length > 4) expect(sealed).not.toContain(text.slice(0, 10))
        expect(open(sealed, pair.privateKey)).toBe(text)
      }
    })
  }
  it('is unchanged without a key, and stays empty if empty', async () => {
    vi.stubGlobal('document', { cookie: '' })
    expect(await encryptSecret('plain')).toBe('plain')
    expect(await encryptSecret('')).toBe('')
  })
  it('has a random key of the requested length', () => {
    expect(randomText(16)).toMatch(/^[A-Za-z0-9]{16}$/)
    expect(randomText(16)).not.toBe(randomText(16))
  })
})
