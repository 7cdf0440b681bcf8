import { describe, expect, it } from 'vitest'
import { md4, rc4 } from './ciphers.ts'
import { authenticateMessage, nameParts, negotiateMessage, readChallenge, responseKey } from './messages.ts'
import { hmacMd5, NtlmSealing } from './sealing.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** The target's information of the examples in MS-NLMP 4.2.4. */
const information = hex('02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000')
const challengeWith = (flags: number, pairs = information) => {
  const head = Buffer.alloc(56)
  head.write('NTLMSSP\0', 'latin1')
  head.writeUInt32LE(2, 8)
  head.writeUInt32LE(flags >>> 0, 20)
  hex('0123456789abcdef').copy(head, 24)
  head.writeUInt16LE(pairs.length, 40)
  head.writeUInt32LE(56, 44)
  return Buffer.concat([head, pairs])
}

describe('NTLM', () => {
  it('computes MD4 and RC4 as their documents do', () => {
    expect(md4(Buffer.alloc(0)).toString('hex')).toBe('31d6cfe0d16ae931b73c59d7e0c089c0')
    expect(md4(Buffer.from('message digest')).toString('hex')).toBe('d9130a8164549fe818874806e1c7014b')
    const long = '12345678901234567890123456789012345678901234567890123456789012345678901234567890'
    expect(md4(Buffer.from(long)).toString('hex')).toBe('e33b4ddc9c38f2199c3e7b164fcc0536')
    expect(rc4(Buffer.from('Key'))(Buffer.from('Plaintext')).toString('hex')).toBe('bbf316e8d940af0ad3')
  })

  it('proves a password as the examples of its specification do', () => {
    const key = responseKey('User', 'Domain', 'Password')
    expect(key.toString('hex')).toBe('0c868a403bfd7a93a3001ef22ef02e3f')
    const blob = Buffer.concat([
      hex('0101000000000000 0000000000000000 aaaaaaaaaaaaaaaa 00000000'),
      information,
      Buffer.alloc(4),
    ])
    const proof = hmacMd5(key, hex('0123456789abcdef'), blob)
    expect(proof.toString('hex')).toBe('68cd0ab851e51c96aabc927bebef6a1c')
    const sessionBaseKey = hmacMd5(key, proof)
    expect(sessionBaseKey.toString('hex')).toBe('8de40ccadbc14a82f15cb0ad0de95ca3')
    expect(rc4(sessionBaseKey)(Buffer.alloc(16, 0x55)).toString('hex')).toBe('c5dad2544fc9799094ce1ce90bc9d03e')
  })

  it('seals a message as the examples of its specification do', () => {
    const { sealed, signature } = new NtlmSealing(Buffer.alloc(16, 0x55)).seal(Buffer.from('Plaintext', 'utf16le'))
    expect(sealed.toString('hex')).toBe('54e50165bf1936dc996020c1811b0f06fb5f')
    expect(signature.toString('hex')).toBe('010000007fb38ec5c55d497600000000')
  })

  it('opens only what the other side sealed, in its order', () => {
    const key = Buffer.alloc(16, 7)
    const [client, server, late] = [
      new NtlmSealing(key),
      new NtlmSealing(key, 'server'),
      new NtlmSealing(key, 'server'),
    ]
    const first = client.seal(Buffer.from('first'))
    const second = client.seal(Buffer.from('second'))
    expect(server.open(first)?.toString()).toBe('first')
    expect(server.open(second)?.toString()).toBe('second')
    expect(late.open(second)).toBeUndefined()
    const changed = new NtlmSealing(key).seal(Buffer.from('first'))
    changed.sealed[0] = (changed.sealed[0] ?? 0) ^ 1
    expect(new NtlmSealing(key, 'server').open(changed)).toBeUndefined()
  })

  it('refuses challenges that are cut or offer less than it demands', () => {
    const all = 0xe28a8235
    expect(readChallenge(challengeWith(all)).pairs.size).toBe(2)
    for (const [bad, what] of [
      [challengeWith(all & ~0x20), /outdated/],
      [challengeWith(all & ~0x80000), /outdated/],
      [challengeWith(all & ~0x40000000), /outdated/],
      [challengeWith(all).subarray(0, 60), /cut/],
      [challengeWith(all, hex('0200ff00aa')), /cut/],
      [Buffer.from('NTLMSSP\0'), /no NTLM challenge/],
      [negotiateMessage(), /no NTLM challenge/],
    ] as const)
      expect(() => readChallenge(bad)).toThrow(what)
  })

  it('names the account of a domain by both parts', () => {
    expect(nameParts('CORP\\ann')).toEqual({ domain: 'CORP', user: 'ann' })
    expect(nameParts('ann@corp.example')).toEqual({ domain: '', user: 'ann@corp.example' })
    const challenge = readChallenge(challengeWith(0xe28a8235))
    const { message } = authenticateMessage({
      negotiate: negotiateMessage(),
      challenge,
      username: 'CORP\\ann',
      password: 'x',
    })
    expect(message.includes(Buffer.from('CORPann', 'utf16le'))).toBe(true)
  })
})
