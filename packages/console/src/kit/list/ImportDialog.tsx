/** Import: choose a mode and a file, review the rows, send them, correct failed rows and continue. */
import { Alert, Button, Input, Modal, Segmented, Upload } from 'antd'
import { FileSpreadsheet, UploadCloud } from 'lucide-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { selectionToken, withQuery } from '../api/client.ts'
import { download } from '../api/download.ts'
import { Cancelled, errorText } from '../api/errors.ts'
import { confirm } from '../confirm.ts'
import { dialogWidth } from '../dialog/width.ts'
import { number } from '../row.ts'
import { t } from '../text.ts'
import { toast } from '../toast.ts'
import { useUnsaved } from '../unsaved.ts'
import type { List } from './controller.ts'
import { ImportPreview } from './ImportPreview.tsx'
import { isLockedFile, maximumBytes, readFile } from './import.ts'
import { createImport, type ImportMode, type ImportTask } from './import-task.ts'
import type { ListFiles } from './spec.ts'

interface Chosen {
  file: string
  task: ImportTask
}

export default function ImportDialog({ list, onClose }: { list: List; onClose: () => void }) {
  const { import: from } = list.spec.files
  const url = typeof from === 'object' && 'url' in from ? from.url : list.spec.url
  const [mode, setMode] = useState<ImportMode>(list.rights.add ? 'create' : 'update')
  const [chosen, setChosen] = useState<Chosen>()
  const close = () => {
    chosen?.task.stop()
    list.reload()
    onClose()
  }
  const another = () => {
    chosen?.task.stop()
    setChosen(undefined)
  }
  const choice = (disabled?: boolean) => (
    <Segmented<ImportMode>
      aria-label={t('importMode')}
      value={mode}
      disabled={disabled}
      onChange={(next) => {
        setMode(next)
        // Rows read for one mode are not valid for the other.
        another()
      }}
      options={[
        { value: 'create', label: t('importCreate'), disabled: !list.rights.add },
        { value: 'update', label: t('importUpdate'), disabled: !list.rights.change },
      ]}
    />
  )
  if (chosen) {
    const ask = mode === 'update' ? list.spec.files.beforeUpdate : undefined
    return <Run chosen={chosen} choice={choice} ask={ask} onAnother={another} onClose={close} />
  }
  return <Choose list={list} url={url} mode={mode} choice={choice()} onChosen={setChosen} onClose={close} />
}

function Choose({
  list,
  url,
  mode,
  choice,
  onChosen,
  onClose,
}: {
  list: List
  url: string
  mode: ImportMode
  choice: ReactNode
  onChosen: (chosen: Chosen) => void
  onClose: () => void
}) {
  const [problem, setProblem] = useState('')
  const unfit = problem === t('importFileRule')
  const [reading, setReading] = useState(false)
  const [locked, setLocked] = useState<File>()
  const open = async (file: File, password = '') => {
    if (!password) setLocked(undefined)
    if (!/\.(csv|xlsx|zip)$/i.test(file.name) || file.size > maximumBytes) return setProblem(t('importFileRule'))
    setProblem('')
    setReading(true)
    try {
      const table = await readFile(url, file, list.fields, password)
      if (table.rows.length === 0) return setProblem(t('importNoRows'))
      if (table.columns.length === 0) return setProblem(t('importNoColumns'))
      onChosen({ file: file.name, task: createImport(url, mode, table) })
    } catch (error) {
      // The first time, the box for the password says it all.
      if (isLockedFile(error)) setLocked(file)
      if (!isLockedFile(error) || password) setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setReading(false)
    }
    return undefined
  }
  const template = async (format: 'csv' | 'xlsx') => {
    const some = mode === 'update' && list.selected.length > 0
    const spm = some ? await selectionToken(list.selected.map((row) => row.id)) : undefined
    const name = mode === 'create' ? 'import' : 'update'
    download(withQuery(url, { format, template: name, ...(some ? { spm } : { limit: 1 }) }))
  }
  return (
    <Modal
      open
      width={dialogWidth}
      mask={{ closable: false }}
      title={t('importTitle')}
      onCancel={onClose}
      footer={null}
    >
      <div className="field">
        <b>{t('importMode')}</b>
        {choice}
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
        accept=".csv,.xlsx,.zip"
        maxCount={1}
        showUploadList={false}
        disabled={reading}
        beforeUpload={(file) => {
          void open(file)
          return false
        }}
      >
        <UploadCloud size={24} />
        <p>{t(reading ? 'importReading' : 'importDrop')}</p>
        <small className={unfit ? 'is-danger' : 'muted'} role={unfit ? 'alert' : undefined}>
          {t('importFileRule')}
        </small>
      </Upload.Dragger>
      {locked && <FilePassword file={locked} busy={reading} onEnter={(password) => void open(locked, password)} />}
      {problem && !unfit && (
        <p className="is-danger gap-above" role="alert">
          {problem}
        </p>
      )}
    </Modal>
  )
}

