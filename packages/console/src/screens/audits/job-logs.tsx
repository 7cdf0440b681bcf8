import { FileSearch, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { EvidenceDialog } from '../../domain/ops/Evidence.tsx'
import { RunState, runCells } from '../../domain/ops/run-cells.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import type { ScreenModule } from '../../kit/screen.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { readOnly } from './read-only.ts'

const url = '/api/v1/audits/job-logs/'

type JobLog = WireRow<typeof url>

const listOf = (showEvidence: (id: string) => void): ListSpec<JobLog> => ({
  ...readOnly,
  id: 'JobExecutionLog',
  url,
  resource: 'audits.joblog',
  noun: 'execution',
  row: { ...readOnly.row, nameColumn: 'material', title: (row) => String(row.material ?? '') },
  card: {
    subtitle: (row) => String(row.creator_name ?? ''),
    badge: (row) => <RunState row={row} />,
    time: 'date_start',
  },
  columns: {
    shown: ['material', 'creator_name', 'is_finished', 'is_success', 'time_cost', 'date_start', 'date_finished'],
    fixed: ['material', 'is_success'],
    exclude: ['task_id'],
    cells: {
      ...runCells,
      material: { mono: true, render: (row) => String(row.material ?? '') },
      creator_name: { width: 160 },
    },
  },
  actions: {
    ...readOnly.actions,
    row: [
      {
        key: 'output',
        label: () => t('runOutput'),
        icon: <ScrollText size={14} />,
        primary: true,
        disabledReason: (row: JobLog) => (row.task_id ? undefined : t('runNotStarted')),
        run: (row: JobLog, { reload }) => openTaskLog(row.task_id, { onEnd: reload }),
      },
      {
        key: 'evidence',
        label: () => t('evidence'),
        icon: <FileSearch size={14} />,
        run: (row: JobLog) => showEvidence(row.id),
      },
    ],
  },
})

export const ask: ScreenModule['ask'] = (client, address) => askAhead(client, { ...readOnly, url }, address)

/** Executions of all users, with their output and what the worker noted of playbooks. */
export default function JobLogs() {
  const [shown, setShown] = useState<string>()
  return (
    <>
      <ListPage spec={listOf(setShown)} />
      {shown && <EvidenceDialog id={shown} collection={url} onClose={() => setShown(undefined)} />}
    </>
  )
}
