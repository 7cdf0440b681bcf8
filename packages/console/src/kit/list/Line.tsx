import { type MouseEvent, memo, type RefObject } from 'react'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import type { Column } from './columns.ts'
import { cellClass, content, nameOf } from './content.tsx'
import type { List } from './controller.ts'
import { setHoveredRow } from './hovered-row.ts'
import { RowActions } from './RowActions.tsx'
import { moveByKey } from './row-keys.ts'

/** Narrow columns before those of the row itself: the box to tick, the button that unfolds. */
const boxesOf = (spec: List['spec']): number => Number(spec.selectable !== false) + Number(Boolean(spec.expand))

/** The list as it is now, for rows that are drawn once and asked later. */
type Latest = RefObject<List>

interface LineProps {
  latest: Latest
  spec: List['spec']
  columns: readonly Column[]
  row: Row
  selected: boolean
  open: boolean
  toggle: (id: string) => void
  /** Whether its end is a place for buttons. */
  acting: boolean
  touch: boolean
  go: (to: string) => unknown
}

/** One row; drawn again only when something of its own changes. */
export const Line = memo(function Line({
  latest,
  spec,
  columns,
  row,
  selected,
  open,
  toggle,
  acting,
  touch,
  go,
}: LineProps) {
  const list = latest.current
  const may = list.maySelect(row)
  const name = nameOf(row, spec)
  const tone = spec.tone?.(row)
  const pick = (on: boolean) => latest.current.select([row], on)
  /** Where rows are there to be chosen, the whole row is the box to tick. */
  const byClick = ({ target }: MouseEvent) => {
    if (may && !(target as Element).closest('.box, a, button')) pick(!selected)
  }
  return (
    <>
      <tr
        data-row-key={row.id}
        className={[selected ? 'selected' : '', tone ? `tone-${tone}` : ''].join(' ').trim() || undefined}
        // Not when it is entered: the row under a resting pointer becomes another one when the page is turned.
        onMouseOver={() => setHoveredRow(row.id)}
        onMouseLeave={() => setHoveredRow('')}
        onFocus={() => setHoveredRow(row.id)}
        onKeyDown={moveByKey}
        onClick={spec.picking && byClick}
      >
        {spec.selectable !== false && (
          <td>
            <input
              type="checkbox"
              className="box"
              aria-label={t('selectRow', { name })}
              checked={selected}
              disabled={!may}
              onChange={(event) => pick(event.target.checked)}
            />
          </td>
        )}
        {spec.expand && (
          <td>
            <button
              type="button"
              className="expander"
              aria-expanded={open}
              aria-label={t('detailsOf', { name })}
              onClick={() => toggle(row.id)}
            >
              {open ? '−' : '+'}
            </button>
          </td>
        )}
        {columns.map((column) => (
          <td key={column.name} className={cellClass(column)}>
            {content(list, column, row)}
          </td>
        ))}
        {acting && (
          <td className="actions">
            <RowActions list={list} row={row} touch={touch} go={go} />
          </td>
        )}
      </tr>
      {open && (
        <tr key={row.id} className="expanded">
          <td colSpan={columns.length + boxesOf(spec) + Number(acting)}>{spec.expand?.(row)}</td>
        </tr>
      )}
    </>
  )
})
