import { chooseLanguage, contentLanguage } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'

/** Seconds after which a page looks again, and a program should. */
const again = 2

const header = (head: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, 'im').exec(head)?.[1]

/** Looks by itself, in the person's language; in the browser's own colours, for no file of ours can be had now. */
const page = (language: string, text: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="${again}"><title>Castellan</title></head>` +
  `<body style="display:grid;place-content:center;min-height:90vh;margin:16px;text-align:center;font:16px/1.6 system-ui">` +
  `<p role="status" style="max-width:36em">${text}</p></body></html>`

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
  const body = html ? page(language, text) : JSON.stringify({ code: 'service_unavailable', detail: text })
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
