import { collectionOf } from '../../domain/tickets/ticket.tsx'
import { call } from '../../kit/api/client.ts'
import type { FieldChoice, Fields } from '../../kit/api/metadata.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import type { FormSpec, Values } from '../../kit/form/spec.ts'
import { isEmpty } from '../../kit/form/values.ts'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'

const listOf = (value: unknown): Row[] => (Array.isArray(value) ? value : [])
const choicesOf = (value: unknown): FieldChoice[] =>
  listOf(value).map((one) => ({ value: one.id, label: wordOf(one.name) }))
const idsOf = (value: unknown) => listOf(value).map(({ id }) => id)
const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value : []).map(String)

/** The requested actions, in their tree. */
function requestedTree(tree: readonly FieldChoice[] | undefined, asked: ReadonlySet<string>): FieldChoice[] {
  return (tree ?? []).flatMap((node) => {
    if (!node.children) return asked.has(String(node.value)) ? [node] : []
    const children = requestedTree(node.children, asked)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}

/** What a request asks for, as the body of its approval. */
export const asRequested = (row: Row) => ({
  org_id: row.org_id,
  apply_nodes: idsOf(row.apply_nodes),
  apply_assets: idsOf(row.apply_assets),
  apply_accounts: row.apply_accounts,
  apply_actions: listOf(row.apply_actions).map(rawOf),
  apply_date_start: row.apply_date_start,
  apply_date_expired: row.apply_date_expired,
})

function formOf(row: Row, fields: Fields): FormSpec<Row> {
  const url = `${collectionOf('apply_asset')}${row.id}/approve/`
  const asked = asRequested(row)
  const accounts = namesOf(row.apply_accounts)
  const nothing = (values: Values) => isEmpty(values.apply_assets) && isEmpty(values.apply_nodes)
  const label = (name: string) => fields[name]?.label ?? name
  return {
    url,
    noun: 'ticket',
    initial: () => asked,
    groups: [
      {
        key: 'granted',
        title: 'ticketGranted',
        help: 'ticketNarrowHelp',
        fields: [
          ...['apply_nodes', 'apply_assets', 'apply_accounts', 'apply_actions'],
          ...['apply_date_start', 'apply_date_expired'],
        ],
      },
    ],
    fields: {
      apply_nodes: { widget: 'choices', state: { hidden: () => asked.apply_nodes.length === 0 } },
      apply_assets: {
        widget: 'choices',
        state: { hidden: () => asked.apply_assets.length === 0 },
        validation: { check: (_value, values) => (nothing(values) ? t('ticketNothingGranted') : undefined) },
      },
      apply_accounts: { widget: accounts.includes('@ALL') ? 'account-names' : 'choices' },
      apply_actions: { widget: 'tree' },
      apply_date_start: { layout: { half: true } },
      apply_date_expired: {
        layout: { half: true },
        validation: {
          check: (value, values) =>
            value && values.apply_date_start && new Date(String(value)) <= new Date(String(values.apply_date_start))
              ? t('endsBeforeStart')
              : undefined,
        },
      },
    },
    submit: { verb: 'ticketApprove' },
    local: {
      fields: {
        apply_nodes: { type: 'list', label: label('apply_nodes'), choices: choicesOf(row.apply_nodes) },
        apply_assets: { type: 'list', label: label('apply_assets'), choices: choicesOf(row.apply_assets) },
        apply_accounts: {
          type: 'list',
          label: label('apply_accounts'),
          required: true,
          choices: accounts.map((name) => ({ value: name, label: name })),
        },
        apply_actions: {
          type: 'list',
          label: label('apply_actions'),
          required: true,
          tree: requestedTree(fields.apply_actions?.tree, new Set(asked.apply_actions.map(String))),
        },
        apply_date_start: { type: 'datetime', label: label('apply_date_start'), required: true },
        apply_date_expired: { type: 'datetime', label: label('apply_date_expired'), required: true },
      },
      save: async (body) => {
        await call(url, { method: 'PATCH', body: { ...asked, ...body } })
        return row
      },
    },
  }
}

/** Grants a part of what was requested. */
export const NarrowDialog = ({
  row,
  fields,
  onClose,
  onSaved,
}: {
  row: Row
  fields: Fields
  onClose: () => void
  onSaved: () => void
}) => <FormDialog title={t('ticketNarrow')} spec={formOf(row, fields)} onClose={onClose} onSaved={onSaved} />
