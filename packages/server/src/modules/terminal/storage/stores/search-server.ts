import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { isObject } from '../../../../kernel/fields/safe-lookup.ts'
import { guardedLookup } from '../../../../kernel/security/outgoing-addresses.ts'
import { connectPatience, failureOf, StorageFailure, statusFailure } from './object-store.ts'

/** Bytes of an answer that are read at most. */
const longestAnswer = 32 * 1024 * 1024

export interface SearchDetails {
  /** Addresses `http(s)://[user:password@]host:port` of one cluster; the first that answers is used. */
  HOSTS: readonly string[]
  INDEX: string
  INDEX_BY_DATE: boolean
  IGNORE_VERIFY_CERTS: boolean
}

export interface SearchAnswer {
  status: number
  body: Readonly<Record<string, unknown>>
}

interface Asked {
  method: 'GET' | 'POST' | 'PUT' | 'HEAD'
  path: string
  /** JSON, or lines of it. */
  body?: object | string
  signal: AbortSignal
}

/**
 * Sends a request to Elasticsearch 7 or 8, or OpenSearch 2: to the next address when one cannot be reached. Every other
 * answer is returned. Throws `StorageFailure`.
 */
export async function askSearchServer(details: SearchDetails, asked: Asked): Promise<SearchAnswer> {
  let failure = new StorageFailure('unreachable', { address: '-' })
  for (const host of details.HOSTS) {
    const { host: address } = new URL(host)
    try {
      return await askHost(host, details.IGNORE_VERIFY_CERTS, asked)
    } catch (error) {
      asked.signal.throwIfAborted()
      failure = failureOf(error, address)
      if (!['unreachable', 'timeout', 'unavailable'].includes(failure.code)) throw failure
    }
  }
  throw failure
}

async function askHost(host: string, trustsAll: boolean, { method, path, body, signal }: Asked): Promise<SearchAnswer> {
  const url = new URL(path, host)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const headers: Record<string, string> = { accept: 'application/json' }
  if (text !== undefined) {
    headers['content-type'] = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
    headers['content-length'] = String(Buffer.byteLength(text))
  }
  if (username) {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  }
  const ask = url.protocol === 'https:' ? tlsRequest : plainRequest
  const request = ask(url, {
    method,
    headers,
    signal,
    lookup: guardedLookup,
    timeout: connectPatience,
    ...(trustsAll ? { rejectUnauthorized: false } : {}),
  })
  request.on('timeout', () => request.destroy(new StorageFailure('timeout', { address: url.host })))
  const answered = new Promise<IncomingMessage>((settle, fail) => request.on('response', settle).on('error', fail))
  request.end(text)
  const answer = await answered
  const status = answer.statusCode ?? 0
  const content = await textOf(answer, url.host)
  if (status === 401 || status === 403 || status === 429 || status >= 500) throw statusFailure(status, url.host, path)
  return { status, body: method === 'HEAD' ? {} : parsed(content, url.host) }
}

async function textOf(answer: IncomingMessage, address: string): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    if (size > longestAnswer) {
      answer.destroy()
      throw new StorageFailure('too_large', { address })
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parsed(text: string, address: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Reported below.
  }
  throw new StorageFailure('bad_answer', { address, reason: 'JSON' })
}
