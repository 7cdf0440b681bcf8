/** Date ranges that end now, from shortcuts: each refresh moves them. Stored while the page is open. */
import type { ListState } from './state.ts'

type Dates = Pick<ListState, 'dateFrom' | 'dateTo'>

const day = 86_400_000
const ranges = new Map<string, Dates & { days: number }>()

/** Number of days until now; undefined if the range was chosen by dates. */
export function slide(list: string, dates: Dates, days: number | undefined): void {
  if (days === undefined) ranges.delete(list)
  else ranges.set(list, { ...dates, days })
}

/** The same number of days until now, if the list's dates are still those of a shortcut. */
export function slid(list: string, { dateFrom, dateTo }: Dates, now = Date.now()): Dates | undefined {
  const range = ranges.get(list)
  if (!range || range.dateFrom !== dateFrom || range.dateTo !== dateTo) return undefined
  const moved = {
    dateFrom: new Date(now - range.days * day).toISOString(),
    dateTo: new Date(now).toISOString(),
  }
  slide(list, moved, range.days)
  return moved
}
