import { Checkbox } from 'antd'
import { useNavigate } from 'react-router'
import { Time } from '../cells.tsx'
import { at, type Row } from '../row.ts'
import { nounFor, t } from '../text.ts'
import { content, nameOf, secondaryLine } from './content.tsx'
import type { List } from './controller.ts'
import { RowActions } from './RowActions.tsx'

/** At 390 px a row is a card: name, one line below, status and menu. */
export function Cards({ list }: { list: List }) {
  const { spec } = list
  const go = useNavigate()
  const first = list.columns.find((column) => column.name === (spec.row.nameColumn ?? 'name'))
  // Values already shown by the status are omitted. A number or check mark without its header has no meaning.
  const others = list.shown
    .filter((column) => column.name !== first?.name && column.spec.render !== (spec.card.badge ?? null))
    .filter((column) => column.spec.align !== 'right' && column.info?.type !== 'boolean')
    .slice(0, 2)
  const line = (row: Row) =>
    spec.card.subtitle?.(row) ??
    secondaryLine(list, row, false) ??
    others.map((column) => (
      <span key={column.name} data-column={column.name}>
        {content(list, column, row)}
      </span>
    ))
  return (
    <ul className="cards" aria-label={nounFor(spec.noun, list.total)}>
      {list.rows.map((row) => (
        <li className="m-card" key={row.id}>
          {spec.selectable && (
            <Checkbox
              checked={list.isSelected(row)}
              disabled={!list.maySelect(row)}
              onChange={(event) => list.select([row], event.target.checked)}
              aria-label={t('selectRow', { name: nameOf(row, spec) })}
            />
          )}
          <div className="grow" data-column={first?.name}>
            {first && content(list, first, row, line(row))}
          </div>
          {(spec.card.badge || spec.card.time) && (
            <div className="end">
              {spec.card.badge?.(row)}
              {spec.card.time && <Time value={at(row, spec.card.time)} />}
            </div>
          )}
          {!spec.picking && <RowActions list={list} row={row} touch go={go} />}
        </li>
      ))}
    </ul>
  )
}
