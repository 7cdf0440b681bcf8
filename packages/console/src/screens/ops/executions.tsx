/** Executions of one's own jobs: the list, and one with the output of each host. */
import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { Eye, RotateCcw, ScrollText, Square } from 'lucide-react'
import { useNavigate } from 'react-router'
import { Evidence } from '../../domain/ops/Evidence.tsx'
import { HostOutput } from '../../domain/ops/HostOutput.tsx'
import { pollRuns, RunState, runCells, secondsOf } from '../../domain/ops/run-cells.tsx'
import { useExecution } from '../../domain/ops/use-execution.ts'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { type ListSpec, viewOnly } from '../../kit/list/spec.ts'
import { can, inRoot } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { type TextKey, t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { executionsUrl as url } from './quick-command.ts'

type Run = WireRow<typeof url>

const shared = { url, resource: 'ops.jobexecution', noun: 'execution', path: pathOf('Execution') } as const

const materialOf = (row: Run): string => String(row.material ?? '')

/** Executions of all jobs, or of one. */
export const executionList = (job?: string): ListSpec<Run> => ({
  ...viewOnly,
  ...shared,
  id: job ? 'JobExecutions' : 'Execution',
  data: { pollMs: pollRuns, ...(job && { query: { job_id: job } }) },
  files: { import: false, export: false },
  search: { inAddress: !job },
  texts: { empty: 'executionsEmpty' },
  row: { nameColumn: 'material', title: materialOf, link: (row) => pathOf('ExecutionDetail', row.id) },
  card: { badge: (row) => <RunState row={row} />, time: 'date_created' },
  columns: {
    exclude: ['summary', 'parameters', 'task_id', 'timedelta'],
    shown: job
      ? ['material', 'date_start', 'is_finished', 'is_success', 'time_cost']
      : ['material', 'id', 'job', 'job_type', 'is_finished', 'is_success', 'time_cost', 'date_created'],
    fixed: ['material'],
    hideFirst: ['id', 'job_type'],
    cells: {
      ...runCells,
      id: { mono: true, width: 120 },
      material: { mono: true, render: materialOf },
      job: { width: 160, render: (row) => row.job?.name ?? '-' },
      job_type: { width: 110, render: (row) => typeWord(row.job_type) },
    },
  },
  actions: {
    ...viewOnly.actions,
    row: [
      {
        key: 'detail',
        label: () => t('details'),
        icon: <Eye size={14} />,
        primary: true,
        href: (row: Run) => `#${pathOf('ExecutionDetail', row.id)}`,
      },
      {
        key: 'output',
        label: () => t('runOutput'),
        icon: <ScrollText size={14} />,
        disabledReason: (row: Run) => (row.task_id ? undefined : t('runNotStarted')),
        run: (row: Run, { reload }) => openTaskLog(row.task_id, { onEnd: reload }),
      },
    ],
  },
})

export const list = executionList()

const typeWords: Readonly<Record<string, TextKey>> = {
  playbook: 'typePlaybook',
  upload: 'transferUpload',
  fetch: 'transferFetch',
}
const typeWord = (type: unknown) => t(typeWords[String(type)] ?? 'typeAdhoc')

function Hosts({ row }: DetailContext<Run>) {
  const { execution, missing } = useExecution(row.id)
  if (!execution || missing) return null
  return (
    <>
      <div className="section-head">
        <h2>{t('hosts')}</h2>
      </div>
      <HostOutput execution={execution} />
      {row.job_type === 'playbook' && execution.isFinished && (
        <>
          <div className="section-head">
            <h2>{t('evidence')}</h2>
          </div>
          <Evidence id={row.id} collection={url} />
        </>
      )}
    </>
  )
}

function Steer({ row, reload }: DetailContext<Run>) {
  const go = useNavigate()
  if (!can('ops.add_jobexecution') || inRoot()) return null
  const post = (verb: string) => call<{ task_id: string }>(`${url}${row.id}/${verb}/`, { method: 'POST', body: {} })
  if (!row.is_finished)
    return (
      <Button danger icon={<Square size={14} />} onClick={() => void attempt(() => post('stop')).then(reload)}>
        {t('stop')}
      </Button>
    )
  if (row.is_success || !row.job) return null
  return (
    <Button
      icon={<RotateCcw size={14} />}
      onClick={() => void attempt(async () => go(pathOf('ExecutionDetail', (await post('retry')).task_id)))}
    >
      {t('runRetry')}
    </Button>
  )
}

export const detail: DetailSpec<Run> = {
  ...shared,
  title: (row) => materialOf(row).split('\n')[0] ?? row.id,
  badge: (row) => <RunState row={row} />,
  update: false,
  remove: false,
  headActions: (context) => <Steer {...context} />,
  facts: [
    { name: 'id', mono: true },
    { name: 'material', mono: true, render: materialOf },
    { name: 'job', render: (row) => row.job?.name },
    { name: 'job_type', render: (row) => t(row.job_type === 'playbook' ? 'typePlaybook' : 'typeAdhoc') },
    'is_finished',
    'is_success',
    { name: 'time_cost', render: (row) => secondsOf(row.time_cost) },
    'date_start',
    'date_finished',
    'date_created',
  ],
  sections: (context) => <Hosts {...context} />,
}
