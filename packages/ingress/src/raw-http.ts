import { chooseLanguage, contentLanguage, type Language } from '@castellan/contract/messages'

/** The value of a header in the head of a request, as far as it was read. */
export const headerIn = (head: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, 'im').exec(head)?.[1]

const chosenBy = (head: string) =>
  [/\bdjango_language=([\w-]+)/.exec(headerIn(head, 'cookie') ?? '')?.[1], headerIn(head, 'accept-language')] as const

export const languageOfHead = (head: string): Language => chooseLanguage(...chosenBy(head))

export interface RawAnswer {
  /** Status code and reason, e.g. `503 Service Unavailable`. */
  status: string
  type?: string
  body: string
  headers?: Readonly<Record<string, string | number>>
}

/**
 * A complete response in bytes, for a connection without an HTTP server; `head` is the request as far as it was read.
 */
export function rawAnswer(head: string, { status, type = 'application/json', body, headers = {} }: RawAnswer): string {
  return [
    `HTTP/1.1 ${status}`,
    `content-type: ${type}; charset=utf-8`,
    `content-language: ${contentLanguage(...chosenBy(head))}`,
    'cache-control: no-store',
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}
