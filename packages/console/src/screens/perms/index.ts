import { detail, form } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

const permissionForm = form(async () => (await import('./permission-form.tsx')).form)

export const screens: readonly Screen[] = [
  screen('AssetPermissionList', 'assetPermissions', () => import('./asset-permissions.tsx')),
  screen('AssetPermissionCreate', 'assetPermissionCreate', permissionForm),
  screen('AssetPermissionUpdate', 'assetPermissionUpdate', permissionForm),
  screen(
    'AssetPermissionDetail',
    'assetPermissionDetail',
    detail(async () => (await import('./permission-detail.tsx')).detail),
  ),
  screen('MyHome', 'workbenchHome', () => import('./workbench-home.tsx')),
  screen('MyAssets', 'myAssets', () => import('./my-assets.tsx')),
]
