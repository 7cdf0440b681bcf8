import type { Language } from '@castellan/contract/messages'
import type { Broker } from './broker.ts'
import { SignIn } from './sign-in.ts'
import { type User, userOf } from './user.ts'

export type { SignIn, SignInStep } from './sign-in.ts'

/** Starts the sign-in of one SSH connection. */
export function beginSignIn(broker: Broker, remoteAddr: string, language: Language): SignIn {
  return new SignIn(broker.api.http, remoteAddr, language)
}

/** The user of a browser's request, by its own cookies; undefined when not signed in. */
export async function userOfBrowser(
  broker: Broker,
  request: { cookie: string | undefined; remoteAddr: string; forwarded: Record<string, string>; language: Language },
): Promise<User | undefined> {
  if (!request.cookie) return undefined
  const profile = await broker.api.userOfCookies(request.cookie, request.forwarded)
  if (!profile || profile.is_valid === false) return undefined
  const { language, remoteAddr, cookie, forwarded } = request
  return userOf(profile, { language, remoteAddr, loginFrom: 'WT', browser: { cookie, forwarded } })
}
