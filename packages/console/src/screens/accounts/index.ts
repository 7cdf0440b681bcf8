import type { Feature } from '../../kit/feature.ts'
import { detail } from '../../kit/resource.ts'
import { code } from '../../kit/session.ts'

const permission = code('accounts.account', 'view')

export const features: readonly Feature[] = [
  {
    path: '/console/accounts/accounts',
    name: 'AssetAccountList',
    title: 'accounts',
    view: 'console',
    permission,
    menu: 'accounts',
    load: () => import('./accounts.tsx'),
  },
  {
    path: '/console/accounts/accounts/:id',
    name: 'AssetAccountDetail',
    title: 'accountDetail',
    view: 'console',
    permission,
    load: detail(async () => (await import('./account-detail.tsx')).detail),
  },
]
