import type { IncomingMessage } from 'node:http'
import { chooseLanguage, type Language } from '@castellan/contract/messages'
import type { Broker } from '../../brokering/broker.ts'
import type { User } from '../../brokering/user.ts'
import { personOfBrowser } from '../../brokering/user-sign-in.ts'

/** A value as it was before it became a cookie; as it stands when it never was encoded. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The value of one cookie of a request. */
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
 * The browser's address. Our own server stands in front and writes `X-Forwarded-For`; its entry is the last. Anybody
 * else's header is not believed.
 */
function addressOf(request: IncomingMessage): string {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const forwarded = request.headers['x-forwarded-for']
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').at(-1)?.trim()
  return last && (peer === '127.0.0.1' || peer === '::1') ? last : peer
}

/** Who sent a request, by the cookies of their browser; undefined when nobody is signed in there. */
export function personOfRequest(broker: Broker, request: IncomingMessage): Promise<User | undefined> {
  const remoteAddr = addressOf(request)
  const forwarded: Record<string, string> = { 'x-forwarded-for': remoteAddr }
  for (const name of ['user-agent', 'accept-language'] as const) {
    const value = request.headers[name]
    if (value) forwarded[name] = value
  }
  return personOfBrowser(broker, {
    cookie: request.headers.cookie,
    remoteAddr,
    forwarded,
    language: languageOfRequest(request),
  })
}
