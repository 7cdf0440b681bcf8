import { pathOf } from '@castellan/contract/routes'
import { CirclePlay, Eye, ListRestart, ScrollText, Square } from 'lucide-react'
import { call } from '../../../kit/api/client.ts'
import { Time } from '../../../kit/cells.tsx'
import { confirm } from '../../../kit/confirm.ts'
import type { ListSpec, RowAction } from '../../../kit/list/spec.ts'
import { viewOnly } from '../../../kit/list/spec.ts'
import { at, number, type Row, wordOf } from '../../../kit/row.ts'
import { can, code, inRoot } from '../../../kit/session.ts'
import { openTaskLog } from '../../../kit/task-log.ts'
import { t } from '../../../kit/text.ts'
import { toast } from '../../../kit/toast.ts'
import { ExecutionStatus, isRunning, planName, planOf, repeatable } from './execution-status.tsx'
import type { AutomationScreens } from './screens.ts'

const maySteer = ({ executionResource }: AutomationScreens) => can(code(executionResource, 'add')) && !inRoot()

/** Starts a plan, or does again what failed, and shows the log. */
export async function started(url: string, body: object | undefined, reload: () => void): Promise<void> {
  const { task } = await call<{ task: string }>(url, { method: 'POST', body })
  toast.ok(t('executionStarted'))
  reload()
  openTaskLog(task, { onEnd: reload })
}

/** Starts a plan now. */
export const executeAction = (screens: AutomationScreens): RowAction => ({
  key: 'execute',
  label: () => t('execute'),
  icon: <CirclePlay size={14} />,
  primary: true,
  visible: () => maySteer(screens),
  disabledReason: whyIdle,
  run: (row, { reload }) => execute(screens, row, reload),
})

/** Why a plan cannot be started; undefined if it can. */
export const whyIdle = (plan: Row): string | undefined => (plan.is_active === false ? t('planDisabled') : undefined)

export const execute = (screens: AutomationScreens, row: Row, reload: () => void) =>
  started(screens.executionsUrl, { automation: row.id }, reload)

export const mayStop = (screens: AutomationScreens, row: Row): boolean => maySteer(screens) && isRunning(row)
export const mayRetry = (screens: AutomationScreens, row: Row): boolean =>
  maySteer(screens) && !isRunning(row) && planOf(row) !== undefined && repeatable(row) > 0

export const retry = (screens: AutomationScreens, row: Row, reload: () => void) =>
  started(`${screens.executionsUrl}${row.id}/retry/`, {}, reload)

export const stop = (screens: AutomationScreens, row: Row, reload: () => void) =>
  confirm({
    title: t('executionStopTitle'),
    text: t('executionStopText'),
    verb: t('taskStop'),
    danger: true,
    run: async () => {
      await call(`${screens.executionsUrl}${row.id}/stop/`, { method: 'POST', body: {} })
      reload()
    },
  })

/** How often executions that may still run are read again. Milliseconds. */
const pollMs = 5000

/** The executions of all plans, or of one. */
export function executionList(screens: AutomationScreens, plan?: string): ListSpec {
  const { executionsUrl: url, executionResource: resource, planColumn } = screens
  return {
    ...viewOnly,
    id: screens.executionsTab,
    url,
    data: { query: plan ? { automation_id: plan } : undefined, pollMs },
    search: { inAddress: !plan },
    resource,
    path: pathOf(screens.execution).replace('/:id', ''),
    noun: 'execution',
    texts: { empty: 'executionsEmpty' },
    files: { ...viewOnly.files, export: false },
    row: {
      nameColumn: planColumn,
      title: planName,
      link: (row) => {
        const id = planOf(row)
        return id && can(code(screens.resource, 'view')) ? pathOf(screens.detail, id) : undefined
      },
    },
    columns: {
      extra: [planColumn, ...screens.executionColumns],
      shown: [planColumn, ...screens.executionColumns, 'status', 'trigger', 'date_start', 'date_finished'],
      exclude: ['automation', 'snapshot', 'id'],
      fixed: [planColumn],
      cells: {
        [planColumn]: { label: t('executionPlan'), render: planName },
        asset_amount: {
          label: t('planAsset'),
          width: 90,
          align: 'right',
          render: (row) => number(Number(at(row, 'snapshot.asset_amount') ?? 0)),
        },
        node_amount: {
          label: t('planNode'),
          width: 90,
          align: 'right',
          render: (row) => number(Number(at(row, 'snapshot.node_amount') ?? 0)),
        },
        status: { width: 150, render: (row) => <ExecutionStatus row={row} /> },
        trigger: { width: 130, render: (row) => wordOf(row.trigger) },
        date_start: { width: 170, render: (row) => <Time value={row.date_start} /> },
        date_finished: { width: 170, render: (row) => <Time value={row.date_finished} /> },
      },
    },
    card: { badge: (row) => <ExecutionStatus row={row} />, subtitle: (row) => wordOf(row.trigger), time: 'date_start' },
    actions: {
      ...viewOnly.actions,
      row: [
        {
          key: 'detail',
          label: () => t('details'),
          icon: <Eye size={14} />,
          primary: true,
          href: (row) => `#${pathOf(screens.execution, row.id)}`,
        },
        {
          key: 'log',
          label: () => t('executionLog'),
          icon: <ScrollText size={14} />,
          run: (row) => openTaskLog(row.id),
        },
        {
          key: 'retry',
          label: () => t('executionRetry'),
          icon: <ListRestart size={14} />,
          visible: (row) => mayRetry(screens, row),
          run: (row, { reload }) => retry(screens, row, reload),
        },
        {
          key: 'stop',
          label: () => t('taskStop'),
          icon: <Square size={14} />,
          danger: true,
          visible: (row) => mayStop(screens, row),
          run: (row, { reload }) => stop(screens, row, reload),
        },
      ],
    },
  }
}
