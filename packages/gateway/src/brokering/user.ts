import type { Language } from '@castellan/contract/messages'
import type { ServerApi } from '../server-client/api.ts'
import type { LoginFrom, UserProfile } from '../server-client/wire.ts'

/** The credentials of a browser's request. */
export interface BrowserProof {
  cookie: string
  forwarded: Record<string, string>
}

/** An authenticated user with their client address. Only sign-in creates one. */
export interface User {
  id: string
  name: string
  username: string
  language: Language
  remoteAddr: string
  loginFrom: LoginFrom
  /** Set for a user connected by a browser: their sessions last no longer than their sign-in there. */
  browser?: BrowserProof
}

/** The contract's display form, `Name(username)`. */
export const displayOf = (user: { name: string; username: string }): string => `${user.name}(${user.username})`

export function userOf(
  profile: UserProfile,
  origin: Pick<User, 'language' | 'remoteAddr' | 'loginFrom' | 'browser'>,
): User {
  return { id: profile.id, name: profile.name, username: profile.username, ...origin }
}

/** Whether the browser is still signed in as the user; always true for other clients. */
export async function isStillSignedIn(api: ServerApi, { id, browser }: User): Promise<boolean> {
  if (!browser) return true
  const profile = await api.userOfCookies(browser.cookie, browser.forwarded)
  return profile?.id === id
}
