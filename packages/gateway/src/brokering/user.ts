import type { Language } from '@castellan/contract/messages'
import type { ServerApi } from '../server-client/api.ts'
import type { LoginFrom, UserProfile } from '../server-client/wire.ts'

/** What a browser sends to say who is signed in there. */
export interface BrowserProof {
  cookie: string
  forwarded: Record<string, string>
}

/** Somebody who proved who they are, and where they come from. Only sign-in makes one. */
export interface User {
  id: string
  name: string
  username: string
  language: Language
  remoteAddr: string
  loginFrom: LoginFrom
  /** Of somebody who came by a browser: what they do lasts no longer than their sign-in there. */
  browser?: BrowserProof
}

/** The display form of the contract, `Name(username)`. */
export const displayOf = (person: { name: string; username: string }): string => `${person.name}(${person.username})`

export function userOf(
  profile: UserProfile,
  origin: Pick<User, 'language' | 'remoteAddr' | 'loginFrom' | 'browser'>,
): User {
  return { id: profile.id, name: profile.name, username: profile.username, ...origin }
}

/** Whether the browser somebody came by is still signed in as them; who came by another way is. */
export async function isStillSignedIn(api: ServerApi, { id, browser }: User): Promise<boolean> {
  if (!browser) return true
  const profile = await api.personOfCookies(browser.cookie, browser.forwarded)
  return profile?.id === id
}
