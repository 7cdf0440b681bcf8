/** Headers of every request. */
import { defaultOrgId } from '@castellan/contract/ids'
import { csrfToken } from '../../browser/cookies.ts'
import { pageLanguage } from '../../browser/languages.ts'

export interface Working {
  id: string | undefined
  /** Whether the extended edition is on. Without it, `?oid=` is ignored. */
  extended: boolean
}

/** The organization of a request: from the page address, otherwise the selected one. */
const organizationHeader = ({ id, extended }: Working): string | undefined =>
  extended ? (new URLSearchParams(location.hash.split('?')[1] ?? '').get('oid') ?? id) : id || defaultOrgId

/** The time zone of displayed times. */
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
