import { type Feature, screen } from '../../kit/feature.ts'
import { detail, list } from '../../kit/resource.ts'

const hostForm = () => import('./host-form.tsx')

export const features: readonly Feature[] = [
  screen('AssetList', 'assets', () => import('./assets.tsx')),
  screen(
    'AssetDetail',
    'assetDetail',
    detail(async () => (await import('./asset-detail.tsx')).detail),
  ),
  screen('HostCreate', 'hostCreate', hostForm),
  screen('HostUpdate', 'hostUpdate', hostForm),
  screen(
    'PlatformList',
    'platforms',
    list(async () => (await import('./platforms.tsx')).list),
  ),
  screen(
    'PlatformDetail',
    'platformDetail',
    detail(async () => (await import('./platforms.tsx')).detail),
  ),
]
