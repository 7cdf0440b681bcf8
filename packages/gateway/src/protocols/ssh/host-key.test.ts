import { generateKeyPairSync } from 'node:crypto'
import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { newHostKey, readableHostKey } from './host-key.ts'

const parsed = (pem: string) => {
  const key = ssh2.utils.parseKey(pem)
  if (key instanceof Error) throw key
  return Array.isArray(key) ? key[0]?.type : key.type
}

test('keys in PKCS#8 form can be used as host keys', () => {
  const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
  const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding: pkcs8, publicKeyEncoding })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256', privateKeyEncoding: pkcs8, publicKeyEncoding })
  const ed = generateKeyPairSync('ed25519', { privateKeyEncoding: pkcs8, publicKeyEncoding })
  expect(parsed(readableHostKey(rsa.privateKey))).toBe('ssh-rsa')
  expect(parsed(readableHostKey(ec.privateKey))).toBe('ecdsa-sha2-nistp256')
  expect(parsed(readableHostKey(ed.privateKey))).toBe('ssh-ed25519')
  expect(parsed(newHostKey())).toBe('ssh-ed25519')
})
