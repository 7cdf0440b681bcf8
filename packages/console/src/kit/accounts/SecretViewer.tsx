/** Reveals a secret. The server requires a confirmation first (412) and logs the view. */
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Skeleton } from 'antd'
import { Copy, Download, Eye, EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../api/client.ts'
import { Cancelled } from '../api/errors.ts'
import { copyText } from '../copy.ts'
import { Failed } from '../list/states.tsx'
import { exactTime, type Row, rawOf, rowsIn, timestampOf, wordOf } from '../row.ts'
import { t } from '../text.ts'
import { secretWord } from './secret-types.ts'

const url = '/api/v1/accounts/account-secrets/'

interface History {
  id?: string
  secret: string
  version: number
  history_date: string
}

function saveAs(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = `${name}.txt`
  link.click()
  URL.revokeObjectURL(link.href)
}

function SecretLine({ name, secret }: { name: string; secret: string }) {
  const [shown, setShown] = useState(false)
  if (!secret) return <span className="muted">{t('secretNone')}</span>
  return (
    <div className="secret-line">
      <code className="mono">{shown ? secret : '******'}</code>
      <Button
        type="text"
        size="small"
        icon={shown ? <EyeOff size={14} /> : <Eye size={14} />}
        aria-label={t(shown ? 'hide' : 'show')}
        onClick={() => setShown(!shown)}
      />
      <Button
        type="text"
        size="small"
        icon={<Copy size={14} />}
        aria-label={t('copy')}
        onClick={() => void copyText(secret)}
      />
      <Button
        type="text"
        size="small"
        icon={<Download size={14} />}
        aria-label={t('download')}
        onClick={() => saveAs(name, secret)}
      />
    </div>
  )
}

export default function SecretViewer({ account, onClose }: { account: Row; onClose: () => void }) {
  const [history, setHistory] = useState(false)
  const read = useQuery({
    queryKey: ['secret', account.id],
    queryFn: () => call<Row>(`${url}${account.id}/`, { quiet: true }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const records = useQuery({
    queryKey: ['secret-history', account.id],
    enabled: history,
    gcTime: 0,
    queryFn: () => call<History[] | { results: History[] }>(`${url}${account.id}/histories/`, { quiet: true }),
  })
  const cancelled = read.error instanceof Cancelled
  useEffect(() => {
    if (cancelled) onClose()
  }, [cancelled, onClose])
  if (cancelled || read.isPending) return null
  const list = rowsIn(records.data)
  const name = wordOf(account.name)
  const updated = timestampOf(read.data?.date_updated)
  return (
    <Modal open width={600} title={t('secretOf', { name })} footer={null} onCancel={onClose}>
      {read.error ? (
        <Failed error={read.error} />
      ) : (
        <dl className="facts one">
          <div>
            <dt>{t('username')}</dt>
            <dd className="mono">{wordOf(account.username)}</dd>
          </div>
          <div>
            <dt>{secretWord(String(rawOf(account.secret_type)))}</dt>
            <dd>
              <SecretLine name={name} secret={wordOf(read.data?.secret)} />
            </dd>
          </div>
          {updated && (
            <div>
              <dt>{t('dateUpdated')}</dt>
              <dd>{exactTime(updated)}</dd>
            </div>
          )}
        </dl>
      )}
      {!read.error && !history && (
        <Button type="link" size="small" onClick={() => setHistory(true)}>
          {t('secretHistory')}
        </Button>
      )}
      {history && records.isPending && <Skeleton active title={false} />}
      {records.error && <Failed error={records.error} retry={() => void records.refetch()} />}
      {list.map((record) => {
        const timestamp = timestampOf(record.history_date)
        return (
          <div className="row" key={record.id ?? record.version}>
            <span className="muted small">v{record.version}</span>
            <span className="grow">
              <SecretLine name={`${name}-${record.version}`} secret={record.secret} />
            </span>
            <span className="muted small">{timestamp ? exactTime(timestamp) : record.history_date}</span>
          </div>
        )
      })}
    </Modal>
  )
}
