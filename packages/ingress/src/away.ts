import { errors } from '@castellan/contract/messages/errors'
import { barePage } from './bare-page.ts'
import { headerIn, languageOfHead, rawAnswer } from './raw-http.ts'

/** Seconds after which the page reloads, and clients should retry. */
const again = 2

/**
 * The response while a program is restarting: a page for browsers that request one, otherwise an error in the format of
 * the API. `head` is the request as far as it was read.
 */
export function awayAnswer(head: string): string {
  const language = languageOfHead(head)
  const text = errors.program_restarting[language]
  const html = headerIn(head, 'accept')?.includes('text/html') ?? false
  return rawAnswer(head, {
    status: '503 Service Unavailable',
    type: html ? 'text/html' : 'application/json',
    body: html ? barePage(language, { text, again }) : JSON.stringify({ code: 'service_unavailable', detail: text }),
    headers: { 'retry-after': again },
  })
}
