import type { RequestParts } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import type { Page } from './query.ts'
import { pageOf } from './query.ts'

/** The URL of another page of the same list. */
export function pageUrl(request: RequestParts, page: Page, offset: number): string {
  const url = new URL(request.url, request.origin)
  url.searchParams.set('limit', String(page.limit))
  // A page that would begin before the list begins with it.
  if (offset <= 0) url.searchParams.delete('offset')
  else url.searchParams.set('offset', String(offset))
  return url.href
}

/** A list that can be counted and read page by page. */
export interface Pageable {
  count(): Promise<number>
  /** Rows in wire form; all of them without a page. */
  rows(page?: Page): Promise<unknown[]>
}

/** A list response: an array without `limit`, else count, links to the next and previous page, and rows. */
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

/** A short list that is already in memory. */
export const listOf = (items: readonly unknown[]): Pageable => ({
  count: async () => items.length,
  rows: async (page) => (page ? items.slice(page.offset, page.offset + page.limit) : [...items]),
})
