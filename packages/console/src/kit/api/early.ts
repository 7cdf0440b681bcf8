/**
 * Resolves the language and requests profile and settings before the other chunks are evaluated: a small chunk of its own,
 * run first. Does not request anything without a session.
 */
import { resolvePageLanguage } from '../languages.ts'
import { readCookie } from './cookies.ts'
import { headersOf } from './headers.ts'
import { askedEarly, openingOrganization, profilePath, settingsPath } from './opening.ts'

resolvePageLanguage()

if (readCookie('jms_session_expire') !== undefined)
  for (const path of [profilePath, settingsPath]) {
    const answer = fetch(path, {
      headers: headersOf({ id: openingOrganization(), extended: true }),
      credentials: 'same-origin',
    })
    // Whoever takes it sees a failure; nobody may.
    answer.catch(() => {})
    askedEarly.set(path, answer)
  }
