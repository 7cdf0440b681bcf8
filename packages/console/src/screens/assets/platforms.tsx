import { pathOf } from '@castellan/contract/routes'
import { Protocols } from '../../kit/cells.tsx'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordOf } from '../../kit/row.ts'
import { Badge } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { KindIcon } from './kinds.tsx'

const shared = {
  url: '/api/v1/assets/platforms/',
  path: pathOf('PlatformList'),
  resource: 'assets.platform',
  noun: 'platform',
} as const

/** Built-in platforms; read-only. */
export const list: ListSpec = {
  ...shared,
  id: 'PlatformList',
  shown: ['name', 'category', 'type', 'protocols', 'charset', 'internal'],
  fixed: ['name'],
  exclude: ['automation', 'custom_fields'],
  icon: (row) => <KindIcon row={row} />,
  cells: {
    protocols: { width: 280, render: (row) => <Protocols of={row.protocols} most={3} /> },
    internal: { width: 100 },
    category: { width: 170 },
  },
  secondary: 'comment',
  update: false,
  clone: false,
  remove: false,
  selectable: false,
  importing: false,
}

export const detail: DetailSpec = {
  ...shared,
  icon: (row) => <KindIcon row={row} size={20} />,
  badge: (row) => (row.internal ? <Badge is="idle">{t('builtin')}</Badge> : null),
  under: (row) => `${wordOf(row.category)} · ${wordOf(row.type)}`,
  update: false,
  remove: false,
  facts: [
    'name',
    'category',
    'type',
    'charset',
    { name: 'protocols', render: (row) => <Protocols of={row.protocols} most={Number.POSITIVE_INFINITY} /> },
    'domain_enabled',
    'su_enabled',
    'su_method',
    'internal',
    'date_created',
    'date_updated',
    'created_by',
    'comment',
  ],
}
