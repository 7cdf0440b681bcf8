import type { Language, Message } from '@castellan/contract/messages'
import { fill, withoutControls } from '@castellan/contract/messages'
import { providerFailures } from '@castellan/contract/messages/cloud'

type FailureCode = keyof typeof providerFailures
type Details = Readonly<Record<string, string | number>>

/** Why a call to a provider failed, in words for an administrator. Never holds a secret or the body of an answer. */
export class ProviderFailure extends Error {
  readonly code: FailureCode
  readonly details: Details
  /** Milliseconds after which the provider takes requests again, if it said so. */
  readonly retryAfter: number | undefined

  constructor(code: FailureCode, details: Details = {}, options: { retryAfter?: number | undefined } = {}) {
    super(code)
    this.code = code
    this.details = details
    this.retryAfter = options.retryAfter
  }

  /** A further attempt may succeed. */
  get isTemporary(): boolean {
    return this.code === 'rate_limited' || this.code === 'unreachable' || this.code === 'timeout'
  }

  /** @param provider the label of the provider */
  text(language: Language, provider: Message): string {
    const message: Message = providerFailures[this.code]
    return fill(message[language], { provider: provider[language], ...this.details })
  }
}

/** A text of a provider that is shown to people: one line, bounded. */
export const shortReason = (text: unknown): string =>
  withoutControls(String(text)).replace(/\s+/g, ' ').trim().slice(0, 200)

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

const untrustedCodes = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/

/** The code of a network error, also inside the errors of libraries. */
function codeOf(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException
    if (typeof code === 'string') return code
  }
  return ''
}

/** A network error as a failure; undefined for anything else. */
export function networkFailure(error: unknown, address: string): ProviderFailure | undefined {
  const code = codeOf(error)
  if (untrustedCodes.test(code)) return new ProviderFailure('untrusted', { address, reason: code })
  if (unreachableCodes.has(code)) return new ProviderFailure('unreachable', { address, reason: code })
  return undefined
}
