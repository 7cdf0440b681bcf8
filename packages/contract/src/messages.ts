/** Languages of all texts. Requests without a preference get `zh`. */
export const languages = ['en', 'zh', 'ja'] as const
export type Language = (typeof languages)[number]

/**
 * A text in all languages. A missing translation does not compile. Placeholders are written `{name}`. A word that
 * depends on a number is written `{name|day|days}`: the first form is used for exactly one.
 */
export type Message = Readonly<Record<Language, string>>
export type Catalogue = Readonly<Record<string, Message>>
export type Placeholders = Readonly<Record<string, string | number>>

/** Braces can also be literal, as in `{ }` or `{%`; these are not placeholders. */
type NameOnly<Text extends string> = Text extends `${string}${' ' | '{' | '%' | ','}${string}` ? never : Text

/** Placeholder names of a text. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Counted}|${string}` ? NameOnly<Counted> : NameOnly<Name>) | NamesIn<Rest>
  : never

/** Arguments required with a message: a value for each placeholder. Optional if only the type `Message` is known. */
export type Given<M extends Message> = string extends M['en']
  ? [values?: Placeholders | undefined]
  : [NamesIn<M['en']>] extends [never]
    ? []
    : [values: Readonly<Record<NamesIn<M['en']>, string | number>>]

/** Declares a catalog with literal key types. */
export function defineMessages<const C extends Catalogue>(catalogue: C): C {
  return catalogue
}

/**
 * Terminals execute control characters. Placeholder values come from other users, so control characters are removed.
 * Tabs and line ends stay.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
export const withoutControls = (text: string): string => text.replace(controls, '')

/** Replaces placeholders and selects word forms. Placeholders without a value stay, which makes the mistake visible. */
export function fill(text: string, values?: Placeholders): string {
  if (!values) return text
  return text.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (whole, name: string, one?: string, more?: string) => {
    const value = values[name]
    if (value === undefined) return whole
    if (one === undefined) return withoutControls(String(value))
    return String(value) === '1' ? one : String(more)
  })
}

/** The text of a message in a language, with its placeholders replaced. */
export function say<const M extends Message>(message: M, language: Language, ...values: Given<M>): string {
  return fill(message[language], values[0])
}

/** A message whose placeholders are filled, to stand in another one. */
export function said(message: Message, values: Placeholders = {}): Message {
  return { en: fill(message.en, values), zh: fill(message.zh, values), ja: fill(message.ja, values) }
}

/** The supported language for a tag (`zh-hans`, `zh-CN`, `en-US`, `ja`); undefined if unsupported. */
export function languageOf(tag: string | undefined): Language | undefined {
  const prefix = tag?.trim().slice(0, 2).toLowerCase()
  return languages.find((language) => language === prefix)
}

/**
 * The preferred supported language tag of an Accept-Language header, the first of equal weight. English if the header
 * names only unsupported languages, undefined if it names none.
 */
function accepted(header = ''): string | undefined {
  const weighed = header.split(',').map((entry) => {
    const [name = '', ...more] = entry.split(';').map((part) => part.trim())
    const weight = more.find((part) => part.startsWith('q='))
    return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
  })
  const accepted = weighed.filter(({ name, weight }) => name !== '' && name !== '*' && weight > 0)
  const known = accepted.filter(({ name }) => languageOf(name) !== undefined)
  return known.toSorted((a, b) => b.weight - a.weight)[0]?.name ?? (accepted.length > 0 ? 'en' : undefined)
}

/** The language tag of a request: cookie, then Accept-Language, then Chinese. */
const requestedLanguage = (cookie: string | undefined, acceptLanguage: string | undefined): string =>
  (languageOf(cookie) && cookie) || (accepted(acceptLanguage) ?? 'zh')

/** The language of the response to a request. */
export const chooseLanguage = (cookie: string | undefined, acceptLanguage: string | undefined): Language =>
  languageOf(requestedLanguage(cookie, acceptLanguage)) ?? 'zh'

/** Whether a request says in which language it wants its response. */
export const namesLanguage = (cookie: string | undefined, acceptLanguage: string | undefined): boolean =>
  (languageOf(cookie) ?? accepted(acceptLanguage)) !== undefined

const traditional = /^zh-(?:tw|hk|mo|hant)\b/i

/**
 * The Content-Language of the response to a request. Traditional Chinese requests get `zh-hant`, although the texts are
 * simplified Chinese.
 */
export function contentLanguage(cookie: string | undefined, acceptLanguage: string | undefined): string {
  const language = chooseLanguage(cookie, acceptLanguage)
  if (language !== 'zh') return language
  return traditional.test(requestedLanguage(cookie, acceptLanguage).trim()) ? 'zh-hant' : 'zh-hans'
}
