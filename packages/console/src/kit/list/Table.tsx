/** The rows: a table where there is room, cards where there is not. */
import { Checkbox, Table, type TableColumnType } from 'antd'
import { Info } from 'lucide-react'
import { type ComponentProps, createContext, type KeyboardEvent, type ReactNode, useContext } from 'react'
import { Cell, NameCell } from '../cells.tsx'
import { useNarrow } from '../media.ts'
import { at, type Row, wordOf } from '../row.ts'
import { t } from '../text.ts'
import { CellTips } from './CellTip.tsx'
import type { Column } from './columns.ts'
import type { List } from './controller.ts'
import { setHotRow } from './hot-row.ts'
import { RowActions } from './RowActions.tsx'
import { moveByKey } from './row-keys.ts'
import { nextOrder } from './state.ts'

const widths: Readonly<Record<string, number>> = { boolean: 96, datetime: 130 }

function content(list: List, column: Column, row: Row): ReactNode {
  const { spec } = list
  if (column.name === (spec.nameColumn ?? 'name')) {
    const fallback = spec.path && list.rights.view ? `${spec.path}/${row.id}` : undefined
    return (
      <NameCell
        icon={spec.icon?.(row)}
        name={column.spec.render ? column.spec.render(row) : wordOf(at(row, column.name)) || '–'}
        second={spec.second?.(row)}
        href={spec.link ? spec.link(row) : fallback}
      />
    )
  }
  if (column.spec.render) return column.spec.render(row)
  return <Cell row={row} name={column.name} info={column.info} falseWord={column.spec.falseWord} />
}

/** A sortable head is the button itself: a copy of it that the table measures with must hold nothing to focus. */
function sorting(list: List, column: Column) {
  const { state } = list
  const order = state.order || list.spec.order || ''
  const sort = order === column.name ? 'ascending' : order === `-${column.name}` ? 'descending' : 'none'
  const turn = () => list.change({ ...state, page: 1, order: nextOrder(state.order, column.name) })
  const mark = sort === 'ascending' ? ' ↑' : sort === 'descending' ? ' ↓' : ''
  return {
    title: column.label + mark,
    cell: {
      'aria-sort': sort as 'ascending' | 'descending' | 'none',
      tabIndex: 0,
      onClick: turn,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Enter') turn()
      },
    },
  }
}

/** True inside the head one sees, false in the hidden copy that the table measures its columns with. */
const Seen = createContext(false)

/** Nothing to focus and nothing to read may stand in that copy. */
function Head({ children }: { children: ReactNode }) {
  return useContext(Seen) ? children : null
}

/** A column's name; an icon says that there is more to know, which its head tells. */
function Title({ text, help }: { text: string; help?: string }) {
  if (!help) return text
  return (
    <>
      {text} <Info size={12} aria-hidden className="column-help" />
    </>
  )
}

const components = {
  header: {
    wrapper: (props: ComponentProps<'thead'>) => (
      <Seen value={true}>
        <thead {...props} />
      </Seen>
    ),
  },
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

/** Where rows are there to be chosen, the whole row is the box to tick. */
function pickByClick(list: List, row: Row, target: Element): void {
  if (list.maySelect(row) && !target.closest('.ant-table-selection-column, a, button'))
    list.select([row], !list.isSelected(row))
}

function RowTable({ list }: { list: List }) {
  const { spec } = list
  const first = spec.nameColumn ?? 'name'
  const wish = (column: Column): number =>
    column.spec.width ?? (column.name === first ? 240 : (widths[column.info?.type ?? ''] ?? 150))
  const wished = list.shown.reduce((sum, column) => sum + wish(column), 0)
  const columns: TableColumnType<Row>[] = list.shown.map((column) => ({
    key: column.name,
    title: <Title text={column.sortable ? sorting(list, column).title : column.label} help={column.spec.help} />,
    // Shares, not pixels: columns give way together before the table scrolls.
    width: `${((wish(column) / wished) * 84).toFixed(2)}%`,
    align: column.spec.align,
    className:
      [column.spec.align === 'right' ? 'num' : '', column.spec.mono ? 'mono' : ''].join(' ').trim() || undefined,
    ellipsis: column.name === first ? undefined : { showTitle: false },
    onHeaderCell: () => ({ title: column.spec.help, ...(column.sortable ? sorting(list, column).cell : {}) }),
    render: (_, row) => content(list, column, row),
  }))
  if (!spec.picking)
    columns.push({
      key: 'actions',
      title: (
        <Head>
          <span className="unseen">{t('actions')}</span>
        </Head>
      ),
      width: 116,
      className: 'actions',
      fixed: 'right',
      render: (_, row) => <RowActions list={list} row={row} />,
    })
  const selectable = spec.selectable !== false
  return (
    <Table<Row>
      rowKey="id"
      size="small"
      tableLayout="fixed"
      pagination={false}
      columns={columns}
      dataSource={list.rows}
      components={components}
      scroll={{ x: Math.round(152 + wished * 0.65) }}
      onRow={(row) => ({
        onMouseEnter: () => setHotRow(row.id),
        onMouseLeave: () => setHotRow(''),
        onFocus: () => setHotRow(row.id),
        onKeyDown: moveByKey,
        onClick: spec.picking && ((event) => pickByClick(list, row, event.target as Element)),
      })}
      rowClassName={(row) => (spec.tone?.(row) ? `tone-${spec.tone(row)}` : '')}
      expandable={
        spec.expand
          ? {
              expandedRowRender: spec.expand,
              columnWidth: 36,
              columnTitle: (
                <Head>
                  <span className="unseen">{t('details')}</span>
                </Head>
              ),
            }
          : undefined
      }
      rowSelection={
        selectable
          ? {
              columnWidth: 36,
              columnTitle: (box) => <Head>{box}</Head>,
              selectedRowKeys: list.selected.map((row) => row.id),
              preserveSelectedRowKeys: true,
              onSelect: (row, on) => list.select([row], on),
              onSelectAll: (on) => list.select(list.rows.filter(list.maySelect), on),
              getCheckboxProps: (row) => ({
                'aria-label': t('selectRow', { name: wordOf(at(row, first)) }),
                disabled: !list.maySelect(row),
              }),
            }
          : undefined
      }
    />
  )
}

/** At 390 px a row is a card: name, one line under it, its state, its menu. */
function Cards({ list }: { list: List }) {
  const { spec } = list
  const first = list.columns.find((column) => column.name === (spec.nameColumn ?? 'name'))
  const others = list.shown.filter((column) => column.name !== first?.name).slice(0, 2)
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
          <div className="grow">
            {first && content(list, first, row)}
            {!spec.second && (
              <small>
                {others.map((column) => (
                  <span key={column.name}>{content(list, column, row)}</span>
                ))}
              </small>
            )}
          </div>
          {spec.state && <div className="end">{spec.state(row)}</div>}
          <RowActions list={list} row={row} />
        </div>
      ))}
    </div>
  )
}
