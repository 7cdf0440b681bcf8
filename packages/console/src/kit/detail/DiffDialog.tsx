import { useQuery } from '@tanstack/react-query'
import { Modal, Skeleton } from 'antd'
import { call } from '../api/client.ts'
import { dialogWidth } from '../dialog/width.ts'
import { Failed } from '../list/states.tsx'
import { exactTime, timestampOf } from '../row.ts'
import { t } from '../text.ts'

interface Change {
  field: string
  before: unknown
  after: unknown
}

/** A timestamp in wire format. Other text is not parsed as a timestamp. */
const timestamp = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d [+-]\d{4}$/

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  const when = timestamp.test(text) ? timestampOf(text) : undefined
  return when ? exactTime(when) : text
}

/** Values before and after one operation. */
export function DiffDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const detail = useQuery({ queryKey: ['diff', url], queryFn: () => call<{ diff?: Change[] }>(url, { quiet: true }) })
  const changes = detail.data?.diff ?? []
  return (
    <Modal open width={dialogWidth} title={t('diffTitle')} footer={null} onCancel={onClose}>
      {detail.isPending && <Skeleton active title={false} />}
      {detail.error && <Failed error={detail.error} retry={() => void detail.refetch()} />}
      {detail.isSuccess && changes.length === 0 && <p className="muted">{t('diffNone')}</p>}
      {changes.length > 0 && (
        <table className="diff">
          <thead>
            <tr>
              <th data-column="field">{t('diffField')}</th>
              <th data-column="before">{t('diffBefore')}</th>
              <th data-column="after">{t('diffAfter')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={change.field}>
                <th scope="row">{change.field}</th>
                <td className="was">{shown(change.before)}</td>
                <td className="is">{shown(change.after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Modal>
  )
}
