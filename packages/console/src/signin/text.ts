import type { Placeholders } from '@castellan/contract/messages'
import { say } from '@castellan/contract/messages'
import { signinMessages } from '@castellan/contract/messages/signin'
import { page } from './page.ts'

/** A text of these pages in the language the server chose. */
export const t = (key: keyof typeof signinMessages, values?: Placeholders): string =>
  say(signinMessages[key], page.language, values)
