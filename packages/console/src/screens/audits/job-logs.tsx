import { ScrollText } from 'lucide-react'
import { RunState, runCells } from '../../domain/ops/run-cells.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { readOnly } from './read-only.ts'

type JobLog = WireRow<'/api/v1/audits/job-logs/'>

export const list: ListSpec<JobLog> = {
  ...readOnly,
  id: 'JobExecutionLog',
  url: '/api/v1/audits/job-logs/',
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
    ],
  },
}
