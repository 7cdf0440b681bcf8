import { authBackends } from '@castellan/contract/choices/authentication'
import type { Language } from '@castellan/contract/messages'
import { auditsMessages as texts } from '@castellan/contract/messages/audits'
import { identityCatalogue } from '../../kernel/security/sign-in.ts'

const cities: Readonly<Record<string, keyof typeof texts>> = { LAN: 'lan', Unknown: 'unknown_city' }

/** Converts a displayed location in the reader's language to its stored form. */
export const cityStored = (shown: string, language: Language): string =>
  Object.keys(cities).find((city) => cityLabel(city, language) === shown) ?? shown

export function cityLabel(stored: string | null, language: Language): string | null {
  const key = cities[stored ?? '']
  return key ? texts[key][language] : stored
}

/** The English label that logs keep of a sign-in's backend. */
export const backendStored = (name: string): string =>
  (identityCatalogue.backends.find((backend) => backend.name === name)?.loggedAs ?? name).slice(0, 32)

export function backendLabel(backend: string, language: Language): string {
  return Object.hasOwn(authBackends, backend) ? authBackends[backend as 'Password'][language] : backend
}
