import { type Screen, screen } from '../../kit/screen.ts'

const roleForm = () => import('./role-form.tsx')

export const screens: readonly Screen[] = [
  screen('RoleList', 'roles', () => import('./roles.tsx')),
  screen('RoleCreate', 'roleCreate', roleForm),
  screen('RoleUpdate', 'roleUpdate', roleForm),
  screen('RoleDetail', 'roleDetail', () => import('./role-detail.tsx')),
]
