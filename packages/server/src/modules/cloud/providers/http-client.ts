import { type IncomingMessage, request as plainRequest } from 'node:http'
import { Agent, request as tlsRequest } from 'node:https'
import { cloudErrors } from '@castellan/contract/messages/cloud'
import { reject } from '../../../kernel/module/errors.ts'
import { guardedLookup, isForbiddenAddress } from '../../../kernel/security/outgoing-addresses.ts'
import { networkFailure, ProviderFailure, shortReason } from './failures.ts'
import type { Call } from './provider.ts'

/** Bytes of an answer that are read: 50,000 machines in one answer fit. */
const longestAnswer = 128 * 1024 * 1024

/** For attributes that hold an address. @throws Rejected */
export function demandAllowedAddress(address: string): string {
  return isForbiddenAddress(address) ? reject(cloudErrors.forbidden_address, { address }) : address
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

interface Asked {
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  body?: string
  signal: AbortSignal
}

/** When the provider takes requests again, from `Retry-After`. Milliseconds. */
export function retryAfterOf(header: string | undefined): number | undefined {
  if (!header) return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** HTTP to one provider, without an SDK. Follows no redirects, bounds answers, verifies certificates. */
export class HttpClient {
  readonly #base: URL
  readonly #connectTo: string | undefined
  readonly #agent: Agent | undefined

  /**
   * @param ca PEM of the authority that signed the certificate; the public ones when it is empty
   * @param connectTo who is asked instead, for tests; the requests still name the host of the base
   */
  constructor(base: string | URL, ca = '', connectTo: string | undefined = undefined) {
    this.#base = new URL(base)
    this.#connectTo = connectTo
    this.#agent = this.#base.protocol === 'https:' ? new Agent({ keepAlive: true, ...(ca ? { ca } : {}) }) : undefined
  }

  get address(): string {
    return this.#base.host
  }

  /** Sends a request below the base address. @throws ProviderFailure */
  async send(path: string, { method = 'GET', headers = {}, body, signal }: Asked): Promise<Answer> {
    const url = new URL(path, this.#base)
    if (url.origin !== this.#base.origin) throw new ProviderFailure('bad_answer', { reason: 'another origin' })
    if (isForbiddenAddress(url.hostname)) throw new ProviderFailure('forbidden_address', { address: this.address })
    try {
      return await this.#exchange(url, { method, headers, signal, ...(body === undefined ? {} : { body }) })
    } catch (error) {
      signal.throwIfAborted()
      throw networkFailure(error, this.address) ?? error
    }
  }

  #exchange(url: URL, { method, headers, body, signal }: Asked): Promise<Answer> {
    const target = this.#connectTo ? new URL(`${url.pathname}${url.search}`, this.#connectTo) : url
    const isTls = target.protocol === 'https:'
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    return new Promise((settle, fail) => {
      const sent = (isTls ? tlsRequest : plainRequest)(target, {
        method,
        headers: { host: url.host, ...headers, ...length },
        signal,
        lookup: guardedLookup,
        ...(isTls && this.#agent ? { agent: this.#agent } : {}),
      })
      sent.on('error', fail)
      sent.on('response', (answer) => {
        const parts: Buffer[] = []
        let size = 0
        answer.on('data', (part: Buffer) => {
          size += part.length
          if (size <= longestAnswer) parts.push(part)
          else answer.destroy(new ProviderFailure('bad_answer', { reason: `more than ${longestAnswer} bytes` }))
        })
        answer.on('error', fail)
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8')
          settle({ status: answer.statusCode ?? 0, headers: answer.headers, text })
        })
      })
      sent.end(body)
    })
  }

  /** The JSON of a successful answer. `right`: what a 403 lacks. @throws ProviderFailure */
  async json(path: string, right: string, asked: Omit<Asked, 'signal'> & Call): Promise<unknown> {
    const answer = await this.send(path, asked)
    demandSuccess(answer, right, this.address)
    try {
      return answer.text === '' ? undefined : JSON.parse(answer.text)
    } catch {
      throw new ProviderFailure('bad_answer', { reason: 'not JSON' })
    }
  }

  close(): void {
    this.#agent?.destroy()
  }
}

/** @throws ProviderFailure for every status but success */
export function demandSuccess({ status, headers }: Answer, right: string, address: string): void {
  if (status >= 200 && status < 300) return
  if (status === 401) throw new ProviderFailure('unauthorized')
  if (status === 403) throw new ProviderFailure('forbidden', { right })
  const retryAfter = retryAfterOf(headers['retry-after'])
  if (status === 429 || (status === 503 && retryAfter !== undefined))
    throw new ProviderFailure('rate_limited', {}, { retryAfter })
  if (status >= 500) throw new ProviderFailure('unreachable', { address, reason: `HTTP ${status}` })
  throw new ProviderFailure('bad_answer', { reason: shortReason(`HTTP ${status}`) })
}
