import { chooseLanguage, contentLanguage } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { barePage } from './bare-page.ts'

/** Seconds after which a page looks again, and a program should. */
const again = 2

const header = (head: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, 'im').exec(head)?.[1]

/**
 * The answer to somebody whose program does not come back in time: a page for a browser that asks for one, else an error
 * of the API's own shape. `head` is the request as far as it was read.
 */
export function awayAnswer(head: string): string {
  const cookie = /\bdjango_language=([\w-]+)/.exec(header(head, 'cookie') ?? '')?.[1]
  const accepted = header(head, 'accept-language')
  const language = chooseLanguage(cookie, accepted)
  const text = errors.program_restarting[language]
  const html = header(head, 'accept')?.includes('text/html') ?? false
  const body = html
    ? barePage(language, { text, again })
    : JSON.stringify({ code: 'service_unavailable', detail: text })
  return [
    'HTTP/1.1 503 Service Unavailable',
    `content-type: ${html ? 'text/html' : 'application/json'}; charset=utf-8`,
    `content-language: ${contentLanguage(cookie, accepted)}`,
    'cache-control: no-store',
    'connection: close',
    `retry-after: ${again}`,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}
