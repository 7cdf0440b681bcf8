import { type Feature, screen } from '../../kit/feature.ts'

export const features: readonly Feature[] = [
  screen('AdminDashboard', 'dashboard', () => import('./console.tsx')),
  screen('AuditDashboard', 'dashboard', () => import('./audit.tsx')),
]
