import { type MouseEvent, memo, type RefObject } from 'react'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import type { Column } from './columns.ts'
import { cellClass, content, nameOf } from './content.tsx'
import type { List } from './controller.ts'
import { setHoveredRow } from './hovered-row.ts'
import { RowActions } from './RowActions.tsx'
import { moveByKey } from './row-keys.ts'

/** Narrow columns before the row's own: the checkbox and the expand button. */
const boxesOf = (spec: List['spec']): number => Number(spec.selectable) + Number(Boolean(spec.row.details))

/** The current state of the list, for rows that render once and read it later. */
type Latest = RefObject<List>

interface LineProps {
  latest: Latest
  spec: List['spec']
  columns: readonly Column[]
  row: Row
  selected: boolean
  open: boolean
  toggle: (id: string) => void
  /** Whether the row ends with a button column. */
  acting: boolean
  touch: boolean
  go: (to: string) => unknown
}

/** One row; re-rendered only if its own data changes. */
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
  const tone = spec.row.tone?.(row)
  const pick = (on: boolean) => latest.current.select([row], on)
  /** In a picker, the whole row is the checkbox. */
  const byClick = ({ target }: MouseEvent) => {
    if (may && !(target as Element).closest('.box, a, button')) pick(!selected)
  }
  return (
    <>
      <tr
        data-row-key={row.id}
        className={[selected ? 'selected' : '', tone ? `tone-${tone}` : ''].join(' ').trim() || undefined}
        // Not on enter: when the page changes, another row appears under a resting pointer.
        onMouseOver={() => setHoveredRow(row.id)}
        onMouseLeave={() => setHoveredRow('')}
        onFocus={() => setHoveredRow(row.id)}
        onKeyDown={moveByKey}
        onClick={spec.picking && byClick}
      >
        {spec.selectable && (
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
        {spec.row.details && (
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
          <td colSpan={columns.length + boxesOf(spec) + Number(acting)}>{spec.row.details?.(row)}</td>
        </tr>
      )}
    </>
  )
})
