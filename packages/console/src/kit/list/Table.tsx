/** The rows: a table where there is room, cards where there is not. Plain elements, so that a hundred rows cost little. */
import { Checkbox } from 'antd'
import { Info } from 'lucide-react'
import {
  Fragment,
  isValidElement,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router'
import { AccountOf, Connectivity, drawCell, Labels, Mono, NameCell, Named, Protocols, Time, Words } from '../cells.tsx'
import { useMedia, useNarrow } from '../media.ts'
import { at, type Row, wordOf } from '../row.ts'
import { Dot, Status, Tick } from '../status.tsx'
import { t } from '../text.ts'
import { CellTips } from './CellTip.tsx'
import type { Column } from './columns.ts'
import type { List } from './controller.ts'
import { setHotRow } from './hot-row.ts'
import { RowActions } from './RowActions.tsx'
import { useRecycledKeys } from './recycled.ts'
import { moveByKey } from './row-keys.ts'
import { nextOrder } from './state.ts'
import { sharesOf } from './widths.ts'

/** What draws a value and remembers nothing. */
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

/** What a screen draws itself may remember something, a secret shown for instance: that never passes to another row. */
function own(drawn: ReactNode, row: Row): ReactNode {
  const remembers = isValidElement(drawn) ? !plain.has(drawn.type) : typeof drawn === 'object' && drawn !== null
  return remembers ? <Fragment key={row.id}>{drawn}</Fragment> : drawn
}

function content(list: List, column: Column, row: Row, second = list.spec.second?.(row)): ReactNode {
  const { spec } = list
  if (column.name === (spec.nameColumn ?? 'name')) {
    const fallback = spec.path && list.rights.view ? `${spec.path}/${row.id}` : undefined
    return NameCell({
      icon: spec.icon?.(row),
      name: column.spec.render ? column.spec.render(row) : wordOf(at(row, column.name)) || '–',
      second,
      href: spec.link ? spec.link(row) : fallback,
    })
  }
  if (column.spec.render) return own(column.spec.render(row), row)
  return drawCell(row, column.name, column.info, column.spec.falseWord)
}

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

/** Narrow columns before those of the row itself: the box to tick, the button that unfolds. */
const boxesOf = (spec: List['spec']): number => Number(spec.selectable !== false) + Number(Boolean(spec.expand))

const percent = (share?: number) => share && `${(share * 100).toFixed(2)}%`

/** The list as it is now, for rows that are drawn once and asked later. */
type Latest = RefObject<List>

function RowTable({ list }: { list: List }) {
  const { spec, shown } = list
  const go = useNavigate()
  const touch = useMedia('(hover: none)')
  const latest = useRef(list)
  latest.current = list
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const keys = useRecycledKeys(list.rows)
  const { narrowest, share } = sharesOf(shown, list.rules, list.room)
  const { acts } = list.rules
  const toggle = useRef((id: string) =>
    setOpen((old) => {
      const next = new Set(old)
      if (!next.delete(id)) next.add(id)
      return next
    }),
  ).current
  return (
    <div className="table-scroll">
      <table className="list-table" style={{ minWidth: narrowest }}>
        <colgroup>
          {spec.selectable !== false && <col className="narrow" />}
          {spec.expand && <col className="narrow" />}
          {shown.map((column) => (
            // Shares, not pixels: columns give way together before the table scrolls. The first has what is left.
            <col key={column.name} style={{ width: percent(share.get(column.name)) }} />
          ))}
          {acts > 0 && <col style={{ width: acts }} />}
        </colgroup>
        <thead>
          <tr>
            {spec.selectable !== false && (
              <th>
                <AllBox list={list} />
              </th>
            )}
            {spec.expand && (
              <th>
                <span className="unseen">{t('details')}</span>
              </th>
            )}
            {shown.map((column) => (
              <Head key={column.name} list={list} column={column} />
            ))}
            {acts > 0 && (
              <th className="actions">
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

const cellClass = (column: Column): string | undefined =>
  [column.spec.align === 'right' ? 'num' : '', column.spec.mono ? 'mono' : ''].join(' ').trim() || undefined

/** A column's head. One that can be sorted by is the button itself. */
function Head({ list, column }: { list: List; column: Column }) {
  const { state } = list
  const { help } = column.spec
  const order = state.order || list.usualOrder
  const sort = order === column.name ? 'ascending' : order === `-${column.name}` ? 'descending' : 'none'
  const turn = () => list.change({ ...state, page: 1, order: nextOrder(state.order, column.name, list.usualOrder) })
  const sorting = column.sortable && {
    'aria-sort': sort as 'ascending' | 'descending' | 'none',
    tabIndex: 0,
    onClick: turn,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') turn()
    },
  }
  return (
    <th title={help} className={cellClass(column)} {...sorting}>
      {column.label}
      {column.sortable && (sort === 'ascending' ? ' ↑' : sort === 'descending' ? ' ↓' : '')}
      {help && <Info size={12} aria-hidden className="column-help" />}
    </th>
  )
}

/** Ticks the rows of this page, and says whether some or all of them are. */
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
const Line = memo(function Line({ latest, spec, columns, row, selected, open, toggle, acting, touch, go }: LineProps) {
  const list = latest.current
  const may = list.maySelect(row)
  const name = wordOf(at(row, spec.nameColumn ?? 'name'))
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
        onMouseOver={() => setHotRow(row.id)}
        onMouseLeave={() => setHotRow('')}
        onFocus={() => setHotRow(row.id)}
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

/** At 390 px a row is a card: name, one line under it, its state, its menu. */
function Cards({ list }: { list: List }) {
  const { spec } = list
  const go = useNavigate()
  const touch = useMedia('(hover: none)')
  const first = list.columns.find((column) => column.name === (spec.nameColumn ?? 'name'))
  // What the card says of its state it does not say twice; a number or a tick without its head says nothing.
  const others = list.shown
    .filter((column) => column.name !== first?.name && column.spec.render !== (spec.state ?? null))
    .filter((column) => column.spec.align !== 'right' && column.info?.type !== 'boolean')
    .slice(0, 2)
  const line = (row: Row) =>
    spec.line?.(row) ??
    spec.second?.(row) ??
    others.map((column) => <span key={column.name}>{content(list, column, row)}</span>)
  return (
    <div className="cards">
      {list.rows.map((row) => (
        <div className="m-card" key={row.id}>
          {spec.selectable !== false && (
            <Checkbox
              checked={list.isSelected(row)}
              disabled={!list.maySelect(row)}
              onChange={(event) => list.select([row], event.target.checked)}
              aria-label={t('selectRow', { name: wordOf(row.name) })}
            />
          )}
          <div className="grow">{first && content(list, first, row, line(row))}</div>
          {(spec.state || spec.moment) && (
            <div className="end">
              {spec.state?.(row)}
              {spec.moment && <Time value={at(row, spec.moment)} />}
            </div>
          )}
          {!spec.picking && <RowActions list={list} row={row} touch={touch} go={go} />}
        </div>
      ))}
    </div>
  )
}
