/** Ranges of dates that end now: those of shortcuts, which the next refresh moves on. They are kept while the page lives. */
import type { ListState } from './state.ts'

type Dates = Pick<ListState, 'dateFrom' | 'dateTo'>

const day = 86_400_000
const ranges = new Map<string, Dates & { days: number }>()

/** A list shows the last so many days; a range that was chosen by its days has none. */
export function slide(list: string, dates: Dates, days: number | undefined): void {
  if (days === undefined) ranges.delete(list)
  else ranges.set(list, { ...dates, days })
}

/** The same number of days up to now, where the dates that a list shows are still those of a shortcut. */
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
