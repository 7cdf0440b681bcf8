/** How wide columns are, and which of them have room. Pure; lengths are in pixels. */
import type { Column, ColumnRules } from './columns.ts'

const widths: Readonly<Record<string, number>> = { boolean: 96, datetime: 130 }

/** Room of the first column where a table is as narrow as it gets. */
const leastName = 120

/** What decides about widths beside the columns themselves. */
interface Widths extends Pick<ColumnRules, 'shown' | 'spare'> {
  nameColumn?: string
  rowActions?: readonly { wanted?: boolean }[]
}

/** Room a head needs: a letter of Chinese or Japanese is as wide as two others. */
function headRoom(column: Column): number {
  const letters = [...column.label].reduce((sum, letter) => sum + (letter > '\u2e80' ? 2 : 1), 0)
  const more = (column.sortable ? 16 : 0) + (column.spec.help ? 14 : 0) + (column.spec.align === 'right' ? 20 : 0)
  return letters * 7 + 22 + more
}

/** The narrowest the table gets, and what share of its whole width each column takes; the first one has what is left. */
export function sharesOf(columns: readonly Column[], rules: Widths): { narrowest: number; share: Map<string, number> } {
  const first = rules.nameColumn ?? 'name'
  const wish = (column: Column): number =>
    column.name === first
      ? (column.spec.width ?? 240)
      : Math.max(column.spec.width ?? widths[column.info?.type ?? ''] ?? 150, headRoom(column))
  const wished = columns.reduce((sum, column) => sum + wish(column), 0)
  const rest = columns.filter((column) => column.name !== first)
  const others = rest.reduce((sum, column) => sum + wish(column), 0)
  // Boxes and menu do not give way, and columns only to about two thirds of what they wish. The action most wanted has
  // room beside the menu.
  const rigid = rules.rowActions?.some((action) => action.wanted) ? 152 : 84
  const narrowest = Math.round(rigid + wished * 0.65)
  // In the narrowest table what is left still holds a name.
  const all = Math.min((0.86 * others) / wished, (narrowest - rigid - leastName) / narrowest)
  return { narrowest, share: new Map(rest.map((column) => [column.name, (wish(column) / others) * all])) }
}

/** As many of the default columns as `room` holds without scrolling: the spare ones go first, then from the last. */
export function fitting(
  columns: readonly Column[],
  rules: Widths & Pick<ColumnRules, 'fixed'>,
  room: number,
): Column[] {
  const stay = new Set([rules.nameColumn ?? 'name', ...(rules.fixed ?? [])])
  const leaving = [...new Set([...(rules.spare ?? []), ...rules.shown.toReversed()])].filter((name) => !stay.has(name))
  let left = [...columns]
  for (const name of leaving) {
    if (sharesOf(left, rules).narrowest <= room) break
    left = left.filter((column) => column.name !== name)
  }
  return left
}
