/** Texts of the console in the person's language, typed by key and placeholder. */

import { fill, type Language, type NamesIn, type Placeholders } from '@castellan/contract/messages'
import type { consoleMessages } from '@castellan/contract/messages/console'

type Messages = typeof consoleMessages
type Key = keyof Messages
type NamesOf<K extends Key> = NamesIn<Messages[K]['en']>
/** Keys of texts that stand by themselves: what declarations may name. */
export type TextKey = { [K in Key]: NamesOf<K> extends never ? K : never }[Key]

let table: Readonly<Record<string, string>> = {}

/** The language in force; fixed for the life of the page. */
export let language: Language = 'en'

/** Installs the catalogue that `loadTexts` fetched. */
export function setTexts(chosen: Language, texts: Readonly<Record<string, string>>): void {
  language = chosen
  table = texts
}

/** The text of a key, its placeholders filled. */
export function t(key: TextKey): string
export function t<K extends Exclude<Key, TextKey>>(key: K, values: Record<NamesOf<K>, string | number>): string
export function t(key: Key, values?: Placeholders): string {
  return fill(table[key] ?? key, values)
}

/** What several of a thing are called: of our languages only English tells them from one. */
export function nounFor(noun: TextKey, count: number): string {
  const one = t(noun)
  if (language !== 'en' || count === 1) return one
  return /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : /(s|x|ch|sh)$/.test(one) ? `${one}es` : `${one}s`
}

/** BCP 47 tag for dates and numbers. */
export const locale = (): string => ({ en: 'en-GB', zh: 'zh-CN', ja: 'ja-JP' })[language]
