import { isObject, objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { ProviderFailure, shortReason } from './failures.ts'
import { type Answer, demandSuccess, type HttpClient, retryAfterOf } from './http-client.ts'
import type { Call } from './provider.ts'

export type Entry = Readonly<Record<string, unknown>>

/** The objects of a list; none for anything else. */
export const listOf = (value: unknown): Entry[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The list that an answer must have: without it, its machines would count as gone. @throws ProviderFailure */
export function demandList(body: Entry, name: string): Entry[] {
  if (!Array.isArray(body[name])) throw new ProviderFailure('bad_answer', { reason: `no ${name}` })
  return listOf(body[name])
}

/** A text of an answer; empty for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts of a list, and texts alone, without empty ones. */
export const textsOf = (...values: readonly unknown[]): string[] =>
  values.flat().flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []))

/** The error codes of a vendor by their meaning. A code without a meaning is judged by the status. */
export interface ErrorCodes {
  unauthorized: RegExp
  forbidden: RegExp
  rateLimited: RegExp
  noRegion?: RegExp
  /** Errors of the vendor that pass. */
  outage?: RegExp
}

export interface VendorApi {
  client: HttpClient
  codes: ErrorCodes
  /** The error code in an answer; empty in a successful one. */
  codeOf(body: Entry): string
}

interface Asked extends Call {
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** What is missing when the vendor denies the call. */
  right: string
  region?: string
}

function parsed({ text }: Answer): Entry | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

function failureOf({ codes, client }: VendorApi, code: string, answer: Answer, { right, region = '' }: Asked) {
  const retryAfter = retryAfterOf(answer.headers['retry-after'])
  if (codes.rateLimited.test(code)) return new ProviderFailure('rate_limited', {}, { retryAfter })
  if (codes.forbidden.test(code)) return new ProviderFailure('forbidden', { right })
  if (codes.unauthorized.test(code)) return new ProviderFailure('unauthorized')
  if (region && codes.noRegion?.test(code)) return new ProviderFailure('no_region', { region })
  if (codes.outage?.test(code) || answer.status >= 500)
    return new ProviderFailure('unreachable', { address: client.address, reason: shortReason(code) })
  if (answer.status === 401 || answer.status === 403 || answer.status === 429)
    demandSuccess(answer, right, client.address)
  return new ProviderFailure('bad_answer', { reason: shortReason(code) })
}

/** The object in the answer to a call, and its headers. @throws ProviderFailure */
export async function askVendor(api: VendorApi, path: string, asked: Asked): Promise<Answer & { body: Entry }> {
  const { right, region: _region, ...request } = asked
  const answer = await api.client.send(path, request)
  const body = parsed(answer)
  const code = api.codeOf(objectOf(body))
  if (code !== '') throw failureOf(api, code, answer, asked)
  demandSuccess(answer, right, api.client.address)
  if (!body) throw new ProviderFailure('bad_answer', { reason: 'not JSON' })
  return { ...answer, body }
}
