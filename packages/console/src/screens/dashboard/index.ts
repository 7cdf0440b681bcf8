import { type Screen, screen } from '../../kit/screen.ts'

export const screens: readonly Screen[] = [
  screen('AdminDashboard', 'dashboard', () => import('./console.tsx')),
  screen('AuditDashboard', 'dashboard', () => import('./audit.tsx')),
]
