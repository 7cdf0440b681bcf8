import { pathOf } from '@castellan/contract/routes'
import { Button } from 'antd'
import { CirclePlay, ListRestart, Square } from 'lucide-react'
import { attempt } from '../../../kit/api/errors.ts'
import { Time } from '../../../kit/cells.tsx'
import { Shares } from '../../../kit/charts/Shares.tsx'
import type { DetailContext, DetailSpec } from '../../../kit/detail/DetailPage.tsx'
import type { Fact } from '../../../kit/detail/Facts.tsx'
import { lazyComponent } from '../../../kit/lazy-component.tsx'
import { ListView } from '../../../kit/list/ListView.tsx'
import { inside } from '../../../kit/list/spec.ts'
import { actorOf, at, number, type Row, wordOf } from '../../../kit/row.ts'
import { can, code } from '../../../kit/session.ts'
import { t } from '../../../kit/text.ts'
import {
  ExecutionStatus,
  ItemStatus,
  isRunning,
  planName,
  planOf,
  pollMs,
  summaryOf,
  useFollowed,
} from './execution-status.tsx'
import { mayRetry, mayStop, retry, stop } from './executions.tsx'
import { Records } from './records.tsx'
import type { AutomationScreens } from './screens.ts'

const TaskLogView = lazyComponent(() => import('../../../kit/TaskLogView.tsx'))

/** What the execution did: its targets by outcome, and why it did nothing or ended early. */
function SummaryView(context: DetailContext) {
  useFollowed(context)
  const summary = summaryOf(context.row)
  const { total, success, failed, skipped, canceled, lost } = summary
  const ended = success + failed + skipped + canceled + lost
  const parts = [
    { key: 'success', label: t('outcomeSuccess'), total: success, tone: 'ok' },
    { key: 'failed', label: t('outcomeFailed'), total: failed, tone: 'danger' },
    { key: 'skipped', label: t('outcomeSkipped'), total: skipped, tone: 'idle' },
    { key: 'canceled', label: t('outcomeCanceled'), total: canceled, tone: 'warning' },
    { key: 'lost', label: t('outcomeLost'), total: lost, tone: 'info' },
    { key: 'remaining', label: t('outcomeRemaining'), total: total - ended, tone: 'remaining' },
  ] as const
  if (total === 0 && !summary.reason) return null
  return (
    <section className="execution-results">
      <div className="section-head">
        <h2>{t('executionSummary')}</h2>
      </div>
      {summary.reason && (
        <p role="status" className="execution-reason">
          {summary.reason.label}
        </p>
      )}
      {total > 0 && (
        <Shares
          chart="execution_results"
          parts={parts.filter((part) => part.total > 0 || part.key === 'success' || part.key === 'failed')}
        />
      )}
    </section>
  )
}

/** The page of a target, for users who may view it. */
function targetPage(item: Row): string | undefined {
  const id = String(at(item, 'target.id'))
  const type = at(item, 'target.type')
  if (type === 'assets.asset' && can('assets.view_asset')) return pathOf('AssetDetail', id)
  return type === 'accounts.account' && can('accounts.view_account') ? pathOf('AssetAccountDetail', id) : undefined
}

/** The targets of an execution with their outcomes. */
function Items({ screens, context }: { screens: AutomationScreens; context: DetailContext }) {
  const { row } = context
  useFollowed(context)
  return (
    <ListView
      spec={{
        ...inside,
        id: 'ExecutionItems',
        url: `${screens.executionsUrl}${row.id}/items/`,
        resource: screens.executionResource,
        noun: 'executionTarget',
        texts: { empty: 'executionTargetsEmpty' },
        row: {
          nameColumn: 'target',
          title: (item) => wordOf(item.target),
          link: targetPage,
        },
        columns: {
          shown: ['target', 'status', 'error', 'date_finished'],
          exclude: ['id'],
          cells: {
            target: { render: (item) => wordOf(item.target) },
            status: { width: 130, render: (item) => <ItemStatus row={item} /> },
            error: { width: 420, render: (item) => wordOf(item.error) },
            attempts: { width: 90, align: 'right' },
            date_start: { width: 170, render: (item) => <Time value={item.date_start} /> },
            date_finished: { width: 170, render: (item) => <Time value={item.date_finished} /> },
          },
        },
        card: { badge: (item) => <ItemStatus row={item} />, subtitle: (item) => wordOf(item.error) },
        ...(isRunning(row) ? { data: { pollMs } } : {}),
      }}
    />
  )
}

