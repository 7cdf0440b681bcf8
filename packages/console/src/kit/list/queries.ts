/** What a list asks the server: what its fields are, and a page of rows. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call, type Query } from '../api/client.ts'
import { audience, listMetadataUrl, metadataOf } from '../api/metadata.ts'
import type { Page } from '../row.ts'
import type { FilterField } from './columns.ts'
import type { ListSpec } from './spec.ts'
import { defaultRange, type ListState, pageQuery, readState, rememberedSize } from './state.ts'

/** What decides about the questions of a list. */
export type Asked = Pick<ListSpec, 'url' | 'fieldsUrl' | 'query' | 'order' | 'dateRange' | 'inAddress' | 'filters'>

export const fieldsOf = ({ url, fieldsUrl = url }: Asked) => metadataOf(listMetadataUrl(fieldsUrl))

export const rowsOf = ({ url }: Asked, query: Query) =>
  queryOptions({
    queryKey: ['list', url, query, ...audience()],
    queryFn: ({ signal }) => call<Page>(url, { query, signal, quiet: true }),
  })

/**
 * What the page itself reads (`node` → `node_id`) is no filter of the list. Before the metadata is there, and with it
 * `filters`, nothing else is thrown out of the address, and nothing is asked by it either.
 */
export const isFilter =
  ({ query = {} }: Asked, filters: readonly FilterField[] | undefined) =>
  (field: string) => {
    if ([field, `${field}_id`].some((name) => name in query)) return false
    return !filters || filters.some((filter) => filter.field === field)
  }

/** Whether an address names a field of which only the metadata can say that it is a filter; no other is ever sent. */
export const hasUnknown = ({ filters = [] }: Asked, { tags }: Pick<ListState, 'tags'>): boolean =>
  tags.some(({ field }) => field !== '' && !filters.some((own) => own.field === field))

/** The range of a dated list while nobody chose another. */
export const usualRange = ({ dateRange }: Pick<ListSpec, 'dateRange'>) =>
  dateRange ? defaultRange(dateRange === true ? undefined : dateRange.days) : {}

/** Asks both before the list is drawn, for what the address says. */
export function askAhead(client: QueryClient, spec: Asked, address: URLSearchParams): void {
  void client.prefetchQuery(fieldsOf(spec))
  if (spec.inAddress === false) return
  const state = { ...usualRange(spec), ...readState(address, isFilter(spec, undefined), rememberedSize()) }
  if (hasUnknown(spec, state)) return
  void client.prefetchQuery(rowsOf(spec, pageQuery(state, spec.query, spec.order)))
}
