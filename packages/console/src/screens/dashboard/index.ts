import type { Feature } from '../../kit/feature.ts'

export const features: readonly Feature[] = [
  {
    path: '/console/dashboard',
    name: 'AdminDashboard',
    title: 'dashboard',
    view: 'console',
    permission: 'rbac.view_console',
    menu: '',
    load: () => import('./console.tsx'),
  },
  {
    path: '/audit/dashboard',
    name: 'AuditDashboard',
    title: 'dashboard',
    view: 'audit',
    permission: 'rbac.view_audit',
    menu: '',
    load: () => import('./audit.tsx'),
  },
]
