/** One kind of background task with its runs. */
import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { CirclePlay, RotateCw, ScrollText } from 'lucide-react'
import { pollRuns, runCells } from '../../domain/ops/run-cells.tsx'
import { call } from '../../kit/api/client.ts'
import { Time } from '../../kit/cells.tsx'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { inside, type ListSpec } from '../../kit/list/spec.ts'
import type { Row } from '../../kit/row.ts'
import { session } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { TaskState, url } from './task-list.tsx'
import { runTask, type Task, titleOf } from './task-run.ts'

const mayRun = (task: Task) => task.is_periodic && session().profile.is_superuser === true

type Run = Row & { id: string; is_finished: boolean; is_success: boolean; time_cost: number | null }

const runs = (task: Task): ListSpec<Run> => ({
  ...inside,
  id: 'TaskDetail',
  url: '/api/v1/ops/task-executions/',
  data: { query: { task_id: task.id }, pollMs: pollRuns },
  resource: 'ops.celerytaskexecution',
  noun: 'execution',
  row: { nameColumn: 'id', link: () => undefined },
  columns: {
    only: ['id', 'is_finished', 'is_success', 'time_cost', 'date_start', 'date_published', 'date_finished'],
    shown: ['id', 'is_finished', 'is_success', 'time_cost', 'date_start'],
    fixed: ['id'],
    cells: { ...runCells, id: { mono: true } },
  },
  actions: {
    ...inside.actions,
    row: [
      {
        key: 'output',
        label: () => t('runOutput'),
        icon: <ScrollText size={14} />,
        primary: true,
        run: (row: Run, { reload }) => openTaskLog(row.id, { onEnd: reload }),
      },
      {
        key: 'again',
        label: () => t('runAgain'),
        icon: <RotateCw size={14} />,
        visible: () => mayRun(task),
        run: async (row: Run, { reload }) => {
          const { task_id } = await call<{ task_id: string }>(`/api/v1/ops/task-executions/?from=${row.id}`, {
            method: 'POST',
            body: {},
          })
          reload()
          openTaskLog(task_id, { onEnd: reload })
        },
      },
    ],
  },
})

export const detail: DetailSpec<Row & Task> = {
  url,
  resource: 'ops.celerytask',
  noun: 'systemTask',
  path: pathOf('TaskList'),
  title: titleOf,
  badge: (row) => <TaskState state={row.state} />,
  activity: false,
  update: false,
  remove: false,
  headActions: ({ row, reload }) =>
    mayRun(row) && (
      <Button type="primary" icon={<CirclePlay size={16} />} onClick={() => void runTask(row, reload)}>
        {t('taskRunNow')}
      </Button>
    ),
  facts: [
    { name: 'name', label: 'taskName', mono: true },
    { name: 'meta.comment', label: 'taskTitle' },
    { name: 'meta.queue', label: 'taskQueue' },
    { name: 'date_last_publish', label: 'taskLastRun', render: (row) => <Time value={row.date_last_publish} /> },
    { name: 'schedule', label: 'taskSchedule', mono: true },
    { name: 'date_next', label: 'taskNextRun', render: (row) => row.date_next && <Time value={row.date_next} /> },
  ],
  tabs: [
    {
      key: 'Executions',
      title: 'executions',
      permission: 'ops.view_celerytaskexecution',
      render: ({ row }) => <ListView<Run> spec={runs(row)} />,
    },
  ],
}
