import type { FileEntry } from '@castellan/contract/web-terminal'
import { Dropdown, type MenuProps } from 'antd'
import { FolderUp } from 'lucide-react'
import { type DragEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { confirm } from '../../kit/confirm.ts'
import { toast } from '../../kit/toast.ts'
import { EndNotice } from '../screen/EndNotice.tsx'
import { TimeLeft } from '../screen/StatusLine.tsx'
import type { TerminalSettings } from '../settings/preferences.ts'
import { t } from '../text.ts'
import type { Pane, PaneState } from '../workspace/model.ts'
import { type DroppedFile, droppedFiles, foldersOf } from './dropped.ts'
import { FileTable } from './FileTable.tsx'
import { FileToolbar } from './FileToolbar.tsx'
import { type Conflict, downloadJob, type UploadJob, uploadJob } from './jobs.ts'
import { NameDialog } from './NameDialog.tsx'
import { joinPath, parentOf } from './paths.ts'
import { downloadSink } from './sinks.ts'
import { TransferList } from './TransferList.tsx'
import { fileErrorText } from './texts.ts'
import { useFileSession } from './useFileSession.ts'

export interface FilePaneProps {
  pane: Pane
  closable: boolean
  settings: TerminalSettings
  onState: (state: PaneState) => void
  onReconnect: () => void
  onClose: () => void
}

type Naming = { what: 'folder' } | { what: 'rename'; entry: FileEntry }

/** Files of one host. The actions of the permission enable the tools. */
export function FilePane({ pane, settings, onState, onReconnect, onClose }: FilePaneProps) {
  const { info, files, directory, loading, error, ending, pausedBy, go, queue, isOver } = useFileSession(
    pane.tokenId,
    onState,
  )
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [hidden, setHidden] = useState(false)
  const [naming, setNaming] = useState<Naming>()
  const [dropping, setDropping] = useState(false)
  const transfers = useSyncExternalStore(queue.subscribe, queue.list)
  const uploads = useRef(new Map<number, UploadJob>())
  const path = directory?.path ?? ''
  const here = useRef(path)
  here.current = path

  const may = (action: string) => info?.actions.includes(action) ?? false
  const entries = useMemo(
    () => (directory?.entries ?? []).filter((entry) => hidden || !entry.name.startsWith('.')),
    [directory, hidden],
  )
  const chosen = entries.filter((entry) => selected.has(entry.name))
  const locked = pausedBy !== undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder has no selection
  useEffect(() => setSelected(new Set()), [path])

  useEffect(() => {
    queue.onDone = ({ direction }) => {
      if (direction === 'up') void go(here.current)
    }
  }, [queue, go])

  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (cause) {
      if (!isOver(cause)) toast.error(fileErrorText(cause))
    }
    await go(here.current)
  }
  const open = (entry: FileEntry) => {
    if (entry.type === 'file') void download([entry])
    else void go(joinPath(path, entry.name))
  }
  const download = async (which: FileEntry[]) => {
    const session = files.current
    if (!session) return
    if (!may('download')) {
      toast.error(t('mayNotDownload'))
      return
    }
    for (const entry of which.filter(({ type }) => type !== 'directory')) {
      const sink = await downloadSink(entry.name, entry.size)
      if (sink) queue.add(downloadJob(session, joinPath(path, entry.name), entry.name, entry.size, sink))
    }
  }
  const upload = async (dropped: DroppedFile[]) => {
    const session = files.current
    if (!session || !info) return
    if (!may('upload')) {
      toast.error(t('mayNotUpload'))
      return
    }
    const target = path
    for (const folders of foldersOf(dropped)) {
      await session.mkdir(folders.reduce(joinPath, target)).catch(() => undefined)
    }
    for (const { file, folders } of dropped) {
      const job = uploadJob(session, file, joinPath(folders.reduce(joinPath, target), file.name), info.max_chunk)
      uploads.current.set(queue.add(job), job)
    }
  }
  const settle = (id: number, conflict: Conflict) => {
    const job = uploads.current.get(id)
    if (job) job.conflict = conflict
    queue.resume(id)
  }
  const remove = (which: FileEntry[]) => {
    const [first] = which
    if (!first) return
    const text = which.length === 1 ? t('removeOne', { name: first.name }) : t('removeSome', { n: which.length })
    const run = () =>
      attempt(async () => {
        const answer = await files.current?.remove(which.map((entry) => joinPath(path, entry.name)))
        const failed = answer?.failed[0]
        if (failed) toast.error(t('removeFailed', { n: answer.failed.length, detail: failed.detail }))
      })
    confirm({ title: t('removeTitle'), text, verb: t('remove'), danger: true, run })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setDropping(false)
    void droppedFiles(event.dataTransfer).then(upload)
  }
  const menu: MenuProps['items'] = [
    { key: 'open', label: t('open'), disabled: chosen.length !== 1, onClick: () => chosen[0] && open(chosen[0]) },
    {
      key: 'down',
      label: t('download'),
      disabled: !may('download') || !chosen.some(({ type }) => type === 'file'),
      onClick: () => void download(chosen),
    },
    {
      key: 'rename',
      label: t('rename'),
      disabled: !may('upload') || chosen.length !== 1,
      onClick: () => chosen[0] && setNaming({ what: 'rename', entry: chosen[0] }),
    },
    {
      key: 'remove',
      label: t('remove'),
      danger: true,
      disabled: !may('delete') || chosen.length === 0,
      onClick: () => remove(chosen),
    },
    { type: 'divider' },
    { key: 'folder', label: t('newFolder'), disabled: !may('upload'), onClick: () => setNaming({ what: 'folder' }) },
  ]

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the upload button does the same */}
      <div
        className="files"
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return
          event.preventDefault()
          setDropping(true)
        }}
        onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node) && setDropping(false)}
        onDrop={drop}
      >
        <FileToolbar
          path={path}
          home={info?.home ?? '/'}
          may={may}
          locked={locked}
          loading={loading}
          hidden={hidden}
          chosen={chosen}
          onGo={(to) => void go(to)}
          onHidden={() => setHidden(!hidden)}
          onUpload={(list) => void upload([...list].map((file) => ({ file, folders: [] })))}
          onFolder={() => setNaming({ what: 'folder' })}
          onDownload={() => void download(chosen)}
          onRename={() => chosen[0] && setNaming({ what: 'rename', entry: chosen[0] })}
          onRemove={() => remove(chosen)}
        />
        <Dropdown menu={{ items: menu }} trigger={['contextMenu']}>
          <div className="files-body">
            <FileTable
              entries={entries}
              loading={loading && !directory}
              error={error}
              empty={directory && !loading ? (directory.entries.length > 0 ? t('onlyHidden') : t('emptyFolder')) : ''}
              selected={selected}
              onSelect={setSelected}
              onOpen={open}
              onUp={() => void go(parentOf(path))}
              onRename={(entry) => may('upload') && setNaming({ what: 'rename', entry })}
              onRemove={() => may('delete') && remove(chosen)}
              onRetry={() => void go(path || info?.home || '/')}
            />
            {directory?.truncated && (
              <p className="note soft-warning">{t('folderTruncated', { n: directory.entries.length })}</p>
            )}
          </div>
        </Dropdown>
        <TransferList transfers={transfers} preferred={settings.fileConflict} queue={queue} onConflict={settle} />
        {dropping && (
          <div className="files-drop">
            <FolderUp size={28} />
            {may('upload') ? t('dropHere', { path }) : t('mayNotUpload')}
          </div>
        )}
        {ending && <EndNotice ending={ending} onReconnect={onReconnect} onClose={onClose} />}
      </div>
      <div className="line-bar">
        {pane.state === 'open' ? (
          <span className="rec">
            <i />
            {t('logged')}
          </span>
        ) : (
          <span>{pane.state === 'connecting' ? t('connecting') : t('ended')}</span>
        )}
        <b className="clip">
          {pane.target.account}@{pane.target.asset.name}
        </b>
        <span className="wide">sftp</span>
        {locked && <span className="y">{t('paused')}</span>}
        <div className="grow" />
        <span className="wide">{t('entriesCount', { n: entries.length })}</span>
        {pane.state === 'open' && info && <TimeLeft until={info.expire_at} />}
      </div>
      {naming && (
        <NameDialog
          title={naming.what === 'folder' ? t('newFolder') : t('renameTitle', { name: naming.entry.name })}
          verb={naming.what === 'folder' ? t('createFolder') : t('rename')}
          name={naming.what === 'folder' ? '' : naming.entry.name}
          taken={directory?.entries.map(({ name }) => name) ?? []}
          onClose={() => setNaming(undefined)}
          onDone={(name) => {
            setNaming(undefined)
            void attempt(async () => {
              if (naming.what === 'folder') await files.current?.mkdir(joinPath(path, name))
              else await files.current?.rename(joinPath(path, naming.entry.name), joinPath(path, name))
            })
          }}
        />
      )}
    </>
  )
}
