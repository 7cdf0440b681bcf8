import { fit, textWidth } from './text-width.ts'

export interface Column {
  title: string
  /** Share of the width that remains after all minimum widths. */
  weight: number
  least: number
}

/**
 * Draws a table in exactly `width` cells; columns share the remaining width by weight and never exceed their content.
 */
export function drawTable(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const wanted = columns.map((column, at) =>
    Math.max(column.least, textWidth(column.title), ...rows.map((row) => textWidth(row[at] ?? ''))),
  )
  const room = width - 3 * (columns.length - 1) - 1
  const least = columns.map((column, at) => Math.min(column.least, wanted[at] ?? 0))
  const weights = columns.reduce((sum, column) => sum + column.weight, 0) || 1
  const spare = Math.max(0, room - least.reduce((sum, cells) => sum + cells, 0))
  const cells = columns.map((column, at) =>
    Math.min(wanted[at] ?? 0, (least[at] ?? 0) + Math.floor((spare * column.weight) / weights)),
  )
  // Width that short columns do not need goes to those that were cut.
  let left = room - cells.reduce((sum, count) => sum + count, 0)
  for (let at = 0; at < cells.length && left > 0; at += 1) {
    const more = Math.min(left, (wanted[at] ?? 0) - (cells[at] ?? 0))
    if (more > 0) {
      cells[at] = (cells[at] ?? 0) + more
      left -= more
    }
  }
  const line = (values: readonly string[]) => ` ${cells.map((count, at) => fit(values[at] ?? '', count)).join(' | ')}`
  const rule = `-${cells.map((count) => '-'.repeat(count)).join('-+-')}`
  return [line(columns.map((column) => column.title)), rule, ...rows.map(line)]
}
