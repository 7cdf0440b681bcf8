/** Texts of the console in the user's language, typed by key and placeholder. */

import { fill, type Language, type NamesIn, type Placeholders } from '@castellan/contract/messages'
import type { consoleMessages } from '@castellan/contract/messages/console'

type Messages = typeof consoleMessages
type Key = keyof Messages
type NamesOf<K extends Key> = NamesIn<Messages[K]['en']>
/** Keys of texts without placeholders, for use in declarations. */
export type TextKey = { [K in Key]: NamesOf<K> extends never ? K : never }[Key]

let table: Readonly<Record<string, string>> = {}

/** The current language; fixed while the page is open. */
export let language: Language = 'en'

/** Installs the catalog loaded by `loadTexts`. */
export function setTexts(chosen: Language, texts: Readonly<Record<string, string>>): void {
  language = chosen
  table = texts
}

/** The text of a key with its placeholders replaced. */
export function t(key: TextKey): string
export function t<K extends Exclude<Key, TextKey>>(key: K, values: Record<NamesOf<K>, string | number>): string
export function t(key: Key, values?: Placeholders): string {
  return fill(table[key] ?? key, values)
}

/** The plural of a noun; only English differs from the singular. */
export function nounFor(noun: TextKey, count: number): string {
  const one = t(noun)
  if (language !== 'en' || count === 1) return one
  return /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : /(s|x|ch|sh)$/.test(one) ? `${one}es` : `${one}s`
}

/** BCP 47 tag for dates and numbers. */
export const locale = (): string => ({ en: 'en-GB', zh: 'zh-CN', ja: 'ja-JP' })[language]
