import { type Feature, screen } from '../../kit/feature.ts'
import { detail, list } from '../../kit/resource.ts'

const assetForm = () => import('./asset-form.tsx')

export const features: readonly Feature[] = [
  screen('AssetList', 'assets', () => import('./assets.tsx')),
  screen(
    'AssetDetail',
    'assetDetail',
    detail(async () => (await import('./asset-detail.tsx')).detail),
  ),
  screen('HostCreate', 'hostCreate', assetForm),
  screen('HostUpdate', 'hostUpdate', assetForm),
  screen('DeviceCreate', 'deviceCreate', assetForm),
  screen('DeviceUpdate', 'deviceUpdate', assetForm),
  screen('DatabaseCreate', 'databaseCreate', assetForm),
  screen('DatabaseUpdate', 'databaseUpdate', assetForm),
  screen('CloudCreate', 'cloudCreate', assetForm),
  screen('CloudUpdate', 'cloudUpdate', assetForm),
  screen('WebCreate', 'webCreate', assetForm),
  screen('WebUpdate', 'webUpdate', assetForm),
  screen('GptCreate', 'gptCreate', assetForm),
  screen('GptUpdate', 'gptUpdate', assetForm),
  screen('CustomCreate', 'customCreate', assetForm),
  screen('CustomUpdate', 'customUpdate', assetForm),
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
