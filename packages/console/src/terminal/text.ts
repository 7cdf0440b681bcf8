/** Texts of the terminal application in the person's language, typed by key and placeholder. */
import { fill, type Language, type NamesIn } from '@castellan/contract/messages'
import type { terminalAppMessages } from '@castellan/contract/messages/terminal-app'
import { setTexts } from '../kit/text.ts'

type Messages = typeof terminalAppMessages
export type TextKey = keyof Messages
type Names<K extends TextKey> = NamesIn<Messages[K]['en']>
type Values<K extends TextKey> = [Names<K>] extends [never] ? [] : [values: Record<Names<K>, string | number>]

/** A key whose text has nothing to fill in; what tables of texts hold. */
export type PlainKey = { [K in TextKey]: [Names<K>] extends [never] ? K : never }[TextKey]

type Texts = Readonly<Record<string, string>>
let table: Texts = {}

const own: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import('virtual:texts/terminal-app/en'),
  zh: () => import('virtual:texts/terminal-app/zh'),
  ja: () => import('virtual:texts/terminal-app/ja'),
}
const console: typeof own = {
  en: () => import('virtual:texts/console/en'),
  zh: () => import('virtual:texts/console/zh'),
  ja: () => import('virtual:texts/console/ja'),
}

/** Fetches the texts of one language: this application's, and the console's for what the kit says. */
export async function loadTexts(language: Language): Promise<void> {
  const [mine, kit] = await Promise.all([own[language](), console[language]()])
  table = mine.default
  setTexts(language, kit.default)
}

/** The text of a key, its placeholders filled. */
export function t<K extends TextKey>(key: K, ...[values]: Values<K>): string {
  return fill(table[key] ?? key, values)
}
