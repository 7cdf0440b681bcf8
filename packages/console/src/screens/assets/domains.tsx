import { gatewayPlatformName } from '@castellan/contract/asset-types'
import { pathOf } from '@castellan/contract/routes'
import { Words } from '../../kit/cells.tsx'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { at, number, wordOf, wordsOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { domainPath, GatewayTable } from './GatewayTable.tsx'
import { GatewayTimes } from './GatewayTimes.tsx'

const shared = {
  url: '/api/v1/assets/domains/',
  path: pathOf('DomainList'),
  resource: 'assets.domain',
  noun: 'domain',
} as const

/** A domain with the number of its gateways, which the list counts. */
type DomainRow = WireRow<typeof shared.url, 'gateway_count'>

const amount = (value: unknown) => number(wordsOf(value).length)

export const list: ListSpec<DomainRow> = {
  ...shared,
  id: 'DomainList',
  texts: { help: 'domainsHelp', empty: 'domainsEmpty' },
  columns: {
    shown: ['name', 'assets', 'gateway_count', 'comment'],
    fixed: ['name'],
    extra: ['gateway_count'],
    cells: {
      assets: { width: 260, render: (row) => <Words of={wordsOf(row.assets)} most={3} /> },
      gateways: { width: 220, render: (row) => <Words of={wordsOf(row.gateways)} /> },
      gateway_count: {
        label: t('gateways'),
        width: 120,
        align: 'right',
        sortable: false,
        render: (row) => <a href={`#${domainPath(row.id)}`}>{amount(row.gateways)}</a>,
      },
      comment: { width: 260 },
    },
  },
  row: { secondary: 'comment' },
  actions: { create: { label: 'domainCreate' } },
}

export const form: FormSpec<WireForm<typeof shared.url>> = {
  ...shared,
  groups: [{ key: 'basic', title: 'groupBasic', help: 'domainsHelp', fields: ['name', 'assets', 'comment'] }],
  fields: {
    assets: {
      source: {
        url: '/api/v1/assets/assets/?domain_enabled=true',
        label: (row) => (row.address ? `${wordOf(row)}(${wordOf(row.address)})` : wordOf(row)),
        inTree: true,
        // A gateway joins a domain in its own form.
        selectable: (row) => at(row, 'platform.name') !== gatewayPlatformName,
      },
      texts: { help: 'domainAssetsHelp' },
    },
  },
}

export const detail: DetailSpec<DomainRow> = {
  ...shared,
  facts: [
    'name',
    { name: 'assets', render: (row) => amount(row.assets) },
    { name: 'gateways', render: (row) => amount(row.gateways) },
    'date_created',
    'comment',
  ],
  sections: ({ row }) => <GatewayTimes domain={row} />,
  tabs: [
    {
      key: 'GatewayList',
      title: 'gateways',
      permission: 'assets.view_gateway',
      render: ({ row }) => <GatewayTable domain={row} />,
    },
  ],
}
