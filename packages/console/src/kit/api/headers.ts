/** What every call says beside its question. */
import { defaultOrgId } from '@castellan/contract/ids'
import { pageLanguage } from '../languages.ts'
import { csrfToken } from './cookies.ts'

export interface Working {
  id: string | undefined
  /** Whether the extended edition is on. Without it `?oid=` is ignored. */
  extended: boolean
}

/** The organization of a call: the one the address names, else the one worked in. */
const organizationHeader = ({ id, extended }: Working): string | undefined =>
  extended ? (new URLSearchParams(location.hash.split('?')[1] ?? '').get('oid') ?? id) : id || defaultOrgId

/** The zone moments are told in. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export function headersOf(working: Working, more?: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(more)
  const token = csrfToken()
  const organization = organizationHeader(working)
  if (token) headers.set('X-CSRFToken', token)
  if (organization) headers.set('X-JMS-ORG', organization)
  headers.set('X-TZ', zone())
  headers.set('Accept-Language', pageLanguage())
  headers.set('Accept', 'application/json')
  return headers
}
