/** The rows of an import: sent and failed rows with errors; all cells can be edited. */
import { Progress, Segmented, Table } from 'antd'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Pager } from '../Pager.tsx'
import { number } from '../row.ts'
import { Status } from '../status.tsx'
import { t } from '../text.ts'
import { cellNotation, type ImportColumn, type ImportRow, shownText } from './import.ts'
import { type ImportTask, type Kind, kindOf, previewSize } from './import-task.ts'

type Shown = 'all' | Kind
const masked = '******'

export function ImportPreview({ task }: { task: ImportTask }) {
  useSyncExternalStore(task.subscribe, task.version)
  const [shown, setShown] = useState<Shown>('all')
  const [page, setPage] = useState(1)
  const running = task.phase() === 'started'
  const { failed } = task.counts
  const rows = shown === 'all' ? task.rows : task.rows.filter((row) => isOf(row, shown))
  // While it runs, shows the page being sent; afterwards the failed rows.
  const sending = Math.floor(task.current() / previewSize) + 1
  const at = running && shown === 'all' ? sending : Math.min(page, Math.max(1, Math.ceil(rows.length / previewSize)))
  const done = task.phase() === 'done'
  // Only when a run ends, so that a row does not disappear while it is edited.
  useEffect(() => {
    if (!done) return
    setShown(task.counts.failed > 0 ? 'error' : 'all')
    setPage(1)
  }, [done, task])
  const kinds = [
    ['all', t('importAll'), task.rows.length],
    ['ok', t('importOk'), task.counts.ok],
    ['error', t('importFailed'), failed],
    ['pending', t('importPending'), task.counts.pending],
  ] as const
  return (
    <>
      <div className="import-state">
        <Segmented
          aria-label={t('importShown')}
          value={shown}
          onChange={(next) => {
            setShown(next)
            setPage(1)
          }}
          options={kinds.map(([value, label, count]) => ({ value, label: `${label} ${number(count)}` }))}
        />
        <Progress percent={task.progress()} status="normal" aria-label={t('importProgress')} />
      </div>
      <Table<ImportRow>
        className="import-rows"
        rowKey="index"
        size="small"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={rows.slice((at - 1) * previewSize, at * previewSize)}
        columns={[
          {
            key: 'row',
            width: 56,
            align: 'right',
            fixed: 'left',
            title: t('importRow'),
            render: (_, row) => <span className="muted">{number(row.index + 1)}</span>,
          },
          {
            key: 'state',
            width: 160,
            fixed: 'left',
            title: t('importState'),
            render: (_, row) => <RowStatus row={row} />,
          },
          ...task.columns().map((column) => ({
            key: column.field,
            title: column.label,
            width: column.width,
            render: (_: unknown, row: ImportRow) => (
              <EditableCell
                column={column}
                row={row}
                locked={running || row.state === 'ok'}
                onEdit={(text) => task.edit(row.index, column, text)}
              />
            ),
          })),
        ]}
      />
      {rows.length > previewSize && (
        <div className="gap-above">
          <Pager page={at} size={previewSize} total={rows.length} onChange={setPage} />
        </div>
      )}
    </>
  )
}

/** Failed rows stay in the failed filter until the server accepts them. */
const isOf = ({ state, refused }: ImportRow, kind: Kind): boolean =>
  kind === 'error' ? refused !== undefined : kindOf(state) === kind

function RowStatus({ row: { state, typed } }: { row: ImportRow }) {
  if (typeof state === 'object') {
    return (
      <span className="clip" title={state.text}>
        <Status is="danger">{state.text}</Status>
      </span>
    )
  }
  if (state === 'ok') return <Status is="ok">{t('importOk')}</Status>
  return typed ? <Status is="info">{t('importChanged')}</Status> : <Status is="idle">{t('importPending')}</Status>
}

function EditableCell({
  column,
  row,
  locked,
  onEdit,
}: {
  column: ImportColumn
  row: ImportRow
  locked: boolean
  onEdit: (text: string) => void
}) {
  const [editing, setEditing] = useState(false)
  const text = shownText(row, column.field)
  const begun = row.typed?.[column.field] ?? cellNotation(row.values[column.field])
  const refused = row.refused?.fields.includes(column.field)
  const look = refused ? 'edit-cell clip refused' : 'edit-cell clip'
  if (!editing) {
    const seen = column.secret && text ? masked : text
    return (
      <button
        type="button"
        className={look}
        disabled={locked}
        title={seen}
        aria-label={`${column.label}: ${seen}`}
        onClick={() => setEditing(true)}
      >
        {seen || '–'}
      </button>
    )
  }
  return (
    <input
      className={look}
      // biome-ignore lint/a11y/noAutofocus: the cell was just clicked to be edited
      autoFocus
      aria-label={column.label}
      defaultValue={begun}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key !== 'Escape') return
        // Leaves the cell, not the dialog.
        event.stopPropagation()
        event.currentTarget.value = begun
        event.currentTarget.blur()
      }}
      onBlur={(event) => {
        setEditing(false)
        if (event.target.value !== begun) onEdit(event.target.value)
      }}
    />
  )
}
