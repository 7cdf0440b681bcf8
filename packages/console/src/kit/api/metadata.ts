/** OPTIONS metadata: the field information of lists, forms and cards. */
import { queryOptions } from '@tanstack/react-query'
import { sessionIfAny, workingOrganization } from '../session.ts'
import { language } from '../text.ts'
import { call, withQuery } from './client.ts'

export interface FieldChoice {
  value: string | number | boolean
  label: string
  children?: FieldChoice[]
}

export interface FieldInfo {
  type: string
  required?: boolean
  read_only?: boolean
  write_only?: boolean
  label?: string
  help_text?: string
  min_length?: number
  max_length?: number
  min_value?: number
  max_value?: number
  default?: unknown
  choices?: FieldChoice[]
  tree?: FieldChoice[]
  child?: FieldInfo
  children?: Record<string, FieldInfo>
  filter?: boolean
  order?: boolean
}

export type Fields = Readonly<Record<string, FieldInfo>>
export interface Metadata {
  actions?: Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH', Fields>>
}

/** Label of a field without one: `rows.0.date_expired` becomes "Date expired". */
export function readableName(path: string): string {
  const own = path.split('.').findLast((key) => !/^\d+$/.test(key)) ?? path
  const words = own.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** User and language of a response: part of every query key. */
export const audience = (): readonly string[] => [
  sessionIfAny()?.profile.id ?? '',
  sessionIfAny() ? workingOrganization().id : '',
]

/** Metadata of an address; one request per address, language and organization while the page is open. */
export const metadataOf = (url: string) =>
  queryOptions({
    queryKey: ['metadata', url, language, ...audience()],
    queryFn: () => call<Metadata>(url, { method: 'OPTIONS', quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

/** The OPTIONS address of list tables. */
export const listMetadataUrl = (url: string): string => withQuery(url, { draw: 1, display: 1 })
