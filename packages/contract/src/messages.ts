/** The three languages every text exists in. `zh` is what a request without any preference gets. */
export const languages = ['en', 'zh', 'ja'] as const
export type Language = (typeof languages)[number]

/**
 * One text in all languages. A missing translation does not compile. Placeholders are written `{name}`; a word that
 * depends on a number, `{name|day|days}`: its first form goes with exactly one.
 */
export type Message = Readonly<Record<Language, string>>
export type Catalogue = Readonly<Record<string, Message>>
export type Placeholders = Readonly<Record<string, string | number>>

/** A brace may also be meant as one. */
type NameOnly<Text extends string> = Text extends `${string}${' ' | '{' | '%' | ','}${string}` ? never : Text

/** The names of a text's placeholders. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Counted}|${string}` ? NameOnly<Counted> : NameOnly<Name>) | NamesIn<Rest>
  : never

/** What has to be given beside a message: a value for each of its placeholders. Of one known only as `Message`, any. */
export type Given<M extends Message> = string extends M['en']
  ? [values?: Placeholders | undefined]
  : [NamesIn<M['en']>] extends [never]
    ? []
    : [values: Readonly<Record<NamesIn<M['en']>, string | number>>]

/** Declares a catalogue so that its keys stay literal types. */
export function defineMessages<const C extends Catalogue>(catalogue: C): C {
  return catalogue
}

/** A terminal obeys what stands in a name: values are words of others and lose it. Tabs and line ends stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
export const withoutControls = (text: string): string => text.replace(controls, '')

/** Fills placeholders and picks forms; one that has no value stays as it is, so that the mistake is seen. */
export function fill(text: string, values?: Placeholders): string {
  if (!values) return text
  return text.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (whole, name: string, one?: string, more?: string) => {
    const value = values[name]
    if (value === undefined) return whole
    if (one === undefined) return withoutControls(String(value))
    return String(value) === '1' ? one : String(more)
  })
}

/** The text of a message in a language, with its placeholders filled. */
export function say<const M extends Message>(message: M, language: Language, ...values: Given<M>): string {
  return fill(message[language], values[0])
}

/** Our language for its name (`zh-hans`, `zh-CN`, `en-US`, `ja`); undefined when it is none of ours. */
export function languageOf(tag: string | undefined): Language | undefined {
  const prefix = tag?.trim().slice(0, 2).toLowerCase()
  return languages.find((language) => language === prefix)
}

/**
 * The preferred supported language tag of an Accept-Language header; the first one of equal weight. English if the header
 * names only unsupported languages, undefined if it names none.
 */
function accepted(header = ''): string | undefined {
  const weighed = header.split(',').map((entry) => {
    const [name = '', ...more] = entry.split(';').map((part) => part.trim())
    const weight = more.find((part) => part.startsWith('q='))
    return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
  })
  const wanted = weighed.filter(({ name, weight }) => name !== '' && name !== '*' && weight > 0)
  const known = wanted.filter(({ name }) => languageOf(name) !== undefined)
  return known.toSorted((a, b) => b.weight - a.weight)[0]?.name ?? (wanted.length > 0 ? 'en' : undefined)
}

/** The language tag of a request: cookie, then Accept-Language, then Chinese. */
const wantedLanguage = (cookie: string | undefined, acceptLanguage: string | undefined): string =>
  (languageOf(cookie) && cookie) || (accepted(acceptLanguage) ?? 'zh')

/** The language of an answer to such a request. */
export const chooseLanguage = (cookie: string | undefined, acceptLanguage: string | undefined): Language =>
  languageOf(wantedLanguage(cookie, acceptLanguage)) ?? 'zh'

const traditional = /^zh-(?:tw|hk|mo|hant)\b/i

/** What an answer to such a request calls its language. Traditional Chinese is told so, though its texts are the simplified ones. */
export function contentLanguage(cookie: string | undefined, acceptLanguage: string | undefined): string {
  const language = chooseLanguage(cookie, acceptLanguage)
  if (language !== 'zh') return language
  return traditional.test(wantedLanguage(cookie, acceptLanguage).trim()) ? 'zh-hant' : 'zh-hans'
}
