import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** Converts the key to a form that ssh2 reads: PKCS#1, SEC1 or OpenSSH; PKCS#8 is rewritten. */
export function readableHostKey(pem: string): string {
  if (!/BEGIN PRIVATE KEY/.test(pem)) return pem
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs1', format: 'pem' }) as string
  if (key.asymmetricKeyType === 'ec') return key.export({ type: 'sec1', format: 'pem' }) as string
  return openSshForm(key)
}

/** A generated Ed25519 host key, for a server that provides none. */
export function newHostKey(): string {
  return openSshForm(generateKeyPairSync('ed25519').privateKey)
}

const text = (value: Buffer | string) => {
  const data = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, data])
}

/** An Ed25519 key in OpenSSH's own format (PROTOCOL.key), without a passphrase. */
function openSshForm(key: KeyObject): string {
  const { d, x } = key.export({ format: 'jwk' }) as { d?: string; x?: string }
  if (!d || !x) throw new Error('SSH does not support this kind of host key')
  const open = Buffer.from(x, 'base64url')
  const name = 'ssh-ed25519'
  const blob = Buffer.concat([text(name), text(open)])
  const check = Buffer.from('castcast')
  const secret = Buffer.concat([
    check,
    text(name),
    text(open),
    text(Buffer.concat([Buffer.from(d, 'base64url'), open])),
    text(''),
  ])
  const padding = Buffer.from(Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, at) => at + 1))
  const one = Buffer.from([0, 0, 0, 1])
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    text('none'),
    text('none'),
    text(''),
    one,
    text(blob),
    text(Buffer.concat([secret, padding])),
  ])
  const lines = body.toString('base64').match(/.{1,70}/g) ?? []
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`
}
