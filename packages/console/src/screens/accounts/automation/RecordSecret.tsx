/** The secrets of a record: before, and as it was to be set. The server requires a confirmation first and logs the view. */
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useEffect } from 'react'
import { SecretLine } from '../../../domain/accounts/SecretLine.tsx'
import { call } from '../../../kit/api/client.ts'
import { Cancelled } from '../../../kit/api/errors.ts'
import { Failed } from '../../../kit/list/states.tsx'
import { type Row, wordOf } from '../../../kit/row.ts'
import { t } from '../../../kit/text.ts'

/** Records of all automations. */
const url = '/api/v1/accounts/change-secret-records/'

const secrets = [
  { field: 'new_secret', label: 'recordNewSecret' },
  { field: 'old_secret', label: 'recordOldSecret' },
] as const

export default function RecordSecret({ record, onClose }: { record: Row; onClose: () => void }) {
  const read = useQuery({
    queryKey: ['record-secret', record.id],
    queryFn: () => call<Row>(`${url}${record.id}/secret/`, { quiet: true }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const cancelled = read.error instanceof Cancelled
  useEffect(() => {
    if (cancelled) onClose()
  }, [cancelled, onClose])
  if (cancelled || read.isPending) return null
  const name = `${wordOf(record.account)}@${wordOf(record.asset)}`
  return (
    <Modal open width={600} title={t('secretOf', { name })} footer={null} onCancel={onClose}>
      {read.error ? (
        <Failed error={read.error} />
      ) : (
        <dl className="facts one">
          {secrets.map(({ field, label }) => (
            <div data-field={field} key={field}>
              <dt>{t(label)}</dt>
              <dd>
                <SecretLine name={`${name}-${field}`} secret={wordOf(read.data[field])} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Modal>
  )
}
