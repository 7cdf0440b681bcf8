import type { Language } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { barePage } from '@castellan/ingress/bare-page'
import type { FastifyReply } from 'fastify'
import { lostToAnother, type Outage, outageOf, unreadableValue } from '../../db/errors.ts'
import type { TableFormat } from '../files/table-files.ts'
import { ApiError, conflict, failure, fileTooLarge, parseError, text } from '../module/errors.ts'
import { constraintError } from '../resource/mutations.ts'
import { Reply } from './route.ts'

export function sendReply(raw: FastifyReply, result: unknown): unknown {
  const reply = result instanceof Reply ? result : new Reply(200, result)
  raw.code(reply.status)
  for (const [name, value] of Object.entries(reply.headers)) raw.header(name, value as string)
  if (reply.body === undefined) return raw.send()
  const { body } = reply
  const streamed = typeof body === 'object' && body !== null && ('pipe' in body || Buffer.isBuffer(body))
  if (streamed || raw.getHeader('content-type')) return raw.send(body as string)
  raw.header('content-type', 'application/json; charset=utf-8')
  return raw.send(JSON.stringify(body))
}

const megabyte = 1024 * 1024
/** Longest body of an ordinary call. Bytes. */
export const bodyLimit = 32 * megabyte
/** Largest uploaded file. Bytes. */
export const uploadLimit = 20 * 1024 * megabyte

const outages: Readonly<Record<Outage, ApiError>> = {
  full: failure(503, 'service_unavailable', text(errors.disk_full), { 'retry-after': '60' }),
  unavailable: failure(503, 'service_unavailable', text(errors.database_unavailable), { 'retry-after': '5' }),
}

/** The API's response to an error; undefined for an unexpected error (500). */
export function knownFailure(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return fileTooLarge(bodyLimit)
  if (code === 'FST_REQ_FILE_TOO_LARGE') return fileTooLarge(uploadLimit)
  if (unreadableValue(error)) return parseError()
  if (lostToAnother(error)) return conflict()
  const outage = outageOf(error)
  if (outage) return outages[outage]
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return parseError()
  return constraintError(error)
}

/** Content types of error responses: an error with `detail` uses the type of the requested file. */
const refusalType: Record<TableFormat | 'json', string> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/xlsx',
}

export function sendFailure(raw: FastifyReply, error: ApiError, language: Language, file?: TableFormat): unknown {
  const body = error.body(language)
  raw.code(error.status)
  for (const [name, value] of Object.entries(error.headers)) raw.header(name, value)
  if (body === undefined) return raw.send()
  const hasDetail = typeof body === 'object' && body !== null && 'detail' in body
  raw.header('content-type', error.headers['content-type'] ?? refusalType[(hasDetail && file) || 'json'])
  return raw.send(JSON.stringify(body))
}

/** The page a browser shows during an outage; it reloads itself. */
export function sendOutagePage(raw: FastifyReply, error: ApiError, language: Language): unknown {
  const { detail } = error.body(language) as { detail: string }
  const page = barePage(language, { text: detail, again: 10 })
  return raw.code(error.status).headers(error.headers).type('text/html; charset=utf-8').send(page)
}

/** 404 for an unknown URL: a page for browsers, the API error for clients that expect JSON. */
export function sendNoSuchPage(raw: FastifyReply, json: boolean, language: Language): unknown {
  raw.code(404)
  if (json) return raw.header('content-type', 'application/json').send(JSON.stringify({ error: 'Not found' }))
  const page = barePage(language, {
    title: errors.no_such_page[language],
    text: errors.no_such_page_text[language],
    link: { to: '/ui/', label: errors.to_home[language] },
  })
  return raw.type('text/html; charset=utf-8').send(page)
}
