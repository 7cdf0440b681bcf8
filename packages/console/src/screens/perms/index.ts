import type { Feature } from '../../kit/feature.ts'
import { detail, form, routes } from '../../kit/resource.ts'

export const features: readonly Feature[] = [
  ...routes({
    path: '/console/perms/asset-permissions',
    name: 'AssetPermission',
    view: 'console',
    resource: 'perms.assetpermission',
    menu: 'perms',
    titles: {
      list: 'assetPermissions',
      create: 'assetPermissionCreate',
      update: 'assetPermissionUpdate',
      detail: 'assetPermissionDetail',
    },
    load: {
      list: () => import('./asset-permissions.tsx'),
      form: form(async () => (await import('./permission-form.tsx')).form),
      detail: detail(async () => (await import('./permission-detail.tsx')).detail),
    },
  }),
  {
    path: '/workbench/home',
    name: 'MyHome',
    title: 'workbenchHome',
    view: 'workbench',
    menu: '',
    load: () => import('./workbench-home.tsx'),
  },
  {
    path: '/workbench/assets',
    name: 'MyAssets',
    title: 'myAssets',
    view: 'workbench',
    permission: 'perms.view_myassets',
    menu: '',
    load: () => import('./my-assets.tsx'),
  },
]
