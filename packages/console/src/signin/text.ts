import type { Message, Placeholders } from '@castellan/contract/messages'
import { say } from '@castellan/contract/messages'
import { signinMessages } from '@castellan/contract/messages/signin'
import { page } from './page.ts'

/** A text of these pages in the language chosen by the server. */
export function t(key: keyof typeof signinMessages, values?: Placeholders): string {
  const message: Message = signinMessages[key]
  return say(message, page.language, values)
}
