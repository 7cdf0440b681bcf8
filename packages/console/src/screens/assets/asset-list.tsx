import type { AssetCategory } from '@castellan/contract/asset-types'
import { pathOf } from '@castellan/contract/routes'
import { PlugZap, SquareTerminal } from 'lucide-react'
import { call, withQuery } from '../../kit/api/client.ts'
import { Connectivity, Labels, Protocols, Words } from '../../kit/cells.tsx'
import type { Source } from '../../kit/form/spec.ts'
import { activation } from '../../kit/list/activation.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { at, type Row, wordOf } from '../../kit/row.ts'
import { can, inRoot, rights } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { type TextKey, t } from '../../kit/text.ts'
import { type AssetRow, clonePath, updatePath } from './categories.ts'
import { HardwareCell } from './hardware.tsx'
import { KindIcon } from './kinds.tsx'

export const assetsUrl = '/api/v1/assets/assets/'
export const path = pathOf('AssetList')

/** Starts a background task for one asset and shows its log. */
export async function startTask(id: string, action: 'test' | 'refresh', onEnd?: () => void): Promise<void> {
  const { task } = await call<{ task: string }>(`${assetsUrl}${id}/tasks/`, { method: 'POST', body: { action } })
  openTaskLog(task, { onEnd })
}

export const mayTest = (row: Row): boolean =>
  can('assets.test_assetconnectivity') &&
  !inRoot() &&
  at(row, 'auto_config.ansible_enabled') === true &&
  at(row, 'auto_config.ping_enabled') === true

const labelWord = (row: Row): string => `${wordOf(row.name)}:${wordOf(row.value)}`

/** Existing labels. */
export const labelSource: Source = { url: '/api/v1/assets/labels/', label: labelWord }

/** Existing labels, and new ones typed as `name:value`. */
export const newLabelSource: Source = {
  ...labelSource,
  create: {
    make: (text) => {
      const at = text.indexOf(':')
      const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
      return at > 0 && name && value ? { name, value } : undefined
    },
    hint: 'labelFormat',
  },
}

/** Categories whose assets are not reached through a domain. */
const withoutDomain: ReadonlySet<AssetCategory> = new Set(['device', 'cloud', 'web'])

/** Values of the fields that a platform declares: "region: north, retries: 3". */
const CustomInfo = ({ of }: { of: unknown }) => (
  <Words of={Object.entries((of ?? {}) as object).map(([name, value]) => `${name}: ${String(value)}`)} most={3} />
)

/** Only what is not obvious is explained, and only on the page of the assets. */
const helpOf = (id: string, category: AssetCategory | undefined): { help?: TextKey } => {
  if (id === 'AssetList') return { help: 'assetsHelp' }
  if (category === 'web') return { help: 'websHelp' }
  return category === 'custom' ? { help: 'customsHelp' } : {}
}

/** Assets of a category, or all; `query` is the selection of the tree. */
export const listOf = (
  url: string,
  query: Record<string, string>,
  id = 'AssetList',
  category?: AssetCategory,
): ListSpec<AssetRow> => ({
  id,
  url,
  path,
  data: { query },
  resource: 'assets.asset',
  noun: 'asset',
  texts: { empty: 'assetsEmpty', ...helpOf(id, category) },
  columns: {
    shown: ['name', 'platform', 'protocols', 'labels', 'connectivity'],
    fixed: ['name'],
    hideFirst: ['labels'],
    exclude: [
      'spec_info',
      'auto_config',
      'accounts',
      'script',
      'username_selector',
      'password_selector',
      'submit_selector',
      'ca_cert',
      'client_cert',
      'client_key',
    ],
    cells: {
      platform: { width: 130 },
      protocols: { width: 200, render: (row) => <Protocols of={row.protocols} /> },
      labels: { width: 150, render: (row) => <Labels of={row.labels} /> },
      address: { mono: true },
      gathered_info: { label: t('hardware'), width: 210, render: (row) => <HardwareCell row={row} /> },
      custom_info: { width: 260, render: (row) => <CustomInfo of={row.custom_info} /> },
      autofill: { width: 100 },
      db_name: { mono: true },
      proxy: { mono: true },
      connectivity: { width: 120, render: (row) => <Connectivity value={row.connectivity} /> },
      is_active: { falseWord: t('disabled'), width: 110 },
    },
  },
  row: {
    icon: (row) => <KindIcon row={row} />,
    secondary: { field: 'address', render: (row) => <span className="mono">{wordOf(row.address)}</span> },
  },
  card: { badge: (row) => <Connectivity value={row.connectivity} /> },
  actions: {
    update: { to: updatePath },
    clone: { to: clonePath },
    remove: { url: (row) => `${assetsUrl}${row.id}/` },
    row: [
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
  },
  bulk: {
    actions: activation(assetsUrl, rights('assets.asset').change),
    fields: [
      'platform',
      'nodes',
      ...(category && withoutDomain.has(category) ? [] : (['domain'] as const)),
      'labels',
      'is_active',
      'comment',
    ],
    fieldSpecs: {
      platform: {
        choices: { single: true },
        source: { url: withQuery('/api/v1/assets/platforms/', { category }) },
        texts: { help: 'bulkPlatformHelp' },
      },
      nodes: { source: { url: '/api/v1/assets/nodes/', label: (row) => wordOf(row.full_value) } },
      domain: { choices: { single: true }, source: { url: '/api/v1/assets/domains/', plain: true } },
      labels: { source: newLabelSource },
    },
  },
})