/** Those who receive the report; where secrets are mailed, those without a password for files get none. */
const recipientsOf = (row: Row, { records }: AutomationScreens): string =>
  Object.values((at(row, 'snapshot.recipients') as Record<string, [string, boolean]> | undefined) ?? {})
    .map(([name, hasPassword]) => (hasPassword || !records ? name : t('recipientWithoutFile', { name })))
    .join(', ')

/** Facts for columns of the list. */
const amounts = (
  [
    ['asset_amount', 'planAsset'],
    ['node_amount', 'planNode'],
  ] as const
).map(([column, label]) => {
  const name = `snapshot.${column}`
  const fact: Fact = { name, label, render: (row) => number(Number(at(row, name) ?? 0)) }
  return { column, fact }
})

const recordsTab = ({ records }: AutomationScreens): DetailSpec['tabs'] & object =>
  records
    ? [
        {
          key: 'ExecutionRecords',
          title: 'executionRecords',
          permission: records.view,
          render: (context) => <Records records={records} context={context} />,
        },
      ]
    : []

/** The page of one execution. */
export const executionDetail = (screens: AutomationScreens): DetailSpec => ({
  url: screens.executionsUrl,
  resource: screens.executionResource,
  path: `${pathOf(screens.list)}?activeTab=${screens.executionsTab}`,
  noun: 'execution',
  title: planName,
  icon: () => <CirclePlay size={20} />,
  badge: (row) => <ExecutionStatus row={row} />,
  update: false,
  remove: false,
  activity: false,
  headActions: ({ row, reload }) => (
    <>
      {mayStop(screens, row) && (
        <Button danger icon={<Square size={16} />} onClick={() => stop(screens, row, reload)}>
          {t('taskStop')}
        </Button>
      )}
      {mayRetry(screens, row) && (
        <Button icon={<ListRestart size={16} />} onClick={() => void attempt(() => retry(screens, row, reload))}>
          {t('executionRetry')}
        </Button>
      )}
    </>
  ),
  facts: [
    {
      name: 'automation',
      label: 'executionPlan',
      render: (row) => {
        const id = planOf(row)
        return id && can(code(screens.resource, 'view')) ? (
          <a className="linkish" href={`#${pathOf(screens.detail, id)}`}>
            {planName(row)}
          </a>
        ) : (
          planName(row)
        )
      },
    },
    { name: 'status', render: (row) => <ExecutionStatus row={row} /> },
    'trigger',
    { name: 'created_by', label: 'executionStarter', render: (row) => wordOf(actorOf(row.created_by)) },
    ...amounts.filter(({ column }) => screens.executionColumns.includes(column)).map(({ fact }) => fact),
    'date_start',
    'date_finished',
    {
      name: 'snapshot.recipients',
      label: 'executionRecipients',
      render: (row) => recipientsOf(row, screens),
      visible: (row) => recipientsOf(row, screens) !== '',
    },
    { name: 'snapshot.comment', label: 'comment', render: (row) => wordOf(at(row, 'snapshot.comment')) },
    { name: 'id', mono: true },
  ],
  sections: (context) => <SummaryView {...context} />,
  tabs: [
    ...recordsTab(screens),
    {
      key: 'ExecutionItems',
      title: 'executionTargets',
      render: (context) => <Items screens={screens} context={context} />,
    },
    {
      key: 'ExecutionLog',
      title: 'executionLog',
      render: ({ row, reload }) => (
        <div className="embedded-log">
          <TaskLogView id={row.id} onEnd={reload} />
        </div>
      ),
    },
  ],
})
