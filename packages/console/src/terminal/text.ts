/** Texts of the terminal application in the user's language, typed by key and placeholder. */
import { fill, type Language, type NamesIn } from '@castellan/contract/messages'
import type { terminalAppMessages } from '@castellan/contract/messages/terminal-app'
import { setTexts } from '../kit/text.ts'

type Messages = typeof terminalAppMessages
export type TextKey = keyof Messages
type Names<K extends TextKey> = NamesIn<Messages[K]['en']>
type Values<K extends TextKey> = [Names<K>] extends [never] ? [] : [values: Record<Names<K>, string | number>]

/** A key of a text without placeholders, for use in tables. */
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

/** Loads the texts of one language: this application's, and the console's for the kit. */
export async function loadTexts(language: Language): Promise<void> {
  const [mine, kit] = await Promise.all([own[language](), console[language]()])
  table = mine.default
  setTexts(language, kit.default)
}

/** The text of a key with its placeholders replaced. */
export function t<K extends TextKey>(key: K, ...[values]: Values<K>): string {
  return fill(table[key] ?? key, values)
}
