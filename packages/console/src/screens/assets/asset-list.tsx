import { pathOf } from '@castellan/contract/routes'
import { PlugZap, SquareTerminal } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { Connectivity, Labels, Protocols } from '../../kit/cells.tsx'
import { activation } from '../../kit/list/activation.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { at, type Row, wordOf } from '../../kit/row.ts'
import { can, inRoot, rights } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { clonePath, updatePath } from './categories.ts'
import { KindIcon } from './kinds.tsx'

export const assetsUrl = '/api/v1/assets/assets/'
export const path = pathOf('AssetList')

/** Starts a background task for one asset and shows its log. */
export async function startTask(id: string, action: 'test' | 'refresh', onEnd?: () => void): Promise<void> {
  const { task } = await call<{ task: string }>(`${assetsUrl}${id}/tasks/`, { method: 'POST', body: { action } })
  openTaskLog(task, { onEnd })
}

export const mayTest = (row: Row): boolean =>
  can('assets.test_assetconnectivity') && !inRoot() && at(row, 'auto_config.ping_enabled') !== false

/** Assets of a category, or all; `query` is the selection of the tree. */
export const listOf = (url: string, query: Record<string, string>, id = 'AssetList'): ListSpec => ({
  id,
  url,
  path,
  query,
  resource: 'assets.asset',
  noun: 'asset',
  empty: 'assetsEmpty',
  shown: ['name', 'platform', 'protocols', 'labels', 'connectivity'],
  fixed: ['name'],
  hideFirst: ['labels'],
  exclude: [
    ...['spec_info', 'auto_config', 'gathered_info', 'accounts', 'custom_info', 'script'],
    ...['username_selector', 'password_selector', 'submit_selector', 'ca_cert', 'client_cert', 'client_key'],
  ],
  icon: (row) => <KindIcon row={row} />,
  secondary: (row) => <span className="mono">{wordOf(row.address)}</span>,
  statusBadge: (row) => <Connectivity value={row.connectivity} />,
  cells: {
    platform: { width: 130 },
    protocols: { width: 200, render: (row) => <Protocols of={row.protocols} /> },
    labels: { width: 150, render: (row) => <Labels of={row.labels} /> },
    address: { mono: true },
    autofill: { width: 100 },
    db_name: { mono: true },
    proxy: { mono: true },
    connectivity: { width: 120, render: (row) => <Connectivity value={row.connectivity} /> },
    is_active: { falseWord: t('disabled'), width: 110 },
  },
  update: { to: updatePath },
  clone: { to: clonePath },
  remove: { url: (row) => `${assetsUrl}${row.id}/` },
  rowActions: [
    {
      key: 'connect',
      label: () => t('connect'),
      icon: <SquareTerminal size={14} />,
      primary: true,
      visible: () => can('rbac.view_webterminal'),
      disabledReason: (row) => (row.is_active === false ? t('assetDisabled') : undefined),
      href: (row) => `/luna/?login_to=${row.id}`,
    },
    {
      key: 'test',
      label: () => t('testConnection'),
      icon: <PlugZap size={14} />,
      visible: mayTest,
      run: (row, acting) => startTask(row.id, 'test', acting.reload),
    },
  ],
  batchActions: activation(assetsUrl, rights('assets.asset').change),
  batchFields: ['nodes', 'labels', 'is_active', 'comment'],
  batchSpec: {
    nodes: { source: { url: '/api/v1/assets/nodes/', label: (row) => wordOf(row.full_value) } },
    labels: { source: { url: '/api/v1/assets/labels/', label: (row) => `${row.name}:${row.value}` } },
  },
})
