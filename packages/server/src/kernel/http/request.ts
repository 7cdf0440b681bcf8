import { chooseLanguage, contentLanguage, type Language } from '@castellan/contract/messages'
import type { FastifyRequest } from 'fastify'
import { isZone } from '../fields/timestamps.ts'
import { ApiError, parseError } from '../module/errors.ts'
import type { Method, RequestParts, UploadedFile } from './route.ts'
import { SentBody } from './sent-body.ts'
import { demandSoundPart } from './sound-text.ts'

const last = (value: unknown): string => (Array.isArray(value) ? String(value.at(-1) ?? '') : String(value ?? ''))

/** Parameters of the contract whose values are joined when they are repeated, and by what. */
const joining = new Map([
  ['fields', ','],
  ['fields!', ','],
  ['label', '\n'],
])
const one = (name: string, values: readonly string[]): string => {
  const separator = joining.get(name)
  return separator ? values.join(separator) : (values.at(-1) ?? '')
}

/** Converts a Fastify request to the kernel's type. */
export function partsOf(raw: FastifyRequest): RequestParts {
  const queryAll = Object.fromEntries(
    Object.entries((raw.query ?? {}) as Record<string, unknown>).map(([name, value]) => [
      name,
      // No stored value contains NUL, and PostgreSQL rejects it in queries.
      [value].flat().map((one) => String(one).replaceAll('\0', '')),
    ]),
  )
  const headers = Object.fromEntries(
    Object.entries(raw.headers).map(([name, value]) => [name, value === undefined ? undefined : last(value)]),
  )
  const contentType = (raw.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const sent = new SentBody(raw.raw, contentType === 'multipart/form-data')
  return {
    method: raw.method as Method,
    params: (raw.params ?? {}) as Record<string, string>,
    query: Object.fromEntries(Object.entries(queryAll).map(([name, values]) => [name, one(name, values)])),
    queryAll,
    body: raw.body,
    contentType,
    sent,
    received: Date.now(),
    headers,
    cookies: raw.cookies ?? {},
    url: raw.url,
    origin: `${raw.protocol}://${raw.host || 'localhost'}`,
    multipart: () => multipart(raw, sent),
  }
}

async function* multipart(
  raw: FastifyRequest,
  sent: SentBody,
): AsyncIterableIterator<UploadedFile | { field: string; value: string }> {
  try {
    const demandDigest = sent.follow()
    for await (const part of raw.parts()) {
      if (part.type === 'file')
        yield { field: part.fieldname, name: part.filename, type: part.mimetype, stream: part.file }
      else {
        const value = String(part.value)
        demandSoundPart(part.fieldname, value)
        yield { field: part.fieldname, value }
      }
    }
    demandDigest()
  } catch (error) {
    // A truncated form or one without a boundary is the client's mistake, whatever error the parser reports.
    throw error instanceof ApiError || (error as { statusCode?: number }).statusCode === 413 ? error : parseError()
  }
}

export const requestLanguage = ({ cookies, headers }: RequestParts): Language =>
  chooseLanguage(cookies.django_language, headers['accept-language'])

/** The `Content-Language` of the response to a request. */
export const answerLanguage = ({ cookies, headers }: RequestParts): string =>
  contentLanguage(cookies.django_language, headers['accept-language'])

/** The time zone of header X-TZ; the contract's default when it is missing or unknown. */
export function requestZone(parts: RequestParts): string {
  // Requests that a browser makes by itself, such as downloads, carry no custom header, so the cookie is used.
  const zone = parts.headers['x-tz'] ?? parts.cookies['X-TZ']
  return zone && zone !== 'undefined' && isZone(zone) ? zone : 'Asia/Shanghai'
}
