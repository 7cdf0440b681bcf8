import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)
/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. */
const cost = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 }

/** `$argon2id$m=…,t=…,p=…$salt$tag`, base64 without padding. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { ...cost, message: Buffer.from(password, 'utf8'), nonce })
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`
}

let decoy: Promise<string> | undefined

/**
 * Whether the password matches the hash. Without a hash the same work is done, so that the response time does not
 * reveal whether the user exists.
 */
export async function verifyPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'))
  const [, , , settings = '', salt = '', expected = ''] = (hash || (await decoy)).split('$')
  const [memory, passes, parallelism] = settings.split(',').map((setting) => Number(setting.slice(2)))
  if (!memory || !passes || !parallelism) return false
  const wanted = Buffer.from(expected, 'base64')
  const tag = await derive('argon2id', {
    message: Buffer.from(password, 'utf8'),
    nonce: Buffer.from(salt, 'base64'),
    memory,
    passes,
    parallelism,
    tagLength: wanted.length,
  })
  return timingSafeEqual(Buffer.from(tag), wanted) && Boolean(hash)
}
