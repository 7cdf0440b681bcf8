/** The language of this browser's pages, and the names under which it is remembered (spec 1 §3, §9). */
import { type Language, languageOf } from '@castellan/contract/messages'
import { readCookie, writeCookie } from './api/cookies.ts'

/** Code in local storage, cookie for the server. */
export const languageChoices = [
  { language: 'zh', code: 'cn', cookie: 'zh-hans', label: '中文' },
  { language: 'en', code: 'en', cookie: 'en', label: 'English' },
  { language: 'ja', code: 'ja', cookie: 'ja', label: '日本語' },
] as const

const cookieName = 'django_language'
const year = 31_536_000

/** Local storage `lang`, then the cookie, then the browser's languages as it prefers them; English when none is ours. */
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

/** The language of this page, for its life; after `settleLanguage`. */
export const pageLanguage = (): Language => settled

/** Finds the page's language, before anything is asked. The cookie says it to the server, for sockets and its pages too. */
export function settleLanguage(): Language {
  settled = detectLanguage(localStorage.getItem('lang'), readCookie(cookieName), navigator.languages)
  writeLanguageCookie(settled)
  return settled
}

/** Another language for this browser, from the next page on. */
export function rememberLanguage(choice: (typeof languageChoices)[number]): void {
  localStorage.setItem('lang', choice.code)
  writeLanguageCookie(choice.language)
}
