/** Queries of a list: metadata and a page of rows. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call, type Query } from '../api/client.ts'
import { audience, listMetadataUrl, metadataOf } from '../api/metadata.ts'
import type { Page } from '../row.ts'
import type { FilterField } from './columns.ts'
import type { ListSpec } from './spec.ts'
import { defaultRange, type ListState, pageQuery, readState, rememberedSize } from './state.ts'

/** Inputs of the list queries. */
export type Asked = Pick<ListSpec, 'url' | 'fieldsUrl' | 'query' | 'order' | 'dateRange' | 'inAddress' | 'filters'>

export const fieldsOf = ({ url, fieldsUrl = url }: Asked) => metadataOf(listMetadataUrl(fieldsUrl))

export const rowsOf = ({ url }: Asked, query: Query) =>
  queryOptions({
    queryKey: ['list', url, query, ...audience()],
    queryFn: ({ signal }) => call<Page>(url, { query, signal, quiet: true }),
  })

/**
 * Parameters of the page itself (`node` → `node_id`) are not filters of the list. Before the metadata with its
 * `filters` is loaded, other parameters stay in the address and are not sent.
 */
export const isFilter =
  ({ query = {} }: Asked, filters: readonly FilterField[] | undefined) =>
  (field: string) => {
    if ([field, `${field}_id`].some((name) => name in query)) return false
    return !filters || filters.some((filter) => filter.field === field)
  }

/**
 * Whether an address contains a field that only the metadata can identify as a filter. Other parameters are never sent.
 */
export const hasUnknown = ({ filters = [] }: Asked, { tags }: Pick<ListState, 'tags'>): boolean =>
  tags.some(({ field }) => field !== '' && !filters.some((own) => own.field === field))

/** Date range without a user's choice. */
export const usualRange = ({ dateRange }: Pick<ListSpec, 'dateRange'>) =>
  dateRange ? defaultRange(dateRange === true ? undefined : dateRange.days) : {}

/** Starts both queries before the list renders, from the address. */
export function askAhead(client: QueryClient, spec: Asked, address: URLSearchParams): void {
  void client.prefetchQuery(fieldsOf(spec))
  if (spec.inAddress === false) return
  const state = { ...usualRange(spec), ...readState(address, isFilter(spec, undefined), rememberedSize()) }
  if (hasUnknown(spec, state)) return
  void client.prefetchQuery(rowsOf(spec, pageQuery(state, spec.query, spec.order)))
}
