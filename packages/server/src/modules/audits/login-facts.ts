import { authBackends } from '@castellan/contract/choices/authentication'
import type { Language } from '@castellan/contract/messages'
import { auditsMessages as texts } from '@castellan/contract/messages/audits'
import { inAddressGroup } from '../../db/addresses.ts'

const privateNetworks = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
]

/** The location of an address as the log stores it. There is no geographic database, so it is local or unknown. */
export function cityOf(ip: string): string {
  if (ip.includes(':')) return 'IPv6'
  return inAddressGroup(ip, privateNetworks) ? 'LAN' : 'Unknown'
}

const cities: Readonly<Record<string, keyof typeof texts>> = { LAN: 'lan', Unknown: 'unknown_city' }

/** Converts a displayed location in the reader's language to its stored form. */
export const cityStored = (shown: string, language: Language): string =>
  Object.keys(cities).find((city) => cityLabel(city, language) === shown) ?? shown

export function cityLabel(stored: string | null, language: Language): string | null {
  const key = cities[stored ?? '']
  return key ? texts[key][language] : stored
}

/** Stored English labels, by the backend of a sign-in. */
const stored: Readonly<Record<string, string>> = {
  password: 'Password',
  publickey: 'SSH Key',
  ldap: 'LDAP',
  openid: 'OpenID',
  radius: 'Radius',
  cas: 'CAS',
  saml2: 'SAML2',
  oauth2: 'OAuth2',
  sso: 'SSO',
  wecom: 'WeCom',
  dingtalk: 'DingTalk',
  feishu: 'FeiShu',
  custom: 'Custom',
  passkey: 'Passkey',
  temp_token: 'Temporary token',
}

export const backendStored = (backend: string): string => (stored[backend] ?? backend).slice(0, 32)

export function backendLabel(backend: string, language: Language): string {
  return Object.hasOwn(authBackends, backend) ? authBackends[backend as 'Password'][language] : backend
}
