/** Column widths and visible columns. Pure; lengths in pixels. */
import type { Column, ColumnRules } from './columns.ts'

const widths: Readonly<Record<string, number>> = { boolean: 80, datetime: 160 }
/** A checkbox or the expand button. */
const boxSize = 36

/** Minimum share of the preferred width in the narrowest table. */
const leastPart = 0.65
/** The first column names the row: it shrinks least. */
const leastPartOfName = 0.8
/** Columns with a small preferred width contain values of known length (status, time) and hardly shrink. */
const little = 130
const leastLittle = 112

/** Further inputs of the widths. */
interface Widths extends Pick<ColumnRules, 'shown' | 'hideFirst'> {
  nameColumn?: string
  /** Time column: the most important one of a log, dropped last. */
  timeColumn?: string
  selectable?: boolean
  expands?: boolean
  /** Width of the row buttons in pixels. */
  acts?: number
}

/** Width of a header text: a Chinese or Japanese character is as wide as two letters. */
function headRoom(column: Column): number {
  const letters = [...column.label].reduce((sum, letter) => sum + (letter > '\u2e80' ? 2 : 1), 0)
  const more = (column.sortable ? 16 : 0) + (column.spec.help ? 20 : 0)
  return letters * 6.5 + 20 + more
}

/**
 * The minimum table width, and the share of each column in `room` pixels; the first column takes the rest. With more
 * width than preferred, all grow proportionally; with less, each shrinks as far as possible, but not below its header.
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
  const boxes = (rules.selectable === false ? 0 : boxSize) + (rules.expands ? boxSize : 0) + (rules.acts ?? 0)
  const narrowest = Math.ceil(boxes + sum('least'))
  const total = Math.max(room ?? boxes + sum('wish'), narrowest)
  const left = total - boxes
  const given = Math.max(0, sum('wish') - left) / Math.max(1, sum('wish') - sum('least'))
  const grown = Math.max(1, left / sum('wish'))
  const share = sized
    .filter(({ column }) => column.name !== first)
    .map(({ column, wish, least }) => [column.name, ((wish - (wish - least) * given) * grown) / total] as const)
  return { narrowest, share: new Map(share) }
}

/**
 * The default columns that fit in `room` without scrolling: hideFirst columns are dropped first, then the last ones.
 */
export function fitting(
  columns: readonly Column[],
  rules: Widths & Pick<ColumnRules, 'fixed'>,
  room: number,
): Column[] {
  const stay = new Set([rules.nameColumn ?? 'name', ...(rules.fixed ?? [])])
  const inTurn = [...new Set([...(rules.hideFirst ?? []), ...rules.shown.toReversed()])].filter(
    (name) => !stay.has(name),
  )
  const leaving = inTurn.toSorted((one, other) => Number(one === rules.timeColumn) - Number(other === rules.timeColumn))
  let left = [...columns]
  for (const name of leaving) {
    if (sharesOf(left, rules).narrowest <= room) break
    left = left.filter((column) => column.name !== name)
  }
  return left
}
