/** What a synchronization would do, before anything is written. */
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Skeleton } from 'antd'
import { FileSearch } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { Shares } from '../../kit/charts/Shares.tsx'
import { dialogWidth } from '../../kit/dialog/width.ts'
import { Failed } from '../../kit/list/states.tsx'
import { number, type Row } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Badge, Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { countNames } from './statuses.tsx'

const changes = ['new', 'updated', 'released', 'unsync'] as const
type Change = (typeof changes)[number]

interface Sample {
  change: Change
  region: string
  name: string
  address: string
  reason?: string
}
interface Execution {
  id: string
  date_sync: string | null
  reason: string | null
  preview: {
    summary: Record<Change | 'sync', number>
    samples: readonly Sample[]
    failures: readonly { region: string; reason: string }[]
  } | null
}

const tones = { new: 'ok', updated: 'info', released: 'warning', unsync: 'danger' } as const
const tasksUrl = '/api/v1/xpack/cloud/sync-instance-tasks/'
/** How often the result is asked for. Milliseconds. */
const pollMs = 1000

/** Starts a preview, and reads it until it has ended. */
function usePreview(task: string) {
  const started = useQuery({
    queryKey: ['sync-preview', task],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: () => call<{ task: string }>(`${tasksUrl}${task}/preview/`, { method: 'POST', body: {}, quiet: true }),
  })
  const id = started.data?.task
  const read = useQuery({
    queryKey: ['sync-preview-result', id],
    enabled: id !== undefined,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.date_sync ? false : pollMs),
    queryFn: () => call<Execution>(`/api/v1/xpack/cloud/sync-instance-task-executions/${id}/`, { quiet: true }),
  })
  return { execution: read.data, error: started.error ?? read.error, again: () => void started.refetch() }
}

function Result({ preview }: { preview: NonNullable<Execution['preview']> }) {
  const { summary, samples, failures } = preview
  const unchanged = summary.sync - summary.updated
  return (
    <>
      <Shares
        chart="sync-preview"
        parts={[
          ...changes.map((change) => ({ label: t(countNames[change]), total: summary[change] })),
          { label: t('syncUnchanged'), total: unchanged },
        ]}
      />
      {failures.length === 0 && changes.every((change) => summary[change] === 0) && (
        <p className="muted">{t('syncPreviewNothing')}</p>
      )}
      {failures.map(({ region, reason }) => (
        <p key={region}>
          <Status is="danger">
            {region}: {reason}
          </Status>
        </p>
      ))}
      {changes
        .filter((change) => summary[change] > 0)
        .map((change) => {
          const shown = samples.filter((sample) => sample.change === change)
          return (
            <section key={change}>
              <div className="section-head">
                <h3>
                  <Badge is={tones[change]}>{t(countNames[change])}</Badge>
                </h3>
                <span className="count">{number(summary[change])}</span>
              </div>
              <ul className="list-plain">
                {shown.map((sample) => (
                  <li className="row" key={`${sample.region} ${sample.name} ${sample.address}`}>
                    <span className="clip grow">{sample.name}</span>
                    <span className="mono muted">{sample.reason ?? sample.address}</span>
                    <span className="muted">{sample.region}</span>
                  </li>
                ))}
              </ul>
              {summary[change] > shown.length && (
                <p className="muted small">{t('syncPreviewMore', { count: summary[change] - shown.length })}</p>
              )}
            </section>
          )
        })}
    </>
  )
}

function PreviewDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const { execution, error, again } = usePreview(row.id)
  const running = !execution?.date_sync && !error
  const close = () => {
    // A preview that nobody waits for need not go on.
    if (running) void attempt(() => call(`${tasksUrl}${row.id}/stop/`, { method: 'POST', body: {} }))
    onClose()
  }
  return (
    <Modal
      open
      width={dialogWidth}
      title={t('syncPreviewOf', { name: String(row.name) })}
      footer={null}
      onCancel={close}
    >
      {error && <Failed error={error} retry={again} />}
      {running && (
        <div aria-busy>
          <p className="muted">{t('syncPreviewRuns')}</p>
          <Skeleton active title={false} />
        </div>
      )}
      {execution?.date_sync && !execution.preview && (
        <Status is="danger">{execution.reason ?? t('syncPreviewFailed')}</Status>
      )}
      {execution?.date_sync && execution.preview && <Result preview={execution.preview} />}
    </Modal>
  )
}

/** Opens the preview; also by the query of the page's address, for links from lists. */
export function PreviewButton({ row }: { row: Row }) {
  const [query, setQuery] = useSearchParams()
  const [opened, setOpened] = useState(query.has('preview'))
  if (!can('xpack.view_syncinstancetaskexecution')) return null
  return (
    <>
      <Button icon={<FileSearch size={16} />} onClick={() => setOpened(true)}>
        {t('syncPreview')}
      </Button>
      {opened && (
        <PreviewDialog
          row={row}
          onClose={() => {
            setOpened(false)
            query.delete('preview')
            setQuery(query, { replace: true })
          }}
        />
      )}
    </>
  )
}
