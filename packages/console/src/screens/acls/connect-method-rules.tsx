import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { globalUserAttributes, userSource } from '../../domain/acls/rule-attributes.ts'
import { ruleAction } from '../../domain/acls/rule-cells.tsx'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import type { Row } from '../../kit/row.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { activeSwitch, ruleFields, ruleList, usersTab } from './rules.tsx'

const shared = {
  url: '/api/v1/acls/connect-method-acls/',
  path: pathOf('ConnectMethodAclList'),
  resource: 'acls.connectmethodacl',
  noun: 'connectMethodRule',
} as const

const methodsUrl = '/api/v1/terminal/components/connect-methods/?flat=1&os=all'

/** Labeled as in the form; a method that no component offers any more keeps its own name. */
function Methods({ of }: { of: unknown }) {
  const { data } = useQuery({
    queryKey: ['connect-methods', ...audience()],
    queryFn: () => call<Row[]>(methodsUrl, { quiet: true }),
  })
  const wordOf = (value: unknown) => String(data?.find((method) => method.value === value)?.label ?? value)
  return Array.isArray(of) && of.length > 0 ? of.map(wordOf).join(', ') : '–'
}

export const list: ListSpec<WireRow<typeof shared.url>> = {
  ...shared,
  ...ruleList,
  id: 'ConnectMethodAclList',
  texts: { empty: 'connectMethodRulesEmpty' },
  columns: { ...ruleList.columns, exclude: ['users'] },
  actions: { create: { label: 'connectMethodRuleCreate' } },
}

export const form: FormSpec<WireForm<typeof shared.url>> = {
  ...shared,
  initial: () => ({ is_active: true, priority: 50, action: 'reject', users: { type: 'all' } }),
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'priority'] },
    { key: 'users', title: 'users', help: 'ruleUsersHelp', fields: ['users'] },
    { key: 'methods', title: 'connectMethods', help: 'connectMethodsHelp', fields: ['connect_methods'] },
    { key: 'action', title: 'ruleDoes', fields: ['action', 'reviewers'] },
    { key: 'other', title: 'groupOther', fields: ['is_active', 'comment'] },
  ],
  fields: {
    ...ruleFields,
    users: { label: 'users', widget: 'rule', source: userSource, with: { attributes: globalUserAttributes } },
    connect_methods: {
      widget: 'remote',
      validation: { required: true },
      source: {
        url: methodsUrl,
        label: (row) => String(row.label),
        plain: true,
      },
    },
  },
}

export const detail: DetailSpec<WireRow<typeof shared.url>> = {
  ...shared,
  facts: [
    'name',
    { name: 'connect_methods', render: (row) => <Methods of={row.connect_methods} /> },
    { name: 'action', render: ruleAction },
    'priority',
    'date_created',
    'created_by',
    'comment',
  ],
  sections: activeSwitch(shared.url, 'acls.change_connectmethodacl'),
  tabs: [usersTab],
}
