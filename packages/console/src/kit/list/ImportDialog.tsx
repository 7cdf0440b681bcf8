import { Button, Modal, Pagination, Progress, Segmented, Table, Upload } from 'antd'
import { UploadCloud } from 'lucide-react'
import { useRef, useState } from 'react'
import { selectionToken, withQuery } from '../api/client.ts'
import { flash } from '../flash.ts'
import { number } from '../row.ts'
import { Status } from '../status.tsx'
import { t } from '../text.ts'
import type { List } from './controller.ts'
import {
  cellText,
  type ImportMode,
  type ImportRow,
  type ImportTable,
  maximumBytes,
  parseCell,
  progress,
  type RowState,
  readFile,
  run,
} from './import.ts'

type Phase = 'choose' | 'pending' | 'started' | 'stopped' | 'done'
type Shown = 'all' | 'ok' | 'error' | 'pending'
const stateName = (state: RowState): Shown => (typeof state === 'string' ? state : 'error')

/** Choose a mode and a file, look at the rows, send them, mend what was refused, go on. */
export default function ImportDialog({ list, onClose }: { list: List; onClose: () => void }) {
  const url = typeof list.spec.importing === 'object' ? list.spec.importing.url : list.spec.url
  const [mode, setMode] = useState<ImportMode>(list.rights.add ? 'create' : 'update')
  const [phase, setPhase] = useState<Phase>('choose')
  const [table, setTable] = useState<ImportTable>({ columns: [], rows: [] })
  const [problem, setProblem] = useState('')
  const stop = useRef(false)
  const failed = table.rows.filter((row) => stateName(row.state) === 'error').length

  const open = async (file: File) => {
    if (!/\.(csv|xlsx)$/i.test(file.name) || file.size > maximumBytes) return setProblem(t('importFileRule'))
    setProblem('')
    try {
      setTable(await readFile(url, file))
      setPhase('pending')
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const setRow = (index: number, change: Partial<ImportRow>) =>
    setTable((old) => ({ ...old, rows: old.rows.map((row) => (row.index === index ? { ...row, ...change } : row)) }))
  const start = async () => {
    const again =
      phase === 'done'
        ? {
            ...table,
            rows: table.rows.map((row) =>
              stateName(row.state) === 'error' ? { ...row, state: 'pending' as const } : row,
            ),
          }
        : table
    setTable(again)
    setPhase('started')
    stop.current = false
    let errors = 0
    await run(
      url,
      mode,
      again,
      (index, state) => {
        if (stateName(state) === 'error') errors++
        setRow(index, { state })
      },
      () => stop.current,
    )
    setPhase(stop.current ? 'stopped' : 'done')
    if (errors > 0) flash.error(t('importHasErrors'))
  }
  const close = () => {
    stop.current = true
    list.reload()
    onClose()
  }
  const finished = phase === 'done' && failed === 0
  return (
    <Modal
      open
      width={phase === 'choose' ? 640 : 'min(1100px, 92vw)'}
      mask={{ closable: false }}
      title={t('importTitle')}
      onCancel={close}
      footer={
        phase === 'choose' ? null : (
          <div className="dialog-foot">
            <Button onClick={() => setPhase('choose')} disabled={phase === 'started'}>
              {t('importAnother')}
            </Button>
            <div className="grow" />
            {phase === 'started' ? (
              <Button
                onClick={() => {
                  stop.current = true
                }}
              >
                {t('importStop')}
              </Button>
            ) : (
              <Button type="primary" onClick={() => (finished ? close() : void start())}>
                {finished ? t('importFinished') : phase === 'pending' ? t('importStart') : t('importContinue')}
              </Button>
            )}
          </div>
        )
      }
    >
      {phase === 'choose' ? (
        <Choose
          list={list}
          url={url}
          mode={mode}
          onMode={setMode}
          onFile={(file) => void open(file)}
          problem={problem}
        />
      ) : (
        <Preview
          table={table}
          running={phase === 'started'}
          onEdit={(index, values) => setRow(index, { values, state: 'pending' })}
        />
      )}
    </Modal>
  )
}

function Choose({
  list,
  url,
  mode,
  onMode,
  onFile,
  problem,
}: {
  list: List
  url: string
  mode: ImportMode
  onMode: (mode: ImportMode) => void
  onFile: (file: File) => void
  problem: string
}) {
  const template = async (format: 'csv' | 'xlsx') => {
    const some = mode === 'update' && list.selected.length > 0
    const spm = some ? await selectionToken(list.selected.map((row) => row.id)) : undefined
    const name = mode === 'create' ? 'import' : 'update'
    location.assign(withQuery(url, { format, template: name, ...(some ? { spm } : { limit: 1 }) }))
  }
  return (
    <>
      <div className="field">
        <b>{t('importMode')}</b>
        <Segmented
          value={mode}
          onChange={onMode}
          options={[
            { value: 'create', label: t('importCreate'), disabled: !list.rights.add },
            { value: 'update', label: t('importUpdate'), disabled: !list.rights.change },
          ]}
        />
      </div>
      <p className="muted gap-below">
        {t('importTemplate')}{' '}
        <Button type="link" size="small" onClick={() => void template('csv')}>
          CSV
        </Button>
        <Button type="link" size="small" onClick={() => void template('xlsx')}>
          Excel
        </Button>
      </p>
      <Upload.Dragger
        accept=".csv,.xlsx"
        maxCount={1}
        showUploadList={false}
        beforeUpload={(file) => {
          onFile(file)
          return false
        }}
      >
        <UploadCloud size={24} />
        <p>{t('importDrop')}</p>
        <small className="muted">{t('importFileRule')}</small>
      </Upload.Dragger>
      {problem && (
        <p className="is-danger gap-above" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

function Preview({
  table,
  running,
  onEdit,
}: {
  table: ImportTable
  running: boolean
  onEdit: (index: number, values: Record<string, unknown>) => void
}) {
  const [shown, setShown] = useState<Shown>('all')
  const [page, setPage] = useState(1)
  const count = (kind: Shown) =>
    kind === 'all' ? table.rows.length : table.rows.filter((row) => stateName(row.state) === kind).length
  const rows = table.rows.filter((row) => shown === 'all' || stateName(row.state) === shown)
  const kinds = [
    ['all', t('importAll')],
    ['ok', t('importOk')],
    ['error', t('importFailed')],
    ['pending', t('importPending')],
  ] as const
  return (
    <>
      <div className="import-state">
        <Segmented
          value={shown}
          onChange={setShown}
          options={kinds.map(([value, label]) => ({ value, label: `${label} ${number(count(value))}` }))}
        />
        <Progress percent={progress(table.rows)} status="normal" />
      </div>
      <Table<ImportRow>
        rowKey="index"
        size="small"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={rows.slice((page - 1) * 10, page * 10)}
        columns={[
          {
            key: 'state',
            width: 130,
            fixed: 'left',
            title: t('importState'),
            render: (_, row) =>
              typeof row.state === 'object' ? (
                <span title={row.state.error}>
                  <Status is="danger">{row.state.error}</Status>
                </span>
              ) : row.state === 'ok' ? (
                <Status is="ok">{t('importOk')}</Status>
              ) : (
                <Status is="idle">{t('importPending')}</Status>
              ),
          },
          ...table.columns.map((column) => ({
            key: column.field,
            title: column.label,
            width: column.width,
            render: (_: unknown, row: ImportRow) => (
              <EditableCell
                text={column.secret && row.values[column.field] ? '••••••' : cellText(row.values[column.field])}
                locked={running || row.state === 'ok'}
                label={column.label}
                onEdit={(text) => onEdit(row.index, { ...row.values, [column.field]: parseCell(text) })}
              />
            ),
          })),
        ]}
      />
      {rows.length > 10 && (
        <Pagination
          size="small"
          className="gap-above"
          current={page}
          pageSize={10}
          total={rows.length}
          onChange={setPage}
          showSizeChanger={false}
        />
      )}
    </>
  )
}

function EditableCell({
  text,
  locked,
  label,
  onEdit,
}: {
  text: string
  locked: boolean
  label: string
  onEdit: (text: string) => void
}) {
  const [editing, setEditing] = useState(false)
  if (!editing) {
    return (
      <button type="button" className="edit-cell clip" disabled={locked} onClick={() => setEditing(true)} title={text}>
        {text || '–'}
      </button>
    )
  }
  return (
    <input
      className="edit-cell"
      // biome-ignore lint/a11y/noAutofocus: the cell was just clicked to be edited
      autoFocus
      aria-label={label}
      defaultValue={text === '••••••' ? '' : text}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      onBlur={(event) => {
        setEditing(false)
        if (event.target.value !== text) onEdit(event.target.value)
      }}
    />
  )
}
