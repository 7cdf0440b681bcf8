import type { Language } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import type { FastifyReply } from 'fastify'
import { unreadableValue } from '../../db/errors.ts'
import { ApiError, failure, parseError, text } from '../errors.ts'
import { Reply } from '../route.ts'
import { constraintError } from '../write.ts'

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
/** Largest file that may be handed in. Bytes. */
export const uploadLimit = 20 * 1024 * megabyte

const overflowed = (limit: number) =>
  failure(413, 'file_content_overflowed', text(errors.file_content_overflowed, { max: limit / megabyte }))

/** The API's answer to anything thrown; undefined when it is a fault of ours. */
export function knownFailure(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return overflowed(bodyLimit)
  if (code === 'FST_REQ_FILE_TOO_LARGE') return overflowed(uploadLimit)
  if (unreadableValue(error)) return parseError()
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return parseError()
  return constraintError(error)
}

export function sendFailure(raw: FastifyReply, error: ApiError, language: Language): unknown {
  const body = error.body(language)
  raw.code(error.status)
  for (const [name, value] of Object.entries(error.headers)) raw.header(name, value)
  if (body === undefined) return raw.send()
  raw.header('content-type', 'application/json; charset=utf-8')
  return raw.send(JSON.stringify(body))
}
