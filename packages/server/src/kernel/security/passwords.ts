import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** Work that a guess costs: KiB of memory, and how often they are passed. */
export interface PasswordCost {
  readonly memory: number
  readonly passes: number
}

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. */
const recommended: PasswordCost = { memory: 19_456, passes: 2 }

/** Hashes of passwords by Argon2id (RFC 9106). A hash names its own cost, so that a new one holds for new hashes. */
export class Passwords {
  readonly #cost: PasswordCost
  #decoy: Promise<string> | undefined

  constructor(cost: PasswordCost = recommended) {
    this.#cost = cost
  }

  /** `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, base64 without padding. */
  async hash(password: string): Promise<string> {
    const { memory, passes } = this.#cost
    const nonce = randomBytes(16)
    const message = Buffer.from(password, 'utf8')
    const tag = await derive('argon2id', { parallelism: 1, tagLength: 32, memory, passes, message, nonce })
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')
    return `$argon2id$v=19$m=${memory},t=${passes},p=1$${base64(nonce)}$${base64(tag)}`
  }

  /**
   * Whether the password matches the hash. Without a hash the same work is done, so that the response time does not
   * reveal whether the user exists.
   */
  async verify(password: string, hash: string | null | undefined): Promise<boolean> {
    this.#decoy ??= this.hash(randomBytes(16).toString('hex'))
    const [, , , settings = '', salt = '', expected = ''] = (hash || (await this.#decoy)).split('$')
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
}
