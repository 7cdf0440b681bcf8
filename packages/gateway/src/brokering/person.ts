import type { Language } from '@castellan/contract/messages'
import type { LoginFrom, UserProfile } from '../server-client/wire.ts'

/** Somebody who proved who they are, and where they come from. Only sign-in makes one. */
export interface Person {
  id: string
  name: string
  username: string
  language: Language
  remoteAddr: string
  loginFrom: LoginFrom
}

/** The display form of the contract, `Name(username)`. */
export const displayOf = (person: { name: string; username: string }): string => `${person.name}(${person.username})`

export function personOf(
  profile: UserProfile,
  origin: { language: Language; remoteAddr: string; loginFrom: LoginFrom },
): Person {
  return { id: profile.id, name: profile.name, username: profile.username, ...origin }
}
