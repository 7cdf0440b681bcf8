/** Language detection and persistence. */
import { type Language, languageOf } from '@castellan/contract/messages'
import { readCookie, writeCookie } from './cookies.ts'

/** `code` is the value in local storage, `cookie` the value for the server. */
export const languageChoices = [
  { language: 'zh', code: 'cn', cookie: 'zh-hans', label: '中文' },
  { language: 'en', code: 'en', cookie: 'en', label: 'English' },
  { language: 'ja', code: 'ja', cookie: 'ja', label: '日本語' },
] as const

const cookieName = 'django_language'
const year = 31_536_000

/** Local storage `lang`, then the cookie, then the browser's languages in order, then English. */
export function detectLanguage(
  stored: string | null,
  cookie: string | undefined,
  browser: readonly string[],
): Language {
  const fromStore = stored === 'cn' ? 'zh' : languageOf(stored ?? undefined)
  const fromBrowser = browser.map(languageOf).find((language) => language !== undefined)
  return fromStore ?? languageOf(cookie) ?? fromBrowser ?? 'en'
}

function writeLanguageCookie(language: Language): void {
  const choice = languageChoices.find((one) => one.language === language)
  if (choice) writeCookie(cookieName, choice.cookie, year)
}

let settled: Language = 'en'

/** The language of this page; valid after `resolvePageLanguage`. */
export const pageLanguage = (): Language => settled

/** Detects the language and writes the cookie, so that API, WebSockets and server pages use it too. Call before any request. */
export function resolvePageLanguage(): Language {
  settled = detectLanguage(localStorage.getItem('lang'), readCookie(cookieName), navigator.languages)
  writeLanguageCookie(settled)
  return settled
}

/** Stores the user's choice; it takes effect with the next page load. */
export function saveLanguage(choice: (typeof languageChoices)[number]): void {
  localStorage.setItem('lang', choice.code)
  writeLanguageCookie(choice.language)
}
