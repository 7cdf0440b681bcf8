/** Start-up shared by the console and the terminal application. */

import { readCookie, writeCookie } from '../browser/cookies.ts'
import { call, hooks } from './api/client.ts'
import { ApiError } from './api/errors.ts'
import { profilePath, settingsPath } from './api/opening.ts'
import { type Organization, type Profile, type PublicSettings, session, sessionIfAny } from './session.ts'

const mark = 'jms_session_expire'

/**
 * Without its marker cookie, the session has ended. A session that ends with the browser needs refreshed markers.
 * @returns whether there is a session
 */
export function keepSessionMark(): boolean {
  const found = readCookie(mark)
  if (found === undefined) return false
  if (found === 'close') setInterval(() => writeCookie(mark, 'close', 120), 10_000)
  return true
}

/** Every request has the current organization; before one is selected, that of the opening requests, if any. */
export function nameOrganization(working: () => Organization, opening?: () => string): void {
  hooks.organization = () => ({
    id: sessionIfAny() ? working().id : opening?.(),
    extended: sessionIfAny() ? Boolean(session().settings.XPACK_ENABLED) : true,
  })
}

/** Loads user and settings in parallel; rendering requires both. */
export const readSession = (): Promise<[Profile, PublicSettings]> =>
  Promise.all([call<Profile>(profilePath, { quiet: true }), call<PublicSettings>(settingsPath, { quiet: true })])

/** Whether an error means that no user is signed in. */
export const meansSignedOut = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)
