/** How wide columns are, and which of them have room. Pure; lengths are in pixels. */
import type { Column, ColumnRules } from './columns.ts'

const widths: Readonly<Record<string, number>> = { boolean: 80, datetime: 160 }
/** A tick box or the button that unfolds a row. */
const boxSize = 36

/** What is left of a wish where a table is as narrow as it gets. */
const leastPart = 0.65
/** The first column names what a row is about: it gives way least. */
const leastPartOfName = 0.8
/** A column that wishes for little holds something of a known length, a state or a time, and hardly gives way. */
const little = 130
const leastLittle = 112

/** What decides about widths beside the columns themselves. */
interface Widths extends Pick<ColumnRules, 'shown' | 'hideFirst'> {
  nameColumn?: string
  /** When it happened: what a log is read for, and the last that goes. */
  mobileTime?: string
  selectable?: boolean
  expand?: unknown
  /** Pixels the rows' own buttons take. */
  acts?: number
}

/** Room a head needs: a letter of Chinese or Japanese is as wide as two others. */
function headRoom(column: Column): number {
  const letters = [...column.label].reduce((sum, letter) => sum + (letter > '\u2e80' ? 2 : 1), 0)
  const more = (column.sortable ? 16 : 0) + (column.spec.help ? 20 : 0)
  return letters * 6.5 + 20 + more
}

/**
 * The narrowest the table gets, and what share of its whole width each column takes in `room` pixels; the first one has
 * what is left. Where there is more room than they wish all grow alike; where there is less, each gives way as far as it
 * can, which is not below its head.
 */
export function sharesOf(
  columns: readonly Column[],
  rules: Widths,
  room?: number,
): { narrowest: number; share: Map<string, number> } {
  const first = rules.nameColumn ?? 'name'
  const sized = columns.map((column) => {
    const asked = column.spec.width ?? (column.name === first ? 240 : (widths[column.info?.type ?? ''] ?? 150))
    if (column.name === first) return { column, wish: asked, least: asked * leastPartOfName }
    const head = headRoom(column)
    return {
      column,
      wish: Math.max(asked, head),
      least: Math.max(head, asked <= little ? Math.min(asked, leastLittle) : asked * leastPart),
    }
  })
  const sum = (of: 'wish' | 'least') => sized.reduce((all, one) => all + one[of], 0)
  const boxes = (rules.selectable === false ? 0 : boxSize) + (rules.expand ? boxSize : 0) + (rules.acts ?? 0)
  const narrowest = Math.ceil(boxes + sum('least'))
  const whole = Math.max(room ?? boxes + sum('wish'), narrowest)
  const left = whole - boxes
  const given = Math.max(0, sum('wish') - left) / Math.max(1, sum('wish') - sum('least'))
  const grown = Math.max(1, left / sum('wish'))
  const share = sized
    .filter(({ column }) => column.name !== first)
    .map(({ column, wish, least }) => [column.name, ((wish - (wish - least) * given) * grown) / whole] as const)
  return { narrowest, share: new Map(share) }
}

/** As many of the default columns as `room` holds without scrolling: the spare ones go first, then from the last. */
export function fitting(
  columns: readonly Column[],
  rules: Widths & Pick<ColumnRules, 'fixed'>,
  room: number,
): Column[] {
  const stay = new Set([rules.nameColumn ?? 'name', ...(rules.fixed ?? [])])
  const inTurn = [...new Set([...(rules.hideFirst ?? []), ...rules.shown.toReversed()])].filter(
    (name) => !stay.has(name),
  )
  const leaving = inTurn.toSorted((one, other) => Number(one === rules.mobileTime) - Number(other === rules.mobileTime))
  let left = [...columns]
  for (const name of leaving) {
    if (sharesOf(left, rules).narrowest <= room) break
    left = left.filter((column) => column.name !== name)
  }
  return left
}
