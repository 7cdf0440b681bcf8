import { createHash, randomBytes } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Letters and digits from the operating system's generator; bytes from 248 up are dropped, so that no character is likelier. */
export function randomText(length: number): string {
  let out = ''
  while (out.length < length)
    for (const byte of randomBytes(length * 2)) if (byte < 248 && out.length < length) out += alphabet[byte % 62]
  return out
}

/** What is kept of a long random text that its owner shows again: it cannot be turned back, and needs no salt. */
export const hashed = (value: string): string => createHash('sha256').update(value).digest('hex')
