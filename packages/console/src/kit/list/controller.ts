/** Headless list: state, metadata, rows, selection, deletion. */
import { keepPreviousData, usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { below, call, selectionToken, withQuery } from '../api/client.ts'
import { audience } from '../api/metadata.ts'
import type { Page, Row } from '../row.ts'
import { rights } from '../session.ts'
import { useRested } from '../use-debounced.ts'
import { useColumns } from './column-choice.ts'
import { filterOf, withoutEffect } from './columns.ts'
import { rememberPlace } from './place.ts'
import { fieldsOf, filtersOf, hasUnknown, isFilter, rowsOf, usualRange } from './queries.ts'
import { isSelectable } from './row-actions-width.ts'
import { useSelection } from './selection.ts'
import { slid, slide } from './sliding.ts'
import { type CompleteListSpec, complete, type ListSpec } from './spec.ts'
import { inOrder, type ListState, pageQuery, readState, rememberedSize, writeState } from './state.ts'

/** Debounce of individual filter changes in ms. */
const filterPause = 240

/** Storage of the list state: the address of a page, or memory. */
function useListState(
  spec: CompleteListSpec,
  known: (field: string) => boolean,
): [ListState, (next: ListState) => void] {
  const [params, setParams] = useSearchParams()
  const inAddress = spec.search.inAddress !== false
  const [range] = useState<{ dateFrom?: string; dateTo?: string }>(() => usualRange(spec))
  const [size, setSize] = useState(rememberedSize)
  const [memory, setMemory] = useState<ListState>({ page: 1, size, order: '', tags: [] })
  const put = useRef<ListState['tags']>([])
  // The router changes the address when it has time: until then a second change builds on the first.
  const [early, setEarly] = useState<{ next: ListState; over: URLSearchParams }>()
  const read = inAddress ? readState(params, known, size) : { ...memory, size }
  const base = { ...read, tags: inOrder(read.tags, put.current) }
  const addressed = { ...base, dateFrom: base.dateFrom ?? range.dateFrom, dateTo: base.dateTo ?? range.dateTo }
  const state = early?.over === params ? early.next : addressed
  const setState = useCallback(
    (next: ListState) => {
      put.current = next.tags
      if (next.size !== size) {
        localStorage.setItem('paginationSize', String(next.size))
        setSize(next.size)
      }
      const own =
        next.dateFrom === range.dateFrom && next.dateTo === range.dateTo
          ? { ...next, dateFrom: undefined, dateTo: undefined }
          : next
      if (inAddress) {
        setEarly({ next, over: params })
        setParams((old) => writeState(old, own, known), { replace: true })
      } else setMemory(next)
    },
    [inAddress, known, params, range, setParams, size],
  )
  return [state, setState]
}

/** `/console/x` routes have row pages unless the screen declares otherwise. */
export function useList(declared: ListSpec, anywhere = false) {
  const own = rights(declared.resource, anywhere)
  const whole = useMemo(() => complete(declared), [declared])
  const selectable = isSelectable(whole, own)
  const spec = useMemo(() => ({ ...whole, selectable }), [whole, selectable])
  const client = useQueryClient()
  const location = useLocation()
  // Prefetched during rendering: the query itself would start only after the whole page is rendered.
  usePrefetchQuery(fieldsOf(spec))
  const metadata = useQuery(fieldsOf(spec))
  const fields = metadata.data?.actions?.GET
  const filters = useMemo(() => filtersOf(spec, fields), [fields, spec])
  const known = useMemo(() => isFilter(spec, fields && filters), [spec, fields, filters])
  const [state, setState] = useListState(spec, known)
  const saved = (location.state as { order?: string } | null)?.order
  const usualOrder = saved ?? spec.data.order ?? ''
  const asked = useRested(state, JSON.stringify(state.tags), filterPause)
  const tags = asked.tags.filter(({ field, value }) => !withoutEffect(filterOf(filters, field), value))
  const query = pageQuery({ ...asked, tags }, spec.data.query, usualOrder)
  const pageOptions = rowsOf(spec, query)
  const unsure = !fields && hasUnknown(spec, asked)
  if (!unsure && !client.getQueryState(pageOptions.queryKey)) void client.prefetchQuery(pageOptions)
  const page = useQuery({
    ...pageOptions,
    enabled: !unsure,
    placeholderData: keepPreviousData,
    refetchInterval: spec.data.pollMs,
  })
  const filtered = tags.length > 0
  // Previous rows and their count stay until the response arrives.
  const answered = useRef(filtered)
  if (!page.isPlaceholderData) answered.current = filtered
  const { dateFrom, dateTo } = state
  const everything = { ...spec.data.query, date_from: dateFrom, date_to: dateTo, offset: 0, limit: 1 }
  const unfiltered = useQuery({
    queryKey: ['list', spec.url, everything, ...audience()],
    queryFn: ({ signal }) => call<Page>(spec.url, { query: everything, signal, quiet: true }),
    enabled: filtered && page.isSuccess,
  })
  useEffect(() => {
    if (spec.search.inAddress !== false) rememberPlace(location.pathname, location.search)
  }, [spec.search.inAddress, location.pathname, location.search])
  const columns = useColumns(spec, fields, own)
  const { picking } = spec
  const { drop, ...selection } = useSelection(picking)
  const { clear } = selection
  const reload = useCallback(() => void client.invalidateQueries({ queryKey: ['list', spec.url] }), [client, spec.url])
  const error = page.error ?? metadata.error
  const total = error ? 0 : (page.data?.count ?? 0)
  const rows = page.data?.results ?? []

  // The last row of the last page was deleted: show the previous page.
  const lastPage = Math.max(1, Math.ceil(total / state.size))
  useEffect(() => {
    if (page.data && !error && !page.isPlaceholderData && state.page > lastPage) setState({ ...state, page: lastPage })
  }, [page.data, error, page.isPlaceholderData, lastPage, state, setState])

  // Another tree node was selected: start at page one. The address contains the page and the node.
  const narrowed = JSON.stringify(spec.data.query)
  const shownFor = useRef(narrowed)
  useEffect(() => {
    if (narrowed === shownFor.current) return
    shownFor.current = narrowed
    if (spec.search.inAddress === false && state.page > 1) setState({ ...state, page: 1 })
  }, [narrowed, spec.search.inAddress, state, setState])

  return {
    spec,
    fields,
    filters,
    state,
    /** The order without a user's choice. */
    usualOrder,
    /** New filters, order or page. A changed filter clears the selection. */
    change: (next: ListState) => {
      if (next.tags !== state.tags && !picking) clear()
      setState(next)
    },
    query,
    ...columns,
    rows,
    total,
    filtered,
    /** Whether the visible rows are filtered. */
    showsFiltered: answered.current,
    /** The total without filters; loaded after the filtered page. */
    whole: unfiltered.data?.count,
    loading: metadata.isPending || (page.isPending && !unsure),
    refreshing: page.isFetching || asked !== state,
    error,
    reload,
    /** After a failure, metadata may be the part that failed. */
    retry: () => {
      if (metadata.error) void metadata.refetch()
      reload()
    },
    /** Refresh by the user. Selected rows may have changed meanwhile. */
    refresh: () => {
      if (!picking) clear()
      const moved = spec.search.dateRange && slid(spec.id, state)
      if (moved) setState({ ...state, ...moved })
      else reload()
    },
    /** Another date range; `lastDays` if it is a number of days until now. */
    date: (dateFrom: string, dateTo: string, lastDays?: number) => {
      slide(spec.id, { dateFrom, dateTo }, lastDays)
      setState({ ...state, page: 1, dateFrom, dateTo })
    },
    ...selection,
    rights: own,
    removeRow: async (row: Row) => {
      const remove = spec.actions.remove || undefined
      await call(remove?.url?.(row) ?? below(spec.url, `${row.id}/`), { method: 'DELETE' })
      await remove?.after?.()
      drop(row.id)
      reload()
    },
    removeSelected: async () => {
      const spm = await selectionToken(selection.selected.map(({ id }) => id))
      await call(withQuery(spec.url, { spm }), { method: 'DELETE' })
      clear()
      reload()
    },
  }
}

export type List = ReturnType<typeof useList>
