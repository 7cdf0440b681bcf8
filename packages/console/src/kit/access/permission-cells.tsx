/** How permissions look in lists: their own, and those about one person. */
import { accountWord } from '../accounts/special.ts'
import { Words } from '../cells.tsx'
import type { ColumnSpec } from '../list/columns.ts'
import { type Row, wordsOf } from '../row.ts'
import { Status, Tick } from '../status.tsx'
import { t } from '../text.ts'

const words = (name: string): ColumnSpec => ({ width: 158, render: (row: Row) => <Words of={wordsOf(row[name])} /> })

/** Said of a permission that gives nothing now; silent about the others. */
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
