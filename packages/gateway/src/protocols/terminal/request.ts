import type { IncomingMessage } from 'node:http'
import { chooseLanguage, type Language } from '@castellan/contract/messages'
import type { Broker } from '../../brokering/broker.ts'
import type { User } from '../../brokering/user.ts'
import { userOfBrowser } from '../../brokering/user-sign-in.ts'

/** Decodes a cookie value; unchanged if it is not encoded. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function cookieOf(request: IncomingMessage, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return decoded(part.slice(at + 1).trim())
  }
  return undefined
}

export const languageOfRequest = (request: IncomingMessage): Language =>
  chooseLanguage(cookieOf(request, 'django_language'), request.headers['accept-language'])

/**
 * The browser's address. Our own server is the proxy and appends to `X-Forwarded-For`; its entry is the last. The
 * header of any other peer is ignored.
 */
function addressOf(request: IncomingMessage): string {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const forwarded = request.headers['x-forwarded-for']
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').at(-1)?.trim()
  return last && (peer === '127.0.0.1' || peer === '::1') ? last : peer
}

/** The user of a request, by the cookies of their browser; undefined when not signed in. */
export function userOfRequest(broker: Broker, request: IncomingMessage): Promise<User | undefined> {
  const remoteAddr = addressOf(request)
  const forwarded: Record<string, string> = { 'x-forwarded-for': remoteAddr }
  for (const name of ['user-agent', 'accept-language'] as const) {
    const value = request.headers[name]
    if (value) forwarded[name] = value
  }
  return userOfBrowser(broker, {
    cookie: request.headers.cookie,
    remoteAddr,
    forwarded,
    language: languageOfRequest(request),
  })
}
