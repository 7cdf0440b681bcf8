import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { CirclePlay, RefreshCw, ScrollText } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { Named, Time } from '../../kit/cells.tsx'
import { confirm } from '../../kit/confirm.ts'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { RelationCard } from '../../kit/detail/RelationCard.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { inside, type ListSpec } from '../../kit/list/spec.ts'
import { at, number, type Row } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { centerTab } from './center-tabs.ts'
import { PreviewButton } from './Preview.tsx'
import { countNames, InstanceStatus, SyncStatus } from './statuses.tsx'
import { strategySource } from './strategies.tsx'
import { mayRun, run, shared, type Task, url } from './tasks.tsx'

/** How often a list that may change is read again. Milliseconds. */
const pollMs = 5000

const counts = ['new', 'updated', 'sync', 'unsync', 'released'] as const

const historyOf = (task: string): ListSpec => ({
  ...inside,
  id: 'HistoryList',
  url: `${url}${task}/history/`,
  resource: 'xpack.syncinstancetaskexecution',
  noun: 'synchronization',
  texts: { empty: 'syncHistoryEmpty' },
  data: { pollMs },
  columns: {
    extra: counts.map((name) => `summary.${name}`),
    only: ['date_sync', ...counts.map((name) => `summary.${name}`), 'status', 'trigger', 'date_start', 'reason'],
    shown: ['date_sync', ...counts.map((name) => `summary.${name}`), 'status'],
    fixed: ['date_sync'],
    cells: {
      ...Object.fromEntries(
        counts.map((name) => [
          `summary.${name}`,
          {
            label: t(countNames[name]),
            width: 120,
            align: 'right' as const,
            render: (row: Row) => number(Number(at(row, `summary.${name}`) ?? 0)),
          },
        ]),
      ),
      status: { width: 130, render: (row) => <SyncStatus row={row} /> },
      date_sync: { width: 180, render: (row) => <Time value={row.date_sync} /> },
      date_start: { width: 180, render: (row) => <Time value={row.date_start} /> },
    },
  },
  row: { nameColumn: 'date_sync', title: (row) => String(row.date_sync ?? row.date_start ?? row.id) },
  card: { badge: (row) => <SyncStatus row={row} />, time: 'date_start' },
  actions: {
    ...inside.actions,
    row: [
      {
        key: 'log',
        label: () => t('executionLog'),
        icon: <ScrollText size={14} />,
        primary: true,
        run: (row) => openTaskLog(row.id),
      },
    ],
  },
})

function DeleteReleased({ task, reload }: { task: string; reload: () => void }) {
  if (!can('xpack.change_syncinstancetask') || !can('assets.delete_asset') || inRoot()) return null
  const erase = async () => {
    let deleted = 0
    for (;;) {
      const answer = await call<{ deleted: number; left: number }>(`${url}${task}/released-assets/`, {
        method: 'DELETE',
      })
      deleted += answer.deleted
      if (answer.deleted === 0 || answer.left === 0) break
    }
    toast.ok(t('syncReleasedDeleted', { count: deleted }))
    reload()
  }
  return (
    <Button
      danger
      onClick={() =>
        confirm({
          title: t('syncDeleteReleased'),
          text: t('syncDeleteReleasedText'),
          verb: t('delete'),
          danger: true,
          run: erase,
        })
      }
    >
      {t('syncDeleteReleased')}
    </Button>
  )
}

const instancesOf = (task: string): ListSpec => ({
  ...inside,
  id: 'AssetList',
  url: `${url}${task}/instances/`,
  resource: 'xpack.syncinstancedetail',
  noun: 'syncedInstance',
  texts: { empty: 'syncInstancesEmpty' },
  columns: {
    shown: ['instance_name', 'instance_id', 'asset', 'asset_ip', 'region', 'status', 'date_sync'],
    exclude: ['task', 'id'],
    fixed: ['instance_name'],
    cells: {
      instance_id: { width: 200, mono: true },
      asset: {
        width: 200,
        render: (row) => (
          <Named
            of={row.asset}
            href={
              row.asset && can('assets.view_asset')
                ? `#${pathOf('AssetDetail', String(at(row, 'asset.id')))}`
                : undefined
            }
          />
        ),
      },
      asset_ip: { width: 150, mono: true },
      region: { width: 130 },
      status: { width: 160, render: (row) => <InstanceStatus row={row} /> },
      date_sync: { width: 170, render: (row) => <Time value={row.date_sync} /> },
    },
  },
  row: { nameColumn: 'instance_name', title: (row) => String(row.instance_name) },
  card: { badge: (row) => <InstanceStatus row={row} />, time: 'date_sync' },
  actions: { ...inside.actions, toolbar: ({ reload }) => <DeleteReleased task={task} reload={reload} /> },
})

function Sections({ row, reload }: DetailContext<Task>) {
  const strategies = (row.strategy ?? []) as Row[]
  const change = (ids: readonly string[]) => call(`${url}${row.id}/`, { method: 'PATCH', body: { strategy: ids } })
  return (
    <>
      <QuickActions
        actions={[
          {
            key: 'run',
            title: t('syncRunTitle'),
            verb: t('execute'),
            visible: mayRun(),
            run: () => run(row, reload),
          },
        ]}
      />
      {can('xpack.view_strategy') && (
        <RelationCard
          title={t('cloudStrategies')}
          source={strategySource}
          members={strategies}
          disabled={!can('xpack.change_strategy') || !can('xpack.change_syncinstancetask')}
          add={(ids) => change([...strategies.map(({ id }) => id), ...ids])}
          remove={(id) => change(strategies.map((one) => one.id).filter((one) => one !== id))}
          onChanged={reload}
        />
      )}
    </>
  )
}

export const detail: DetailSpec<Task> = {
  ...shared,
  path: centerTab('SyncInstanceTaskList'),
  icon: () => <RefreshCw size={20} />,
  headActions: ({ row, reload }) =>
    mayRun() ? (
      <>
        <PreviewButton row={row} />
        <Button type="primary" icon={<CirclePlay size={16} />} onClick={() => void attempt(() => run(row, reload))}>
          {t('execute')}
        </Button>
      </>
    ) : null,
  facts: [
    'id',
    'name',
    'account_display',
    'regions',
    'node_display',
    'strategy',
    'hostname_strategy',
    'sync_ip_type',
    'ip_network_segment_group',
    'is_always_update',
    'released_action',
    'is_periodic',
    'periodic_display',
    'date_last_sync',
    'created_by',
    'date_created',
    'comment',
  ],
  sections: (context) => <Sections {...context} />,
  tabs: [
    {
      key: 'HistoryList',
      title: 'syncHistory',
      visible: () => can('xpack.view_syncinstancetaskexecution'),
      render: ({ row }) => <ListView spec={historyOf(row.id)} />,
    },
    {
      key: 'AssetList',
      title: 'syncInstances',
      visible: () => can('xpack.view_syncinstancedetail'),
      render: ({ row }) => <ListView spec={instancesOf(row.id)} />,
    },
  ],
}
