import type { Context } from './context.ts'
import type { Page } from './query.ts'
import { pageOf } from './query.ts'
import type { RequestParts } from './route.ts'

/** The address of another page of the same list. */
export function pageUrl(request: RequestParts, page: Page, offset: number): string {
  const url = new URL(request.url, request.origin)
  url.searchParams.set('limit', String(page.limit))
  // What would begin before the list begins with it.
  if (offset <= 0) url.searchParams.delete('offset')
  else url.searchParams.set('offset', String(offset))
  return url.href
}

/** A list that can be counted and read in parts. */
export interface Pageable {
  count(): Promise<number>
  /** Rows as the wire has them; all of them without a page. */
  rows(page?: Page): Promise<unknown[]>
}

/** A list as the contract answers it: a bare array without `limit`, else count, neighbours and rows. */
export async function pagedReply(
  ctx: Context,
  request: RequestParts,
  list: Pageable,
  uncapped = false,
): Promise<unknown> {
  const page = pageOf(ctx, request.query, uncapped)
  if (!page) return list.rows()
  const count = await list.count()
  return {
    count,
    next: page.offset + page.limit < count ? pageUrl(request, page, page.offset + page.limit) : null,
    previous: page.offset > 0 ? pageUrl(request, page, page.offset - page.limit) : null,
    results: page.offset >= count ? [] : await list.rows(page),
  }
}

/** A list that is short and in memory already. */
export const listOf = (items: readonly unknown[]): Pageable => ({
  count: async () => items.length,
  rows: async (page) => (page ? items.slice(page.offset, page.offset + page.limit) : [...items]),
})
