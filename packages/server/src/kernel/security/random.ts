import { createHash, randomBytes } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Random letters and digits from the operating system's generator. Bytes from 248 up are dropped, because modulo 62
 * they would make some characters likelier.
 */
export function randomText(length: number): string {
  let out = ''
  while (out.length < length)
    for (const byte of randomBytes(length * 2)) if (byte < 248 && out.length < length) out += alphabet[byte % 62]
  return out
}

/** The stored form of a long random token: a hash that cannot be reversed; random values need no salt. */
export const hashed = (value: string): string => createHash('sha256').update(value).digest('hex')
