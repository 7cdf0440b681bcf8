import { pathOf } from '@castellan/contract/routes'
import { Archive, Eye, ScrollText } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Time } from '../../kit/cells.tsx'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { type ListSpec, viewOnly } from '../../kit/list/spec.ts'
import { at, duration, type Row, rawOf, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Dot, Status } from '../../kit/status.tsx'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'

const TaskLogView = lazyComponent(() => import('../../kit/TaskLogView.tsx'))

const url = '/api/v1/accounts/account-backup-plan-executions/'
const resource = 'accounts.accountbackupexecution'
export const executionsTab = 'AccountBackupPlanExecutionList'

/** How often executions that may still run are read again. Milliseconds. */
const pollMs = 5000

const isRunning = (row: Row): boolean => row.reason === ''
const planName = (row: Row): string => wordOf(at(row, 'snapshot.name'))
const planLink = (row: Row): string | undefined =>
  row.plan && can('accounts.view_accountbackupautomation')
    ? pathOf('AccountBackupPlanDetail', String(rawOf(row.plan)))
    : undefined
const lasted = (row: Row): string => duration(Number(row.timedelta ?? 0) * 1000)

function Outcome({ row }: { row: Row }) {
  if (isRunning(row))
    return (
      <Dot is="ok" live>
        {t('backupRunning')}
      </Dot>
    )
  return <Status is={row.is_success ? 'ok' : 'danger'}>{t(row.is_success ? 'outcomeSuccess' : 'outcomeFailed')}</Status>
}

/** Names of those who were to receive a part. */
const receivers = (row: Row, part: string): string =>
  Object.values((at(row, `snapshot.${part}`) as Record<string, [string]> | undefined) ?? {})
    .map(([name]) => name)
    .join(', ') || '-'

/** Executions of backups, of all plans or of one. */
export const backupExecutions = (plan?: string): ListSpec => ({
  ...viewOnly,
  id: executionsTab,
  url,
  data: { query: plan ? { plan_id: plan } : undefined, pollMs },
  search: { inAddress: !plan },
  resource,
  path: pathOf('AccountBackupPlanExecutionDetail').replace('/:id', ''),
  noun: 'execution',
  texts: { empty: 'executionsEmpty' },
  files: { ...viewOnly.files, export: false },
  row: { nameColumn: 'AccountBackupName', title: planName, link: planLink },
  columns: {
    extra: ['AccountBackupName'],
    shown: ['AccountBackupName', 'timedelta', 'trigger', 'date_start', 'is_success', 'reason'],
    exclude: ['plan', 'snapshot', 'id', 'org_id'],
    fixed: ['AccountBackupName'],
    cells: {
      AccountBackupName: { label: t('executionPlan'), render: planName },
      timedelta: { width: 110, align: 'right', render: lasted },
      trigger: { width: 130, render: (row) => wordOf(row.trigger) },
      date_start: { width: 170, render: (row) => <Time value={row.date_start} /> },
      is_success: { width: 130, render: (row) => <Outcome row={row} /> },
      reason: { width: 360, render: (row) => wordOf(row.reason) },
    },
  },
  card: { badge: (row) => <Outcome row={row} />, subtitle: (row) => wordOf(row.reason), time: 'date_start' },
  actions: {
    ...viewOnly.actions,
    row: [
      {
        key: 'detail',
        label: () => t('details'),
        icon: <Eye size={14} />,
        primary: true,
        href: (row) => `#${pathOf('AccountBackupPlanExecutionDetail', row.id)}`,
      },
      { key: 'log', label: () => t('executionLog'), icon: <ScrollText size={14} />, run: (row) => openTaskLog(row.id) },
    ],
  },
})

/** The log, while which the execution is read again until it has ended. */
function Log({ row, reload }: DetailContext) {
  const again = useRef(reload)
  again.current = reload
  const running = isRunning(row)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => again.current(), pollMs)
    return () => clearInterval(timer)
  }, [running])
  return (
    <section>
      <div className="section-head">
        <h2>{t('executionLog')}</h2>
      </div>
      <div className="embedded-log">
        <TaskLogView id={row.id} onEnd={reload} />
      </div>
    </section>
  )
}

const part = (name: string, label: 'backupFirst' | 'backupSecond') => ({
  name,
  label,
  render: (row: Row) => receivers(row, name),
  visible: (row: Row) => receivers(row, name) !== '-',
})

/** The page of one execution. */
export const backupExecutionDetail: DetailSpec = {
  url,
  resource,
  path: `${pathOf('AccountBackupList')}?activeTab=${executionsTab}`,
  noun: 'execution',
  title: planName,
  icon: () => <Archive size={20} />,
  badge: (row) => <Outcome row={row} />,
  update: false,
  remove: false,
  activity: false,
  facts: [
    { name: 'id', mono: true },
    { name: 'timedelta', render: lasted },
    'date_start',
    'trigger',
    { name: 'is_success', render: (row) => <Outcome row={row} /> },
    { name: 'reason', render: (row) => wordOf(row.reason) || '-' },
    part('recipients_part_one', 'backupFirst'),
    part('recipients_part_two', 'backupSecond'),
    part('obj_recipients_part_one', 'backupFirst'),
    part('obj_recipients_part_two', 'backupSecond'),
  ],
  sections: (context) => <Log {...context} />,
}
