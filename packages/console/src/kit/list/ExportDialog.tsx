import { Alert, Button, Modal, Radio, Segmented } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call, selectionToken, withQuery } from '../api/client.ts'
import { download } from '../api/download.ts'
import { attempt } from '../api/errors.ts'
import { number } from '../row.ts'
import { t } from '../text.ts'
import type { List } from './controller.ts'
import { filterQuery } from './state.ts'

type Range = 'all' | 'selected' | 'filtered'

/** Maximum rows of a file; the server omits the others. */
const mostRows = 10_000

/** Whether the user confirmed their identity, if required; `onRefused` if not. */
function useConfirmed(confirm: 'mfa' | undefined, onRefused: () => void): boolean {
  const [confirmed, setConfirmed] = useState(confirm === undefined)
  // Once per dialog, regardless of re-renders behind it.
  const refused = useRef(onRefused)
  refused.current = onRefused
  useEffect(() => {
    if (confirm === undefined) return
    const check = () => call('/api/v1/authentication/confirm/check/', { query: { confirm_type: confirm } })
    void attempt(check).then((done) => (done ? setConfirmed(true) : refused.current()))
  }, [confirm])
  return confirmed
}

/** Range and file type. The browser downloads the file, so the organization is sent as a cookie. */
export default function ExportDialog({
  list,
  begin = 'all',
  onClose,
}: {
  list: List
  /** The preselected range. */
  begin?: Range
  onClose: () => void
}) {
  const options = typeof list.spec.files.export === 'object' ? list.spec.files.export : undefined
  const ready = useConfirmed(options?.confirm, onClose)
  const [format, setFormat] = useState<'csv' | 'xlsx'>('csv')
  const [range, setRange] = useState<Range>(begin)
  const count = { all: list.filtered ? list.whole : list.total, selected: list.selected.length, filtered: list.total }[
    range
  ]
  // After an error, the choices stay for another attempt.
  const start = async () => {
    if (await attempt(fetchFile)) onClose()
  }
  const fetchFile = async () => {
    const { dateFrom, dateTo } = list.state
    const filters = range === 'filtered' ? filterQuery(list.state) : { date_from: dateFrom, date_to: dateTo }
    const spm = range === 'selected' ? await selectionToken(list.selected.map((row) => row.id)) : undefined
    download(
      withQuery(options?.url ?? list.spec.url, {
        ...list.spec.data.query,
        ...filters,
        order: list.state.order,
        format,
        spm,
      }),
    )
  }
  return (
    <Modal
      open={ready}
      title={t('exportTitle')}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={() => void start()}>
          {t('exportVerb')}
        </Button>
      }
    >
      {options?.note && <Alert type="info" title={t(options.note)} className="gap-below" />}
      <div className="field">
        <b>{t('exportRange')}</b>
        <Radio.Group
          aria-label={t('exportRange')}
          value={range}
          onChange={(event) => setRange(event.target.value as Range)}
          options={[
            { value: 'all', label: t('exportAll') },
            {
              value: 'selected',
              label: t('exportSelected', { count: number(list.selected.length) }),
              disabled: list.selected.length === 0,
            },
            { value: 'filtered', label: t('exportFiltered', { count: number(list.total) }), disabled: !list.filtered },
          ]}
        />
      </div>
      {count !== undefined && count > mostRows && (
        <Alert
          type="warning"
          showIcon
          className="gap-below"
          title={t('exportCut', { most: number(mostRows), count: number(count) })}
        />
      )}
      <div className="field">
        <b>{t('exportFormat')}</b>
        <Segmented
          aria-label={t('exportFormat')}
          value={format}
          onChange={setFormat}
          options={[
            { value: 'csv', label: 'CSV' },
            { value: 'xlsx', label: 'Excel' },
          ]}
        />
      </div>
    </Modal>
  )
}
