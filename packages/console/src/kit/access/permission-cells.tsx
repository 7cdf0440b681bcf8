/** Cells of permission lists: all permissions, and those of one user. */
import { accountWord } from '../accounts/special.ts'
import { Words } from '../cells.tsx'
import type { ColumnSpec } from '../list/columns.ts'
import { type Row, wordsOf } from '../row.ts'
import { Status, Tick } from '../status.tsx'
import { t } from '../text.ts'

const words = (name: string): ColumnSpec => ({ width: 158, render: (row: Row) => <Words of={wordsOf(row[name])} /> })

/** Marks a permission that grants nothing now. Empty for the others. */
export const permissionState = (row: Row) =>
  row.is_valid === false ? <Status is="warning">{t('permissionEnded')}</Status> : null

export const permissionCells = (): Readonly<Record<string, ColumnSpec>> => ({
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
