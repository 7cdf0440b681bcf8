import { chooseLanguage, contentLanguage, type Language } from '@castellan/contract/messages'
import type { FastifyRequest } from 'fastify'
import { ApiError, parseError } from '../errors.ts'
import type { Method, RequestParts, UploadedFile } from '../route.ts'
import { isZone } from '../timestamps.ts'
import { demandSoundPart } from './sound-text.ts'

const last = (value: unknown): string => (Array.isArray(value) ? String(value.at(-1) ?? '') : String(value ?? ''))

/** Names that add to each other when they are repeated. */
const adding = new Set(['fields', 'fields!'])
const one = (name: string, values: readonly string[]): string =>
  adding.has(name) ? values.join(',') : (values.at(-1) ?? '')

/** A Fastify request in the kernel's own terms. */
export function partsOf(raw: FastifyRequest): RequestParts {
  const queryAll = Object.fromEntries(
    Object.entries((raw.query ?? {}) as Record<string, unknown>).map(([name, value]) => [
      name,
      // Nothing that is stored has NUL in it, and PostgreSQL takes none in a question.
      [value].flat().map((one) => String(one).replaceAll('\0', '')),
    ]),
  )
  const headers = Object.fromEntries(
    Object.entries(raw.headers).map(([name, value]) => [name, value === undefined ? undefined : last(value)]),
  )
  return {
    method: raw.method as Method,
    params: (raw.params ?? {}) as Record<string, string>,
    query: Object.fromEntries(Object.entries(queryAll).map(([name, values]) => [name, one(name, values)])),
    queryAll,
    body: raw.body,
    contentType: (raw.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    headers,
    cookies: raw.cookies ?? {},
    url: raw.url,
    origin: `${raw.protocol}://${raw.host}`,
    multipart: () => multipart(raw),
  }
}

async function* multipart(raw: FastifyRequest): AsyncIterableIterator<UploadedFile | { field: string; value: string }> {
  try {
    for await (const part of raw.parts()) {
      if (part.type === 'file')
        yield { field: part.fieldname, name: part.filename, type: part.mimetype, stream: part.file }
      else {
        const value = String(part.value)
        demandSoundPart(part.fieldname, value)
        yield { field: part.fieldname, value }
      }
    }
  } catch (error) {
    // A form that is cut off or has no boundaries is the sender's mistake, whatever the parser calls it.
    throw error instanceof ApiError || (error as { statusCode?: number }).statusCode === 413 ? error : parseError()
  }
}

export const requestLanguage = ({ cookies, headers }: RequestParts): Language =>
  chooseLanguage(cookies.django_language, headers['accept-language'])

/** What the answer to a request calls its language. */
export const answerLanguage = ({ cookies, headers }: RequestParts): string =>
  contentLanguage(cookies.django_language, headers['accept-language'])

/** The zone of header X-TZ; the contract's default when it is missing or unknown. */
export function requestZone(parts: RequestParts): string {
  // What a browser fetches by itself, such as a file, carries no header of ours.
  const zone = parts.headers['x-tz'] ?? parts.cookies['X-TZ']
  return zone && zone !== 'undefined' && isZone(zone) ? zone : 'Asia/Shanghai'
}
