import { type Feature, screen } from '../../kit/feature.ts'

const roleForm = () => import('./role-form.tsx')

export const features: readonly Feature[] = [
  screen('RoleList', 'roles', () => import('./roles.tsx')),
  screen('RoleCreate', 'roleCreate', roleForm),
  screen('RoleUpdate', 'roleUpdate', roleForm),
  screen('RoleDetail', 'roleDetail', () => import('./role-detail.tsx')),
]
