import { pathOf } from '@castellan/contract/routes'
import { assetSource } from '../../domain/acls/rule-attributes.ts'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordOf } from '../../kit/row.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'

const shared = {
  url: '/api/v1/assets/labels/',
  path: pathOf('LabelList'),
  resource: 'assets.label',
  noun: 'label',
} as const

export const list: ListSpec<WireRow<typeof shared.url>> = {
  ...shared,
  id: 'LabelList',
  texts: { empty: 'labelsEmpty', help: 'labelsHelp' },
  columns: {
    shown: ['name', 'value', 'assets', 'comment', 'org_name', 'date_created'],
    fixed: ['name'],
    hideFirst: ['org_name', 'comment'],
    exclude: ['category'],
    cells: { name: { width: 200 }, value: { width: 200 }, assets: { width: 200 }, asset_count: { align: 'right' } },
  },
  // Labels have no page of their own.
  row: { link: () => undefined, title: (row) => `${wordOf(row.name)}:${wordOf(row.value)}` },
  actions: { create: { label: 'labelCreate' } },
}

export const form: FormSpec<WireForm<typeof shared.url>> = {
  ...shared,
  groups: [{ key: 'basic', title: 'groupBasic', help: 'labelsHelp', fields: ['name', 'value', 'assets', 'comment'] }],
  fields: {
    name: { layout: { half: true } },
    value: { layout: { half: true } },
    assets: { source: { ...assetSource, inTree: true } },
  },
  saved: { detail: false },
}