/** The password of a protected file. It is sent with the file and kept nowhere. */
function FilePassword({ file, busy, onEnter }: { file: File; busy: boolean; onEnter: (password: string) => void }) {
  const [password, setPassword] = useState('')
  return (
    <form
      className="field gap-above"
      onSubmit={(event) => {
        event.preventDefault()
        if (password) onEnter(password)
      }}
    >
      <label htmlFor="import-password">{t('importPassword', { file: file.name })}</label>
      <div className="line">
        <Input.Password
          id="import-password"
          autoFocus
          autoComplete="off"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <Button type="primary" htmlType="submit" loading={busy} disabled={!password}>
          {t('importOpen')}
        </Button>
      </div>
    </form>
  )
}

function Run({
  chosen: { file, task },
  choice,
  ask,
  onAnother,
  onClose,
}: {
  chosen: Chosen
  choice: (disabled: boolean) => ReactNode
  /** Consent to what an update does. */
  ask: ListFiles['beforeUpdate'] | undefined
  onAnother: () => void
  onClose: () => void
}) {
  useSyncExternalStore(task.subscribe, task.version)
  const phase = task.phase()
  const running = phase === 'started'
  // Leaving asks for confirmation. After leaving, no more rows are sent.
  useUnsaved(running)
  useEffect(() => () => task.stop(), [task])
  const { ok, pending, failed } = task.counts
  const finished = phase === 'done' && failed === 0 && pending === 0
  const close = () => {
    if (!running) return onClose()
    return confirm({
      title: t('importStopTitle'),
      text: t('importStopText'),
      verb: t('importStop'),
      danger: true,
      run: async () => onClose(),
    })
  }
  const [asking, setAsking] = useState(false)
  const start = async () => {
    setAsking(true)
    try {
      await ask?.(await task.bodies())
    } catch (error) {
      if (!(error instanceof Cancelled)) toast.error(errorText(error))
      return
    } finally {
      setAsking(false)
    }
    if ((await task.start()) > 0) toast.error(t('importHasErrors'))
  }
  return (
    <Modal
      open
      width="min(1200px, 92vw)"
      mask={{ closable: false }}
      title={t('importTitle')}
      onCancel={close}
      footer={
        <div className="dialog-foot">
          <Button onClick={onAnother} disabled={running}>
            {t('importAnother')}
          </Button>
          <div className="grow" />
          {running ? (
            // It replaces the start button; the second click of a double click must not trigger it.
            <Button onClick={({ detail }) => detail < 2 && task.stop()}>{t('importStop')}</Button>
          ) : (
            <Button type="primary" loading={asking} onClick={() => (finished ? onClose() : void start())}>
              {finished ? t('importFinished') : phase === 'pending' ? t('importStart') : t('importContinue')}
            </Button>
          )}
        </div>
      }
    >
      <div className="line gap-below">
        <FileSpreadsheet size={16} />
        <b>{file}</b>
        <span className="muted">{t('rowCount', { count: number(task.rows.length) })}</span>
        <span className="grow" />
        {choice(running)}
      </div>
      {task.strangers && phase === 'pending' && (
        <Alert type="warning" showIcon title={t('importSomeUnknown')} className="gap-below" />
      )}
      {phase === 'done' && failed > 0 && (
        <div className="note soft-danger gap-below" role="alert">
          <b>{t('importSummary', { failed: number(failed), done: number(ok) })}</b>
          <span>{t('importMend')}</span>
        </div>
      )}
      <ImportPreview task={task} />
    </Modal>
  )
}
