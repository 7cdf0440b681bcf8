import { ListView } from '../../kit/list/ListView.tsx'
import { viewOnly } from '../../kit/list/spec.ts'
import type { Row } from '../../kit/row.ts'
import { rawOf, wordOf } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { path } from './permission.ts'

const tones = { gives_nothing: 'warning', expired: 'idle', shadowed: 'info', wider: 'warning' } as const

const kind = (row: Row) => (
  <Status is={tones[rawOf(row.kind) as keyof typeof tones] ?? 'info'}>{wordOf(row.kind)}</Status>
)

/**
 * Permissions that should be reviewed: they grant nothing, have expired, are covered by others, or are wider than their
 * use.
 */
export const Findings = () => (
  <ListView
    spec={{
      id: 'PermissionFindings',
      url: '/api/v1/perms/findings/',
      resource: 'perms.assetpermission',
      noun: 'assetPermission',
      texts: { emptyTitle: 'findingsNone', empty: 'findingsEmpty' },
      row: { nameColumn: 'permission', link: (row) => `${path}/${String((row.permission as Row).id)}` },
      columns: {
        only: ['permission', 'kind', 'reason'],
        extra: ['permission', 'kind', 'reason'],
        shown: ['permission', 'kind', 'reason'],
        cells: {
          permission: { label: t('assetPermission'), width: 240, render: (row) => wordOf(row.permission) },
          kind: { label: t('finding'), width: 180, render: kind },
          reason: { label: t('findingReason'), width: 420 },
        },
      },
      ...viewOnly,
      files: { import: false, export: false },
    }}
  />
)
