/** Organizations with their counts, rename and delete. */
import { pathOf } from '@castellan/contract/routes'
import { call } from '../../kit/api/client.ts'
import { profilePath } from '../../kit/api/opening.ts'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { at, number, type Row } from '../../kit/row.ts'
import { type Profile, patchProfile } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

const shared = {
  url: '/api/v1/orgs/orgs/',
  path: pathOf('OrganizationList'),
  resource: 'orgs.organization',
  noun: 'organization',
} as const

const amounts = [
  ['users_amount', 'users'],
  ['groups_amount', 'groups'],
  ['assets_amount', 'assets'],
  ['asset_perms_amount', 'assetPermissions'],
] as const
const amount = (row: Row, name: string): string => number(Number(at(row, `resource_statistics.${name}`) ?? 0))

/** Reloads the organization selector. */
async function reloadSelector(): Promise<void> {
  const { console_orgs, audit_orgs, workbench_orgs } = await call<Profile>(profilePath, { quiet: true })
  patchProfile({ console_orgs, audit_orgs, workbench_orgs })
}

/** Built-in organizations cannot be deleted. */
const own = (row: Row): boolean => row.internal !== true

export const list: ListSpec = {
  ...shared,
  id: 'OrganizationList',
  empty: 'organizationsEmpty',
  shown: ['name', ...amounts.map(([name]) => name), 'comment'],
  extra: amounts.map(([name]) => name),
  exclude: ['resource_statistics'],
  fixed: ['name'],
  selectable: false,
  importing: false,
  exporting: false,
  clone: false,
  create: { label: 'organizationCreate' },
  secondary: 'comment',
  cells: {
    name: { width: 220 },
    comment: { width: 260 },
    ...Object.fromEntries(
      amounts.map(([name, label]) => [
        name,
        { label: t(label), width: 130, align: 'right' as const, render: (row: Row) => amount(row, name) },
      ]),
    ),
  },
  remove: { visible: own, after: reloadSelector },
}

export const form: FormSpec = {
  ...shared,
  groups: [{ key: 'basic', title: 'groupBasic', help: 'organizationsHelp', fields: ['name', 'comment'] }],
  another: true,
  onSaved: () => void reloadSelector(),
}

export const detail: DetailSpec = {
  ...shared,
  facts: [
    'name',
    ...amounts.map(([name, label]) => ({ name, label, render: (row: Row) => amount(row, name) })),
    'created_by',
    'date_created',
    'comment',
    { name: 'id', mono: true },
  ],
  remove: { visible: own, after: reloadSelector },
}
