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
import type { WireForm, WireRow } from '../../kit/wire.ts'

const shared = {
  url: '/api/v1/orgs/orgs/',
  path: pathOf('OrganizationList'),
  resource: 'orgs.organization',
  noun: 'organization',
} as const

const amounts = [
  ['resource_statistics.users_amount', 'users'],
  ['resource_statistics.groups_amount', 'groups'],
  ['resource_statistics.assets_amount', 'assets'],
  ['resource_statistics.asset_perms_amount', 'assetPermissions'],
] as const
const amount = (row: Row, name: string): string => number(Number(at(row, name) ?? 0))

/** Reloads the organization selector. */
async function reloadSelector(): Promise<void> {
  const { console_orgs, audit_orgs, workbench_orgs } = await call<Profile>(profilePath, { quiet: true })
  patchProfile({ console_orgs, audit_orgs, workbench_orgs })
}

/** Built-in organizations cannot be deleted. */
const own = (row: WireRow<typeof shared.url>): boolean => row.internal !== true

export const list: ListSpec<WireRow<typeof shared.url, (typeof amounts)[number][0]>> = {
  ...shared,
  id: 'OrganizationList',
  texts: { empty: 'organizationsEmpty' },
  columns: {
    shown: ['name', ...amounts.map(([name]) => name), 'comment'],
    extra: amounts.map(([name]) => name),
    exclude: ['resource_statistics'],
    fixed: ['name'],
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
  },
  bulk: false,
  files: { import: false, export: false },
  actions: { clone: false, create: { label: 'organizationCreate' }, remove: { visible: own, after: reloadSelector } },
  row: { secondary: 'comment' },
}

export const form: FormSpec<WireForm<typeof shared.url>> = {
  ...shared,
  groups: [{ key: 'basic', title: 'groupBasic', help: 'organizationsHelp', fields: ['name', 'comment'] }],
  submit: { another: true },
  saved: { run: () => void reloadSelector() },
}

export const detail: DetailSpec<WireRow<typeof shared.url>> = {
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
