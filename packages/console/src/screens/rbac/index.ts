import type { Feature } from '../../kit/feature.ts'

const shared = {
  view: 'console',
  licence: true,
  organisation: 'root',
  permission: 'rbac.view_orgrole | rbac.view_systemrole',
} as const

export const features: readonly Feature[] = [
  {
    ...shared,
    path: '/console/users/roles',
    name: 'RoleList',
    title: 'roles',
    menu: 'users',
    load: () => import('./roles.tsx'),
  },
  {
    ...shared,
    path: '/console/users/roles/create',
    name: 'RoleCreate',
    title: 'roleCreate',
    load: () => import('./role-form.tsx'),
  },
  {
    ...shared,
    path: '/console/users/roles/:id/update',
    name: 'RoleUpdate',
    title: 'roleUpdate',
    load: () => import('./role-form.tsx'),
  },
  {
    ...shared,
    path: '/console/users/roles/:id',
    name: 'RoleDetail',
    title: 'roleDetail',
    load: () => import('./role-detail.tsx'),
  },
]
