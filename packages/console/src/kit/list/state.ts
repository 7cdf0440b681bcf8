/** State of a list in the address: page, order, search, filters, dates. Pure. */
import type { Query } from '../api/client.ts'

export interface Tag {
  /** Field name; '' is a free word. */
  field: string
  value: string
}

export interface ListState {
  page: number
  size: number
  order: string
  tags: readonly Tag[]
  dateFrom?: string
  dateTo?: string
}

const day = 86_400_000

export const pageSizes = [15, 30, 50, 100] as const
const reserved = new Set(['page', 'size', 'order', 'search', 'date_from', 'date_to', 'activeTab', 'oid'])

/** The size chosen last, in any list. */
export function rememberedSize(store: Pick<Storage, 'getItem'> = localStorage): number {
  const size = Number(store.getItem('paginationSize'))
  return pageSizes.find((known) => known === size) ?? 15
}

/** Reads the state from an address; unknown parameters are ignored. */
export function readState(params: URLSearchParams, known: (field: string) => boolean, size: number): ListState {
  const tags: Tag[] = []
  for (const [field, value] of params) {
    const words = field === 'search' ? value.split(',').filter((word) => word.trim()) : []
    for (const word of words) tags.push({ field: '', value: word.trim() })
    if (!reserved.has(field) && value && known(field)) tags.push({ field, value })
  }
  return {
    page: Math.max(1, Number(params.get('page')) || 1),
    size: pageSizes.find((option) => option === Number(params.get('size'))) ?? size,
    order: params.get('order') ?? '',
    tags,
    ...datesOf(params),
  }
}

/** The date range in an address. An invalid one becomes five days ago to tomorrow. */
function datesOf(params: URLSearchParams, now = Date.now()): Pick<ListState, 'dateFrom' | 'dateTo'> {
  const [dateFrom, dateTo] = [params.get('date_from') ?? undefined, params.get('date_to') ?? undefined]
  const readable = [dateFrom, dateTo].every((date) => date === undefined || !Number.isNaN(Date.parse(date)))
  if (readable) return { ...(dateFrom && { dateFrom }), ...(dateTo && { dateTo }) }
  // Rounded to the minute: the same address must give the same range on every read.
  const minute = Math.floor(now / 60_000) * 60_000
  return {
    dateFrom: new Date(minute - 5 * day).toISOString(),
    dateTo: new Date(minute + day).toISOString(),
  }
}

/** Writes the state to an address and keeps other parameters. */
export function writeState(
  params: URLSearchParams,
  state: ListState,
  known: (field: string) => boolean,
): URLSearchParams {
  const out = new URLSearchParams()
  for (const [key, value] of params) {
    const ours = ['page', 'size', 'order', 'search', 'date_from', 'date_to'].includes(key)
    if (!ours && !(known(key) && !reserved.has(key))) out.append(key, value)
  }
  const words = state.tags.filter((tag) => tag.field === '').map((tag) => tag.value)
  for (const tag of state.tags) out.set(tag.field || 'search', tag.field ? tag.value : words.join(','))
  if (state.page > 1) out.set('page', String(state.page))
  if (state.order) out.set('order', state.order)
  if (state.dateFrom) out.set('date_from', state.dateFrom)
  if (state.dateTo) out.set('date_to', state.dateTo)
  return out
}

const isSame = (one: Tag, other: Tag): boolean => one.field === other.field && one.value === other.value

/** Replaces a tag: trimmed, no duplicates, one value per field. Any change goes to page one. */
export function replaceTag(state: ListState, old: Tag, tag: Tag): ListState {
  const next = { ...tag, value: tag.value.trim() }
  const doubled = (one: Tag) => !isSame(one, old) && (tag.field ? one.field === tag.field : isSame(one, next))
  const others = state.tags.filter((one) => !doubled(one))
  return {
    ...state,
    page: 1,
    tags: others.flatMap((one) => (isSame(one, old) ? (next.value ? [next] : []) : [one])),
  }
}

/** Appends a tag, or replaces the one of its field. Empty tags are ignored. */
export function addTag(state: ListState, tag: Tag): ListState {
  const next = { ...tag, value: tag.value.trim() }
  const old = state.tags.find((one) => (tag.field ? one.field === tag.field : isSame(one, next)))
  if (old) return replaceTag(state, old, next)
  return { ...state, page: 1, tags: next.value ? [...state.tags, next] : state.tags }
}

export const removeTag = (state: ListState, tag: Tag): ListState => replaceTag(state, tag, { ...tag, value: '' })

/** Tags in their order of entry; the address has one parameter for all free words. */
export function inOrder(tags: readonly Tag[], before: readonly Tag[]): Tag[] {
  const rank = (tag: Tag) => {
    const at = before.findIndex((one) => isSame(one, tag))
    return at < 0 ? before.length : at
  }
  return tags.toSorted((one, other) => rank(one) - rank(other))
}

/** Filters in wire format. Free words are joined by commas into one `search`. */
export function filterQuery(state: ListState): Record<string, string> {
  const out: Record<string, string> = {}
  const words: string[] = []
  for (const tag of state.tags) {
    if (tag.field) out[tag.field] = tag.value
    else words.push(tag.value)
  }
  if (words.length > 0) out.search = words.join(',')
  if (state.dateFrom) out.date_from = state.dateFrom
  if (state.dateTo) out.date_to = state.dateTo
  return out
}

/** The complete query of one page. */
export function pageQuery(state: ListState, extra: Query = {}, order = ''): Query {
  return {
    ...extra,
    ...filterQuery(state),
    order: state.order || order || undefined,
    offset: (state.page - 1) * state.size,
    limit: state.size,
    display: 1,
    draw: 1,
  }
}

/**
 * A click on a column header: ascending, descending, none. None means `usual`, the default order. If that sorts by the
 * same column, each click reverses it, because a click without effect would look broken.
 */
export function nextOrder(order: string, field: string, usual = ''): string {
  const now = order || usual
  const next = now === field ? `-${field}` : now !== `-${field}` || usual === `-${field}` ? field : ''
  return next === usual ? '' : next
}

/** From seven days ago to the end of today; the default of all date ranges. */
export function defaultRange(days = 7, now = new Date()): { dateFrom: string; dateTo: string } {
  // Rounded to the minute: the prefetch and the query itself must have the same key.
  const from = new Date(Math.floor((now.getTime() - days * day) / 60_000) * 60_000)
  const to = new Date(now)
  to.setHours(23, 59, 59, 0)
  return { dateFrom: from.toISOString(), dateTo: to.toISOString() }
}
