import { constants, createDecipheriv, privateDecrypt } from 'node:crypto'
import type { Context } from '../module/context.ts'

/**
 * Decrypts a value that a browser may have encrypted as `rsa:aes`, both base64. A value of another form, or one that
 * does not decrypt, is returned unchanged, so a plain password with a colon works. Values that are not text are
 * returned unchanged; the field's parser rejects them.
 */
export function decrypted<T>(ctx: Context, value: T): T | string {
  if (typeof value !== 'string') return value
  const [rsa, aes, ...more] = value.split(':')
  const pem = ctx.session?.get<string>('private_key')
  if (!rsa || !aes || more.length > 0 || !pem) return value
  try {
    const key = privateDecrypt({ key: pem, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(rsa, 'base64'))
    const padded = Buffer.alloc(Math.max(16, Math.ceil(key.length / 16) * 16))
    key.copy(padded)
    const cipher = createDecipheriv(`aes-${padded.length * 8}-ecb`, padded, null).setAutoPadding(false)
    const plain = Buffer.concat([cipher.update(Buffer.from(aes, 'base64')), cipher.final()])
    const end = plain.indexOf(0)
    return (end === -1 ? plain : plain.subarray(0, end)).toString('utf8')
  } catch {
    return value
  }
}
