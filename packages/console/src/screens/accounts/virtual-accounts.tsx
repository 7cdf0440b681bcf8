import { pathOf } from '@castellan/contract/routes'
import { UserRoundKey } from 'lucide-react'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec, Values } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { session } from '../../kit/session.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'

const url = '/api/v1/accounts/virtual-accounts/'
const shared = { url, resource: 'accounts.virtualaccount', noun: 'virtualAccount' } as const
type VirtualAccount = WireRow<typeof url>

/** The tab of the page of accounts. */
export const virtualTab = 'VirtualAccountList'
const path = `${pathOf('AssetAccountList')}?activeTab=${virtualTab}`

/** Only the account with the user's own name has something to choose. */
const isOfUser = ({ alias }: Values): boolean => alias === '@USER'

export const list: ListSpec<VirtualAccount> = {
  ...shared,
  id: virtualTab,
  path: pathOf('VirtualAccountDetail').replace('/:id', ''),
  columns: {
    only: ['name', 'username', 'comment'],
    shown: ['name', 'username', 'comment'],
    fixed: ['name'],
    cells: { name: { width: 220 }, username: { width: 180, mono: true } },
  },
  row: { icon: () => <UserRoundKey size={16} className="kind" /> },
  card: { subtitle: (row) => String(row.comment ?? '') },
  actions: { clone: false, remove: false, update: { visible: isOfUser } },
  files: { import: false, export: false },
  bulk: false,
}

export const form: FormSpec<WireForm<typeof url>> = {
  ...shared,
  path,
  saved: {
    to: (saved) => pathOf('VirtualAccountDetail', saved.id),
    detail: (saved) => pathOf('VirtualAccountDetail', saved.id),
  },
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'username'] },
    { key: 'secret', title: 'secret', fields: ['secret_from_login'] },
  ],
  fields: {
    name: { layout: { half: true } },
    username: { layout: { half: true, mono: true } },
    secret_from_login: {
      texts: { help: 'secretFromLoginHelp' },
      state: {
        hidden: (values) => !isOfUser(values),
        disabled: () => session().settings.CACHE_LOGIN_PASSWORD_ENABLED !== true,
      },
    },
  },
}

export const detail: DetailSpec<VirtualAccount> = {
  ...shared,
  path,
  icon: () => <UserRoundKey size={20} />,
  update: { to: (row) => pathOf('VirtualAccountUpdate', row.id), visible: isOfUser },
  remove: false,
}
