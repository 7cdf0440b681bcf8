import { type Feature, screen } from '../../kit/feature.ts'
import { detail } from '../../kit/resource.ts'

export const features: readonly Feature[] = [
  screen('AssetAccountList', 'accounts', () => import('./accounts.tsx')),
  screen(
    'AssetAccountDetail',
    'accountDetail',
    detail(async () => (await import('./account-detail.tsx')).detail),
  ),
]
