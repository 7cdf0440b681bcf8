/** Queries of a list: metadata and a page of rows. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call, type Query } from '../api/client.ts'
import { audience, type Fields, listMetadataUrl, metadataOf } from '../api/metadata.ts'
import type { Page } from '../row.ts'
import { t } from '../text.ts'
import { type FilterField, filterFields, filterOf, withoutEffect } from './columns.ts'
import type { ListSpec } from './spec.ts'
import { defaultRange, type ListState, pageQuery, readState, rememberedSize } from './state.ts'

/** Inputs of the list queries. */
export type Asked = Pick<ListSpec, 'url' | 'data' | 'search'>

export const fieldsOf = ({ url, data }: Asked) => metadataOf(listMetadataUrl(data?.metadataUrl ?? url))

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
  ({ data }: Asked, filters: readonly FilterField[] | undefined) =>
  (field: string) => {
    if ([field, `${field}_id`].some((name) => name in (data?.query ?? {}))) return false
    return !filters || filters.some((filter) => filter.field === field)
  }

/**
 * Whether an address contains a field that only the metadata can identify as a filter. Other parameters are never sent.
 */
export const hasUnknown = ({ search }: Asked, { tags }: Pick<ListState, 'tags'>): boolean =>
  tags.some(({ field }) => field !== '' && !search?.filters?.some((own) => own.field === field))

/** Date range without a user's choice. */
export const usualRange = ({ search: { dateRange } = {} }: Pick<ListSpec, 'search'>) =>
  dateRange ? defaultRange(dateRange === true ? undefined : dateRange.days) : {}

/** Filters of a list: those of its metadata and its own. */
export const filtersOf = ({ search = {} }: Pick<ListSpec, 'search'>, fields: Fields | undefined) =>
  filterFields(fields ?? {}, search.filters ?? [], search.exclude ?? [], { yes: t('yes'), no: t('no') })

/**
 * Starts both queries before the list renders, from the address. Rows whose filters only the metadata can identify are
 * asked for as soon as it is there.
 */
export function askAhead(client: QueryClient, spec: Asked, address: URLSearchParams): void {
  const metadata = client.fetchQuery(fieldsOf(spec))
  // The list reports it.
  metadata.catch(() => {})
  if (spec.search?.inAddress === false) return
  const stateOf = (filters: readonly FilterField[] | undefined): ListState => ({
    ...usualRange(spec),
    ...readState(address, isFilter(spec, filters), rememberedSize()),
  })
  const ask = (state: ListState) =>
    void client.prefetchQuery(rowsOf(spec, pageQuery(state, spec.data?.query, spec.data?.order)))
  const state = stateOf(undefined)
  if (!hasUnknown(spec, state)) {
    ask(state)
    return
  }
  metadata.then(
    ({ actions }) => {
      const filters = filtersOf(spec, actions?.GET)
      const known = stateOf(filters)
      ask({ ...known, tags: known.tags.filter(({ field, value }) => !withoutEffect(filterOf(filters, field), value)) })
    },
    () => {},
  )
}
