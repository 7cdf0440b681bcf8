/** What the worker noted of a playbook beside what it says of itself: commands carried to hosts, and its files. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Button, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { dialogWidth } from '../../kit/dialog/width.ts'
import { Failed } from '../../kit/list/states.tsx'
import { exactTime, number, timestampOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import './evidence.css'

interface CarriedCommand {
  id: string
  asset: string
  account: string
  command: string
  input: string
  input_size: number
  input_sha256: string
  status: number | null
  date_start: string
  date_end: string | null
}
interface KeptFile {
  path: string
  size: number
  sha256: string
}
interface Noted {
  files: KeptFile[]
  commands: CarriedCommand[]
  position: number
}

/** Commands in one answer of the server. */
const pageSize = 200

const timeOf = (written: string) => {
  const time = timestampOf(written)
  return time ? exactTime(time) : written
}

function Command({ noted }: { noted: CarriedCommand }) {
  const { asset, account, command, input, input_size, input_sha256, status, date_start, date_end } = noted
  const end = date_end === null ? t('hostsRunning') : t('exitStatus', { rc: status ?? '-' })
  return (
    <details className="evidence-entry">
      <summary>
        <code>{command.split('\n')[0]}</code>
        <span className="muted">{[asset, account, timeOf(date_start), end].join(' · ')}</span>
      </summary>
      <pre>{command}</pre>
      {input_size > 0 && (
        <>
          <p className="muted">{t('evidenceInput', { size: number(input_size), hash: input_sha256 })}</p>
          <pre>{input}</pre>
        </>
      )}
    </details>
  )
}

function File({ file, url }: { file: KeptFile; url: string }) {
  const [open, setOpen] = useState(false)
  const read = useQuery({
    queryKey: ['evidence-file', url, file.path, ...audience()],
    queryFn: () =>
      call<{ content: string; is_whole: boolean }>(`${url}?path=${encodeURIComponent(file.path)}`, { quiet: true }),
    enabled: open,
  })
  return (
    <details className="evidence-entry" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{file.path}</code>
        <span className="muted">{t('evidenceBytes', { size: number(file.size), hash: file.sha256 })}</span>
      </summary>
      {read.data && <pre>{read.data.content}</pre>}
      {read.data && !read.data.is_whole && <p className="muted">{t('evidenceCut')}</p>}
    </details>
  )
}

/** `collection` is the one that the execution is read from: the owner's, or that of auditors. */
export function Evidence({ id, collection }: { id: string; collection: string }) {
  const url = `${collection}${id}/evidence/`
  const read = useInfiniteQuery({
    queryKey: ['evidence', url, ...audience()],
    queryFn: ({ pageParam }) => call<Noted>(`${url}?after=${pageParam}`, { quiet: true }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.commands.length < pageSize ? undefined : last.position),
  })
  if (read.isPending) return <Skeleton active title={false} />
  if (read.error) return <Failed error={read.error} retry={() => void read.refetch()} />
  const commands = read.data.pages.flatMap((page) => page.commands)
  const files = read.data.pages[0]?.files ?? []
  return (
    <div className="evidence">
      <p className="muted">{t('evidenceAbout')}</p>
      <h3>{t('evidenceCommands')}</h3>
      {commands.length === 0 && <p className="muted">{t('evidenceNone')}</p>}
      {commands.map((noted) => (
        <Command key={noted.id} noted={noted} />
      ))}
      {read.hasNextPage && (
        <Button size="small" type="link" loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
          {t('evidenceMore')}
        </Button>
      )}
      <h3>{t('evidenceFiles')}</h3>
      {files.length === 0 && <p className="muted">{t('evidenceNone')}</p>}
      {files.map((file) => (
        <File key={file.path} file={file} url={url} />
      ))}
    </div>
  )
}

export function EvidenceDialog({ onClose, ...about }: { id: string; collection: string; onClose: () => void }) {
  return (
    <Modal open width={dialogWidth} title={t('evidence')} footer={null} onCancel={onClose}>
      <Evidence {...about} />
    </Modal>
  )
}
