/** The bytes of a request's body, for whoever has to compare them with a digest that its sender signed. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errors } from '@castellan/contract/messages/errors'
import { authenticationFailed, text } from '../module/errors.ts'

/** Hash algorithms of digests, by their names in the header. */
export const digestAlgorithms: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-512': 'sha512' }

export interface Digest {
  /** As Node.js names it. */
  readonly algorithm: string
  /** Base64. */
  readonly value: string
}

const differs = () => authenticationFailed(text(errors.digest_invalid))

function isRight(found: Buffer, { value }: Digest): boolean {
  const expected = Buffer.from(value, 'base64')
  return found.length === expected.length && timingSafeEqual(found, expected)
}

const read = new WeakMap<IncomingMessage, Buffer>()

/** Keeps the bytes of a body that was read as a whole, as long as its request. */
export const keepBytes = (request: IncomingMessage, bytes: Buffer): void => void read.set(request, bytes)

export class SentBody {
  readonly #request: IncomingMessage | undefined
  readonly #isForm: boolean
  #demanded: readonly Digest[] = []

  /** @param isForm a multipart form, which is read later, as a stream */
  constructor(request: IncomingMessage | undefined, isForm: boolean) {
    this.#request = request
    this.#isForm = isForm
  }

  get #bytes(): Buffer {
    return (this.#request && read.get(this.#request)) ?? Buffer.alloc(0)
  }

  /** Whether anything was sent. */
  get isSent(): boolean {
    return this.#isForm || this.#bytes.length > 0
  }

  /** Throws 401 unless the body has these digests; that of a form is known, and thrown, when its last part was read. */
  demand(digests: readonly Digest[]): void {
    if (this.#isForm) this.#demanded = digests
    else
      for (const digest of digests)
        if (!isRight(createHash(digest.algorithm).update(this.#bytes).digest(), digest)) throw differs()
  }

  /** Follows the stream of a form that is about to be read; what it returns has to be called when it was. */
  follow(): () => void {
    const hashes = this.#demanded.map((digest) => ({ digest, hash: createHash(digest.algorithm) }))
    if (hashes.length > 0)
      this.#request?.on('data', (part: Buffer) => {
        for (const { hash } of hashes) hash.update(part)
      })
    return () => {
      for (const { digest, hash } of hashes) if (!isRight(hash.digest(), digest)) throw differs()
    }
  }
}
