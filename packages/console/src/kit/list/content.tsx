/** Content of list cells. */
import { Fragment, isValidElement, type ReactNode } from 'react'
import { AccountOf, Connectivity, drawCell, Labels, Mono, NameCell, Named, Protocols, Time, Words } from '../cells.tsx'
import { at, type Row, wordOf } from '../row.ts'
import { Dot, Status, Tick } from '../status.tsx'
import type { Column } from './columns.ts'
import type { List } from './controller.ts'
import type { CompleteListSpec } from './spec.ts'

/** The name of a row in messages. */
export const nameOf = (row: Row, spec: CompleteListSpec): string =>
  spec.row.title?.(row) ||
  wordOf(at(row, spec.row.nameColumn ?? 'name')) ||
  wordOf(row.display_name ?? row.hostname ?? row.username ?? row.id)

/** Renders a value without state. */
const plain = new Set<unknown>([
  AccountOf,
  Connectivity,
  Dot,
  Labels,
  Mono,
  Named,
  Protocols,
  Status,
  Tick,
  Time,
  Words,
])

/** Custom renderers may have state, such as a revealed secret: it must never move to another row. */
function own(drawn: ReactNode, row: Row): ReactNode {
  const remembers = isValidElement(drawn) ? !plain.has(drawn.type) : typeof drawn === 'object' && drawn !== null
  return remembers ? <Fragment key={row.id}>{drawn}</Fragment> : drawn
}

/** Text below a name. In a table only values without a column of their own. */
export function secondaryLine({ spec, shown }: List, row: Row, inTable: boolean): ReactNode {
  const { secondary } = spec.row
  if (!secondary) return undefined
  if (typeof secondary === 'function') return secondary(row)
  const field = typeof secondary === 'string' ? secondary : secondary.field
  if (inTable && shown.some(({ name }) => name === field)) return undefined
  const line = typeof secondary === 'string' ? wordOf(at(row, secondary)) : secondary.render(row)
  return line ? <span data-column={field}>{line}</span> : line
}

/** Content of a cell. The name column also has the link and a secondary line. */
export function content(list: List, column: Column, row: Row, secondary = secondaryLine(list, row, true)): ReactNode {
  const { spec } = list
  if (column.name === (spec.row.nameColumn ?? 'name')) {
    const fallback = spec.path && list.rights.view ? `${spec.path}/${row.id}` : undefined
    return NameCell({
      icon: spec.row.icon?.(row),
      name: column.spec.render ? column.spec.render(row) : wordOf(at(row, column.name)) || '–',
      secondary: secondary,
      href: spec.row.link ? spec.row.link(row) : fallback,
    })
  }
  if (column.spec.render) return own(column.spec.render(row), row)
  return drawCell(row, column.name, column.info, column.spec.falseWord)
}

export const cellClass = (column: Column): string | undefined =>
  [column.spec.align === 'right' ? 'num' : '', column.spec.mono ? 'mono' : ''].join(' ').trim() || undefined
