/** Rows as a table on wide screens and as cards on narrow ones. Plain elements, so that a hundred rows render fast. */
import { Info } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useMedia, useNarrow } from '../../browser/media.ts'
import { nounFor, t } from '../text.ts'
import { Cards } from './Cards.tsx'
import { CellTips } from './CellTip.tsx'
import type { Column } from './columns.ts'
import { cellClass } from './content.tsx'
import type { List } from './controller.ts'
import { useDensity } from './density.ts'
import { Line } from './Line.tsx'
import { useRecycledKeys } from './recycled.ts'
import { nextOrder } from './state.ts'
import { sharesOf } from './widths.ts'

export function Rows({ list }: { list: List }) {
  const narrow = useNarrow()
  return narrow ? (
    <Cards list={list} />
  ) : (
    <CellTips>
      <RowTable list={list} />
    </CellTips>
  )
}

const percent = (share?: number) => share && `${(share * 100).toFixed(2)}%`

function RowTable({ list }: { list: List }) {
  const { spec, shown } = list
  const go = useNavigate()
  const touch = useMedia('(hover: none)')
  const compact = useDensity() === 'compact'
  const latest = useRef(list)
  latest.current = list
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const keys = useRecycledKeys(list.rows)
  const { narrowest, share } = sharesOf(shown, list.widths, list.room)
  const { acts } = list.widths
  const toggle = useRef((id: string) =>
    setOpen((old) => {
      const next = new Set(old)
      if (!next.delete(id)) next.add(id)
      return next
    }),
  ).current
  return (
    <div className={compact ? 'table-scroll compact' : 'table-scroll'}>
      <table className="list-table" aria-label={nounFor(spec.noun, list.total)} style={{ minWidth: narrowest }}>
        <colgroup>
          {spec.selectable && <col className="narrow" />}
          {spec.row.details && <col className="narrow" />}
          {shown.map((column) => (
            // Percentages instead of pixels: columns shrink together before the table scrolls. The first column takes
            // the rest.
            <col key={column.name} style={{ width: percent(share.get(column.name)) }} />
          ))}
          {acts > 0 && <col style={{ width: acts }} />}
        </colgroup>
        <thead>
          <tr>
            {spec.selectable && (
              <th>
                <AllBox list={list} />
              </th>
            )}
            {spec.row.details && (
              <th>
                <span className="unseen">{t('details')}</span>
              </th>
            )}
            {shown.map((column) => (
              <Head key={column.name} list={list} column={column} />
            ))}
            {acts > 0 && (
              <th className="actions" data-column="actions">
                <span className="unseen">{t('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {list.rows.map((row) => (
            <Line
              key={keys.get(row.id)}
              latest={latest}
              spec={spec}
              columns={shown}
              row={row}
              selected={list.isSelected(row)}
              open={open.has(row.id)}
              toggle={toggle}
              acting={acts > 0}
              touch={touch}
              go={go}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Column header; a button if the column can be sorted. */
function Head({ list, column }: { list: List; column: Column }) {
  const { state } = list
  const { help } = column.spec
  const order = state.order || list.usualOrder
  const sort = order === column.name ? 'ascending' : order === `-${column.name}` ? 'descending' : 'none'
  const turn = () => list.change({ ...state, page: 1, order: nextOrder(state.order, column.name, list.usualOrder) })
  const label = (
    <>
      {column.label}
      {column.sortable && sort !== 'none' && <span aria-hidden>{sort === 'ascending' ? ' ↑' : ' ↓'}</span>}
      {help && <Info size={12} aria-hidden className="column-help" />}
    </>
  )
  return (
    <th
      data-column={column.name}
      title={help}
      className={cellClass(column)}
      aria-sort={column.sortable ? sort : undefined}
    >
      {column.sortable ? (
        <button type="button" onClick={turn}>
          {label}
        </button>
      ) : (
        label
      )}
    </th>
  )
}

/** Selects the rows of this page, and shows whether some or all are selected. */
function AllBox({ list }: { list: List }) {
  const box = useRef<HTMLInputElement>(null)
  const rows = list.rows.filter(list.maySelect)
  const count = rows.filter(list.isSelected).length
  const some = count > 0 && count < rows.length
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <input
      ref={box}
      type="checkbox"
      className="box"
      aria-label={t('selectAll')}
      checked={count > 0 && !some}
      disabled={rows.length === 0}
      onChange={(event) => list.select(rows, event.target.checked)}
    />
  )
}
