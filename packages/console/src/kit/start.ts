/** What the console and the terminal page do alike when they open. */
import { call, hooks } from './api/client.ts'
import { readCookie, writeCookie } from './api/cookies.ts'
import { ApiError } from './api/errors.ts'
import { profilePath, settingsPath } from './api/opening.ts'
import { type Organization, type Profile, type PublicSettings, session, sessionIfAny } from './session.ts'

const mark = 'jms_session_expire'

/**
 * Without its mark the session is over; a session that ends with the browser lives on refreshed marks.
 * @returns whether there is a session
 */
export function keepSessionMark(): boolean {
  const found = readCookie(mark)
  if (found === undefined) return false
  if (found === 'close') setInterval(() => writeCookie(mark, 'close', 120), 10_000)
  return true
}

/** Every call names the organization that is worked in, and before there is one that of the opening questions, if any. */
export function nameOrganization(working: () => Organization, opening?: () => string): void {
  hooks.organization = () => ({
    id: sessionIfAny() ? working().id : opening?.(),
    extended: sessionIfAny() ? Boolean(session().settings.XPACK_ENABLED) : true,
  })
}

/** The person and the settings at once; both are needed before anything can be drawn. */
export const readSession = (): Promise<[Profile, PublicSettings]> =>
  Promise.all([call<Profile>(profilePath, { quiet: true }), call<PublicSettings>(settingsPath, { quiet: true })])

/** Whether a refusal means that nobody is signed in. */
export const meansSignedOut = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)
