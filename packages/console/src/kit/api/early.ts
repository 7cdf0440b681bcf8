/**
 * Resolves the language and requests profile and settings before the other chunks are evaluated. A small separate chunk
 * that runs first. Requests nothing without a session.
 */

import { readCookie } from '../../browser/cookies.ts'
import { resolvePageLanguage } from '../../browser/languages.ts'
import { headersOf } from './headers.ts'
import { askedEarly, openingOrganization, profilePath, settingsPath } from './opening.ts'

resolvePageLanguage()

if (readCookie('jms_session_expire') !== undefined)
  for (const path of [profilePath, settingsPath]) {
    const answer = fetch(path, {
      headers: headersOf({ id: openingOrganization(), extended: true }),
      credentials: 'same-origin',
    })
    // The consumer handles a rejection, and there may be no consumer.
    answer.catch(() => {})
    askedEarly.set(path, answer)
  }
