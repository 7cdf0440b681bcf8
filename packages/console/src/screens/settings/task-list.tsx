/** Kinds of background tasks: how their runs ended, and when they run next. */
import { pathOf } from '@castellan/contract/routes'
import { CirclePlay, ListChecks } from 'lucide-react'
import { Time } from '../../kit/cells.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { type ListSpec, viewOnly } from '../../kit/list/spec.ts'
import type { Row } from '../../kit/row.ts'
import { session } from '../../kit/session.ts'
import { Dot } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { runTask, type Task, titleOf } from './task-run.ts'

export const url = '/api/v1/ops/tasks/'

const states = {
  green: ['ok', 'taskFine'],
  yellow: ['warning', 'taskFailedLately'],
  red: ['danger', 'taskFailedLast'],
} as const

export function TaskState({ state }: { state: Task['state'] }) {
  const [tone, text] = states[state] ?? states.green
  return <Dot is={tone}>{t(text)}</Dot>
}

const spec: ListSpec<Row & Task> = {
  ...viewOnly,
  id: 'TaskList',
  url,
  resource: 'ops.celerytask',
  path: pathOf('TaskList'),
  noun: 'systemTask',
  files: { import: false, export: false },
  row: {
    title: titleOf,
    icon: () => <ListChecks size={16} className="kind" />,
    secondary: 'schedule',
  },
  card: { subtitle: (row) => row.schedule, badge: (row) => <TaskState state={row.state} />, time: 'date_last_publish' },
  columns: {
    only: ['name', 'queue', 'count', 'state', 'date_last_publish', 'date_next', 'schedule'],
    extra: ['queue', 'count'],
    shown: ['name', 'queue', 'count', 'state', 'date_last_publish', 'date_next'],
    fixed: ['name'],
    cells: {
      name: { label: t('taskName'), render: titleOf },
      queue: { label: t('taskQueue'), width: 110, sortable: false, render: (row) => row.meta.queue },
      count: {
        label: t('taskCount'),
        width: 130,
        align: 'right',
        sortable: false,
        render: (row) => `${row.summary.success}/${row.summary.total}`,
      },
      state: { width: 190, sortable: false, render: (row) => <TaskState state={row.state} /> },
      date_last_publish: {
        label: t('taskLastRun'),
        width: 150,
        render: (row) => <Time value={row.date_last_publish} />,
      },
      date_next: { label: t('taskNextRun'), width: 150, render: (row) => <Time value={row.date_next} /> },
      schedule: { label: t('taskSchedule'), width: 150, mono: true },
    },
  },
  actions: {
    ...viewOnly.actions,
    row: [
      {
        key: 'run',
        label: () => t('taskRunNow'),
        icon: <CirclePlay size={14} />,
        visible: (row: Task) => row.is_periodic && session().profile.is_superuser === true,
        run: (row: Task, { reload }) => runTask(row, reload),
      },
    ],
  },
}

export const TaskList = () => <ListView<Row & Task> spec={spec} />
