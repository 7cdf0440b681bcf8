/** Cells of permission lists: all permissions, and those of one user. */

import { Words } from '../../kit/cells.tsx'
import { accountWord } from '../../kit/form/widgets/special-accounts.ts'
import type { ColumnRules, ColumnSpec } from '../../kit/list/columns.ts'
import { wordsOf } from '../../kit/row.ts'
import { Status, Tick } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'

type Permission = WireRow<'/api/v1/perms/asset-permissions/'>

const words = (name: keyof Permission): ColumnSpec<Permission> => ({
  width: 158,
  render: (row) => <Words of={wordsOf(row[name])} />,
})

/** Marks a permission that grants nothing now. Empty for the others. */
export const permissionState = (row: Permission) =>
  row.is_valid === false ? <Status is="warning">{t('permissionEnded')}</Status> : null

export const permissionCells = (): ColumnRules<Permission>['cells'] => ({
  users: words('users'),
  user_groups: words('user_groups'),
  assets: words('assets'),
  nodes: words('nodes'),
  accounts: {
    width: 140,
    render: (row) => <Words of={(row.accounts as string[]).filter((name) => name !== '@SPEC').map(accountWord)} />,
  },
  is_valid: { width: 130, render: (row) => permissionState(row) ?? <Tick yes word={t('permissionValid')} /> },
})
