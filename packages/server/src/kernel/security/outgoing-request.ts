/** Requests of this server to identity providers and senders of messages. */
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { guardedLookup, isForbiddenAddress } from './outgoing-addresses.ts'

/** Bytes of an answer that are read. */
const longestAnswer = 4 * 1024 * 1024
/** Milliseconds. */
const patience = 15_000

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Bodies of statuses that have none. */
const withoutBody = new Set([204, 205, 304])

/**
 * A request that follows no redirects, takes 15 seconds at most, reads a bounded answer, and connects to no address of
 * a cloud's own credentials.
 * @param verifies whether a certificate must be valid
 */
export function askProvider(
  address: string,
  { method = 'GET', headers = {}, body }: Sent = {},
  verifies = true,
): Promise<Response> {
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol) || isForbiddenAddress(url.hostname))
    throw new Error(`Providers are not asked at ${url.origin}.`)
  const isTls = url.protocol === 'https:'
  return new Promise((settle, fail) => {
    const asked = (isTls ? tlsRequest : plainRequest)(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
      signal: AbortSignal.timeout(patience),
      lookup: guardedLookup,
      ...(isTls && { rejectUnauthorized: verifies }),
    })
    asked.on('error', fail)
    asked.on('response', (answer) => {
      const parts: Buffer[] = []
      let size = 0
      answer.on('data', (part: Buffer) => {
        size += part.length
        if (size <= longestAnswer) parts.push(part)
        else answer.destroy(new Error(`${url.origin} answered with more than ${longestAnswer} bytes.`))
      })
      answer.on('error', fail)
      answer.on('end', () => {
        const status = answer.statusCode ?? 500
        const type = answer.headers['content-type']
        settle(
          new Response(withoutBody.has(status) ? null : Buffer.concat(parts), {
            status,
            headers: type ? { 'content-type': type } : {},
          }),
        )
      })
    })
    asked.end(body)
  })
}

/** The same as `fetch` of libraries. */
export const fetchFor =
  (verifies: boolean) =>
  (
    address: string,
    { method, headers, body }: { method?: string; headers?: Record<string, string>; body?: unknown },
  ): Promise<Response> =>
    askProvider(
      address,
      {
        ...(method && { method }),
        ...(headers && { headers }),
        ...(body === undefined || body === null ? {} : { body: String(body) }),
      },
      verifies,
    )
