import { detail, form, list } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

const assetForm = () => import('./asset-form.tsx')
const platformForm = () => import('./platform-form.tsx')
const labels = () => import('./labels.tsx')
const labelForm = form(async () => (await labels()).form)
const domains = () => import('./domains.tsx')
const domainForm = form(async () => (await domains()).form)
const gatewayForm = () => import('./gateway-form.tsx')
const appletHostForm = () => import('./applet-host-form.tsx')

export const screens: readonly Screen[] = [
  screen('AssetList', 'assets', () => import('./assets.tsx')),
  screen(
    'AssetDetail',
    'assetDetail',
    detail(async () => (await import('./asset-detail.tsx')).detail),
  ),
  screen(
    'AssetMoreInformationEdit',
    'moreInformation',
    form(async () => (await import('./more-information.ts')).form),
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
  screen('PlatformList', 'platforms', () => import('./platforms.tsx')),
  screen('PlatformCreate', 'platformCreate', platformForm),
  screen('PlatformUpdate', 'platformUpdate', platformForm),
  screen(
    'DomainList',
    'domains',
    list(async () => (await domains()).list),
  ),
  screen('DomainCreate', 'domainCreate', domainForm),
  screen('DomainUpdate', 'domainUpdate', domainForm),
  screen(
    'DomainDetail',
    'domainDetail',
    detail(async () => (await domains()).detail),
  ),
  screen('GatewayCreate', 'gatewayCreate', gatewayForm),
  screen('GatewayUpdate', 'gatewayUpdate', gatewayForm),
  screen('AppletHostCreate', 'appletHostCreate', appletHostForm),
  screen('AppletHostUpdate', 'appletHostUpdate', appletHostForm),
  screen(
    'AppletHostDetail',
    'appletHostDetail',
    detail(async () => (await import('./applet-host-detail.tsx')).detail),
  ),
  screen(
    'PlatformDetail',
    'platformDetail',
    detail(async () => (await import('./platform-detail.tsx')).detail),
  ),
  screen(
    'LabelList',
    'labels',
    list(async () => (await labels()).list),
  ),
  screen('LabelCreate', 'labelCreate', labelForm),
  screen('LabelUpdate', 'labelUpdate', labelForm),
]
