/**
 * Settles the language, and asks who is signed in and how the installation is set before the other files of the page are
 * evaluated: a small file of its own, run first. Where nobody is signed in there is nothing to ask.
 */
import { settleLanguage } from '../languages.ts'
import { readCookie } from './cookies.ts'
import { headersOf } from './headers.ts'
import { askedEarly, openingOrganisation, profilePath, settingsPath } from './opening.ts'

settleLanguage()

if (readCookie('jms_session_expire') !== undefined)
  for (const path of [profilePath, settingsPath]) {
    const answer = fetch(path, {
      headers: headersOf({ id: openingOrganisation(), extended: true }),
      credentials: 'same-origin',
    })
    // Whoever takes it sees a failure; nobody may.
    answer.catch(() => {})
    askedEarly.set(path, answer)
  }
