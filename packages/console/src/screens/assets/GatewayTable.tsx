/** The gateways of one domain. */
import { pathOf } from '@castellan/contract/routes'
import { PlugZap } from 'lucide-react'
import { useState } from 'react'
import { withQuery } from '../../kit/api/client.ts'
import { Connectivity, Labels, Protocols } from '../../kit/cells.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { type Row, wordOf, wordsOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireRow } from '../../kit/wire.ts'
import { GatewayTest, sshPortOf } from './GatewayTest.tsx'
import { KindIcon } from './kinds.tsx'

export const gatewaysUrl = '/api/v1/assets/gateways/'

type GatewayRow = WireRow<typeof gatewaysUrl>

/** The page of a domain, with the list of its gateways. */
export const domainPath = (id: string): string => withQuery(pathOf('DomainDetail', id), { activeTab: 'GatewayList' })

const specOf = (domain: Row, test: (row: GatewayRow, reload: () => void) => void): ListSpec<GatewayRow> => {
  const query = { domain: domain.id, platform_type: 'linux', category: 'host' }
  return {
    id: 'GatewayList',
    url: gatewaysUrl,
    data: { query: { domain: domain.id } },
    path: pathOf('AssetList'),
    resource: 'assets.gateway',
    noun: 'gateway',
    texts: { empty: 'gatewaysEmpty' },
    search: { inAddress: false },
    columns: {
      shown: ['name', 'address', 'protocols', 'nodes_display', 'connectivity', 'comment'],
      fixed: ['name'],
      exclude: ['spec_info', 'auto_config', 'gathered_info', 'accounts'],
      hideFirst: ['nodes_display'],
      cells: {
        address: { width: 140, mono: true, sortable: true },
        protocols: { width: 160, render: (row) => <Protocols of={row.protocols} /> },
        labels: { width: 150, render: (row) => <Labels of={row.labels} /> },
        nodes_display: { width: 200, render: (row) => wordsOf(row.nodes_display).join(', ') },
        connectivity: { width: 120, render: (row) => <Connectivity value={row.connectivity} /> },
        is_active: { falseWord: t('disabled'), width: 110 },
      },
    },
    row: { icon: (row) => <KindIcon row={row} />, link: (row) => pathOf('AssetDetail', row.id) },
    card: {
      subtitle: (row) => <span className="mono">{wordOf(row.address)}</span>,
      badge: (row) => <Connectivity value={row.connectivity} />,
    },
    actions: {
      create: { label: 'gatewayCreate', to: withQuery(pathOf('GatewayCreate'), query) },
      update: { to: (row) => withQuery(pathOf('GatewayUpdate', row.id), query) },
      clone: { to: (row) => withQuery(pathOf('GatewayCreate'), { domain: domain.id, clone_from: row.id }) },
      row: [
        {
          key: 'test',
          label: () => t('testConnection'),
          icon: <PlugZap size={14} />,
          visible: () => can('assets.test_assetconnectivity') && !inRoot(),
          run: (row, { reload }) =>
            sshPortOf(row) === undefined ? toast.error(t('gatewayWithoutSsh')) : test(row, reload),
        },
      ],
    },
    files: { import: false, export: false },
  }
}

export function GatewayTable({ domain }: { domain: Row }) {
  const [tested, setTested] = useState<{ gateway: GatewayRow; reload: () => void }>()
  return (
    <>
      <ListView spec={specOf(domain, (gateway, reload) => setTested({ gateway, reload }))} />
      {tested && <GatewayTest gateway={tested.gateway} onEnd={tested.reload} onClose={() => setTested(undefined)} />}
    </>
  )
}
