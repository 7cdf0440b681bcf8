import { approvalStrategies } from '@castellan/contract/choices/tickets'
import { pathOf } from '@castellan/contract/routes'
import { Radio } from 'antd'
import { userSource } from '../../domain/acls/rule-attributes.ts'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec, WidgetProps } from '../../kit/form/spec.ts'
import { Remote } from '../../kit/form/widgets/Remote.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { viewOnly } from '../../kit/list/spec.ts'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { language, t } from '../../kit/text.ts'

const shared = {
  url: '/api/v1/tickets/flows/',
  path: pathOf('TicketFlow'),
  resource: 'tickets.ticketflow',
  noun: 'ticketFlow',
} as const

export const list: ListSpec<Row, string> = {
  ...shared,
  ...viewOnly,
  id: 'TicketFlow',
  columns: {
    shown: ['type', 'created_by', 'org_name', 'date_created', 'date_updated'],
    exclude: ['rules'],
    fixed: ['type'],
  },
  row: { nameColumn: 'type', title: (row) => wordOf(row.type), link: (row) => `${shared.path}/${row.id}` },
  actions: { clone: false, remove: false },
  files: { import: false, export: false },
  texts: { help: 'ticketFlowsHelp' },
}

interface Level {
  strategy: unknown
  assignees?: unknown[]
  assignees_read_only?: string[]
  assignees_display?: string[]
}

const userOf = (one: unknown): unknown => (typeof one === 'object' && one !== null ? (one as { id?: unknown }).id : one)
const levelsOf = (value: unknown, count: number): Level[] =>
  Array.from(
    { length: count },
    (_none, at) => (Array.isArray(value) ? (value as Level[])[at] : undefined) ?? { strategy: 'super_admin' },
  )

/** Who decides each level: a role, or chosen users. */
function Levels({ value, onChange, values, ...widget }: WidgetProps) {
  const levels = levelsOf(value, Number(rawOf(values.approval_level)) || 1)
  const change = (at: number, part: Partial<Level>) =>
    onChange(levels.map((level, index) => (index === at ? { ...level, ...part } : level)))
  return (
    <>
      {levels.map((level, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a level is its position
        <fieldset key={at} className="ticket-level">
          <legend>{t('ticketLevel', { level: at + 1 })}</legend>
          <Radio.Group
            value={rawOf(level.strategy)}
            disabled={widget.disabled}
            options={Object.entries(approvalStrategies).map(([key, label]) => ({ value: key, label: label[language] }))}
            onChange={(event) => change(at, { strategy: event.target.value })}
          />
          {rawOf(level.strategy) === 'custom_user' && (
            <Remote
              {...widget}
              values={values}
              id={`${widget.id}-${at}`}
              aria={{ ...widget.aria }}
              value={level.assignees ?? level.assignees_read_only ?? []}
              onChange={(assignees) => change(at, { assignees: assignees as unknown[] })}
              field={{ source: { ...userSource, url: '/api/v1/users/users/?oid=root&fields_size=mini', plain: true } }}
            />
          )}
        </fieldset>
      ))}
    </>
  )
}

export const form: FormSpec<Row> = {
  ...shared,
  initial: () => ({ approval_level: 1, rules: [{ strategy: 'super_admin' }] }),
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['type'] },
    { key: 'approval', title: 'ticketApproval', help: 'ticketFlowEffect', fields: ['approval_level', 'rules'] },
  ],
  fields: {
    type: { state: { disabled: (_values, { id }) => id !== undefined } },
    approval_level: { choices: { single: true } },
    rules: { component: Levels, validation: { required: true } },
  },
  submit: {
    clean: (body, values) => ({
      ...body,
      rules: levelsOf(values.rules, Number(rawOf(values.approval_level)) || 1).map((level, at) => ({
        level: at + 1,
        strategy: rawOf(level.strategy),
        assignees: (level.assignees ?? level.assignees_read_only ?? []).map(userOf),
      })),
    }),
  },
  saved: { to: () => shared.path },
}

function Approvers({ row }: { row: Row }) {
  return (
    <ol>
      {((row.rules ?? []) as Level[]).map((level, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a level is its position
        <li key={at}>
          {wordOf(level.strategy)}: {(level.assignees_display ?? []).join(', ') || '–'}
        </li>
      ))}
    </ol>
  )
}

export const detail: DetailSpec<Row, string> = {
  ...shared,
  title: (row) => wordOf(row.type),
  facts: [
    ...['type', 'approval_level', 'org_name', 'created_by', 'date_created', 'date_updated'],
    { name: 'rules', render: (row) => <Approvers row={row} /> },
  ],
  remove: false,
}
