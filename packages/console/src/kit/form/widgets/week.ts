/** Half hours of a week. Cells are numbered 0 to 47 per day; rows are Monday to Sunday. Pure. */

export const weekDays = [1, 2, 3, 4, 5, 6, 0] as const
export const cellsADay = 48
/** `true` for selected half hours: seven rows, Monday first. */
export type Week = readonly (readonly boolean[])[]
export interface DayPeriod {
  id: number
  value: string
}

export const emptyWeek = (): Week => weekDays.map(() => Array<boolean>(cellsADay).fill(false))
export const fullWeek = (): Week => weekDays.map(() => Array<boolean>(cellsADay).fill(true))

/** `HH:mm` of the start of a cell; the end of the last one is `00:00`. */
export function timeOf(cell: number): string {
  const minutes = (cell % cellsADay) * 30
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${minutes % 60 === 0 ? '00' : '30'}`
}

const cellOf = (time: string): number => {
  const [hour = '0', minute = '0'] = time.trim().split(':')
  return Number(hour) * 2 + (Number(minute) >= 30 ? 1 : 0)
}

/** Ranges `HH:mm~HH:mm` of a day, joined by `、`. */
export function rangesOf(day: readonly boolean[]): string {
  const out: string[] = []
  let start = -1
  for (let cell = 0; cell <= cellsADay; cell++) {
    const on = day[cell] === true
    if (on && start < 0) start = cell
    if (!on && start >= 0) {
      out.push(`${timeOf(start)}~${timeOf(cell)}`)
      start = -1
    }
  }
  return out.join('、')
}

export function readWeek(value: unknown): Week {
  const entries = Array.isArray(value) ? (value as DayPeriod[]) : []
  return weekDays.map((id) => {
    const text = String(entries.find((entry) => Number(entry?.id) === id)?.value ?? '')
    const day = Array<boolean>(cellsADay).fill(false)
    for (const range of text.split('、').filter((part) => part.includes('~'))) {
      const [from = '', to = ''] = range.split('~')
      const end = cellOf(to) || cellsADay
      day.fill(true, Math.min(cellOf(from), cellsADay), Math.min(end, cellsADay))
    }
    return day
  })
}

/** All seven days; an empty list without a selection. */
export function writeWeek(week: Week): DayPeriod[] {
  const days = weekDays.map((id, row) => ({ id, value: rangesOf(week[row] ?? []) }))
  return days.some((day) => day.value !== '') ? days : []
}

export interface Cell {
  day: number
  cell: number
}

/** The week with the rectangle between two cells set. */
export function painted(week: Week, from: Cell, to: Cell, on: boolean): Week {
  const between = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b)
  return week.map((day, row) =>
    between(row, from.day, to.day) ? day.map((old, at) => (between(at, from.cell, to.cell) ? on : old)) : day,
  )
}
