import { errors } from '@castellan/contract/messages/errors'
import { barePage } from './bare-page.ts'
import { headerIn, languageOfHead, rawAnswer } from './raw-http.ts'

/** Seconds after which a page looks again, and a program should. */
const again = 2

/**
 * The answer to somebody whose program does not come back in time: a page for a browser that asks for one, else an error
 * of the API's own shape. `head` is the request as far as it was read.
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
