import { pathOf } from '@castellan/contract/routes'
import { Workflow } from 'lucide-react'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { number, type Row, rowsIn, wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { belowCreate, centerTab } from './center-tabs.ts'
import { StrategyActions } from './StrategyActions.tsx'

const url = '/api/v1/xpack/cloud/strategies/'
const shared = { url, resource: 'xpack.strategy', noun: 'cloudStrategy' } as const
type Strategy = WireRow<typeof url>

export const partsIn = (value: unknown): readonly Row[] => rowsIn((value ?? []) as Row[])

/** Number of parts, with their words as a tooltip. */
const Count = ({ of }: { of: readonly string[] }) => <span title={of.join('\n')}>{number(of.length)}</span>

const ruleWords = (row: Strategy) =>
  partsIn(row.strategy_rules).map((rule) => `${wordOf(rule.attr)} ${wordOf(rule.match)} ${wordOf(rule.value)}`)
const actionWords = (row: Strategy) =>
  partsIn(row.strategy_actions).map((action) => `${wordOf(action.attr)}: ${wordOf(action.value)}`)

export const list: ListSpec<Strategy> = {
  ...shared,
  id: 'CloudStrategyList',
  path: belowCreate('CloudStrategyCreate'),
  texts: { empty: 'cloudStrategiesEmpty', help: 'cloudStrategiesHelp' },
  columns: {
    shown: ['name', 'priority', 'strategy_rules', 'strategy_actions', 'comment'],
    fixed: ['name'],
    cells: {
      priority: { width: 110, align: 'right' },
      strategy_rules: { width: 110, align: 'right', render: (row) => <Count of={ruleWords(row)} /> },
      strategy_actions: { width: 110, align: 'right', render: (row) => <Count of={actionWords(row)} /> },
    },
  },
  row: { icon: () => <Workflow size={16} className="kind" /> },
  actions: { create: { label: 'cloudStrategyCreate', to: pathOf('CloudStrategyCreate') }, clone: false },
  files: { import: false, export: false },
  bulk: false,
}

export const form: FormSpec<WireForm<typeof url>> = {
  ...shared,
  path: centerTab('StrategyList'),
  saved: { detail: (saved) => pathOf('CloudStrategyDetail', saved.id) },
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'priority'] },
    { key: 'strategy', title: 'cloudStrategyParts', fields: ['strategy_rules', 'strategy_actions'] },
    { key: 'other', title: 'groupOther', fields: ['comment'] },
  ],
  fields: {
    strategy_rules: { widget: 'repeat' },
    strategy_actions: { component: StrategyActions },
  },
}

const Lines = ({ of }: { of: readonly string[] }) => (
  <>
    {of.map((line) => (
      <div key={line}>{line}</div>
    ))}
  </>
)

export const detail: DetailSpec<Strategy> = {
  ...shared,
  path: centerTab('StrategyList'),
  icon: () => <Workflow size={20} />,
  facts: [
    'id',
    'name',
    'priority',
    { name: 'strategy_rules', render: (row) => ruleWords(row).length > 0 && <Lines of={ruleWords(row)} /> },
    { name: 'strategy_actions', render: (row) => actionWords(row).length > 0 && <Lines of={actionWords(row)} /> },
    'comment',
    'org_name',
    'date_created',
  ],
}

/** A strategy in a select of tasks. */
export const strategySource = {
  url: `${url}?order=-priority`,
  label: (row: Row) => t('cloudStrategyTitle', { name: wordOf(row.name), priority: number(Number(row.priority ?? 0)) }),
}
