import { pathOf } from '@castellan/contract/routes'
import { CirclePlay, FileSearch, RefreshCw } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { Time, Words } from '../../kit/cells.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { Acting, ListSpec } from '../../kit/list/spec.ts'
import { at, number, type Row, wordOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { belowCreate, centerTab } from './center-tabs.ts'
import { Regions } from './Regions.tsx'
import { TaskStrategies } from './TaskStrategies.tsx'

export const url = '/api/v1/xpack/cloud/sync-instance-tasks/'
export const shared = { url, resource: 'xpack.syncinstancetask', noun: 'syncTask' } as const
export type Task = WireRow<typeof url>

export const mayRun = (): boolean => can('xpack.add_syncinstancetaskexecution') && !inRoot()

/** Starts a synchronization and shows its log. */
export async function run(row: Row, reload: () => void): Promise<void> {
  const { task } = await call<{ task: string }>(`${url}${row.id}/run/`)
  toast.ok(t('syncStarted'))
  openTaskLog(task, { onEnd: reload })
}

/** A number that leads to a tab of the task's page. */
const Amount = ({
  row,
  name,
  tab,
  may,
}: {
  row: Task
  name: 'history_count' | 'instance_count'
  tab: string
  may: string
}) => {
  const count = number(Number(row[name] ?? 0))
  return can(may) ? <a href={`#${pathOf('SyncInstanceTaskDetail', row.id)}?activeTab=${tab}`}>{count}</a> : count
}

export const list: ListSpec<Task> = {
  ...shared,
  id: 'SyncInstanceTaskList',
  path: belowCreate('SyncInstanceTaskCreate'),
  texts: { empty: 'syncTasksEmpty', help: 'syncTasksHelp' },
  columns: {
    shown: ['name', 'account', 'hostname_strategy', 'is_periodic', 'history_count', 'instance_count', 'date_last_sync'],
    fixed: ['name', 'account'],
    exclude: ['account_display'],
    cells: {
      account: { width: 160, render: (row) => String(at(row, 'account.name') ?? '') },
      hostname_strategy: { width: 220 },
      is_periodic: { width: 110 },
      periodic_display: { width: 170 },
      regions: { width: 180, render: (row) => <Words of={(row.regions as string[]) ?? []} /> },
      strategy: { width: 180, render: (row) => <Words of={((row.strategy ?? []) as Row[]).map(wordOf)} /> },
      history_count: {
        width: 130,
        align: 'right',
        render: (row) => (
          <Amount row={row} name="history_count" tab="HistoryList" may="xpack.view_syncinstancetaskexecution" />
        ),
      },
      instance_count: {
        width: 110,
        align: 'right',
        render: (row) => <Amount row={row} name="instance_count" tab="AssetList" may="xpack.view_syncinstancedetail" />,
      },
      date_last_sync: { width: 170, render: (row) => <Time value={row.date_last_sync} /> },
    },
  },
  row: { icon: () => <RefreshCw size={16} className="kind" /> },
  card: { subtitle: (row) => String(at(row, 'account.name') ?? ''), time: 'date_last_sync' },
  actions: {
    create: { label: 'syncTaskCreate', to: pathOf('SyncInstanceTaskCreate') },
    clone: false,
    row: [
      {
        key: 'run',
        label: () => t('execute'),
        icon: <CirclePlay size={14} />,
        primary: true,
        visible: mayRun,
        run: (row: Task, { reload }: Acting<Task>) => run(row, reload),
      },
      {
        key: 'preview',
        label: () => t('syncPreview'),
        icon: <FileSearch size={14} />,
        visible: () => mayRun() && can('xpack.view_syncinstancetaskexecution'),
        href: (row: Task) => `#${pathOf('SyncInstanceTaskDetail', row.id)}?preview=1`,
      },
    ],
  },
  files: { import: false, export: false },
  bulk: false,
}

const isPeriodic = { is_periodic: true }

export const form: FormSpec<WireForm<typeof url>> = {
  ...shared,
  path: centerTab('SyncInstanceTaskList'),
  saved: { detail: (saved) => pathOf('SyncInstanceTaskDetail', saved.id) },
  initial: () => ({
    is_periodic: true,
    interval: 24,
    hostname_strategy: 'instance_name_partial_ip',
    ip_network_segment_group: ['*'],
  }),
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name'] },
    { key: 'source', title: 'cloudSource', fields: ['account', 'regions'] },
    {
      key: 'save',
      title: 'cloudSave',
      fields: ['hostname_strategy', 'sync_ip_type', 'ip_network_segment_group', 'is_always_update', 'released_action'],
    },
    { key: 'actions', title: 'cloudStrategyGroup', help: 'cloudStrategyHelp', fields: ['strategy'] },
    { key: 'timer', title: 'planSchedule', fields: ['is_periodic', 'crontab', 'interval'] },
    { key: 'other', title: 'groupOther', fields: ['comment'] },
  ],
  fields: {
    account: {
      source: {
        url: '/api/v1/xpack/cloud/accounts/',
        label: (row) => `${wordOf(row.name)} (${wordOf(row.provider)})`,
      },
      follow: () => ({ regions: [] }),
    },
    regions: { component: Regions },
    ip_network_segment_group: { widget: 'ip-group' },
    strategy: { component: TaskStrategies },
    crontab: {
      layout: { half: true },
      widget: 'cron',
      state: { enableWhen: isPeriodic },
      validation: {
        check: (value, values) => (values.is_periodic && !value && !values.interval ? t('planNeedsTime') : undefined),
      },
    },
    interval: { layout: { half: true }, state: { enableWhen: isPeriodic } },
  },
  submit: { clean: (body) => ({ ...body, ...(body.interval === '' ? { interval: null } : {}) }) },
}
