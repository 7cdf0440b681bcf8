import { detail } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

export const screens: readonly Screen[] = [
  screen('Basic', 'settingsBasic', () => import('./basic.tsx')),
  screen('Msg', 'settingsMessages', () => import('./messages.tsx')),
  screen('Feature', 'settingsFeatures', () => import('./features.tsx')),
  screen('Auth', 'settingsAuth', () => import('./auth.tsx')),
  screen('Security', 'settingsSecurity', () => import('./security.tsx')),
  screen('Interface', 'settingsInterface', () => import('./interface.tsx')),
  screen('TaskList', 'settingsTasks', () => import('./tasks.tsx')),
  screen(
    'TaskDetail',
    'settingsTaskDetail',
    detail(async () => (await import('./task-detail.tsx')).detail),
  ),
  screen('License', 'license', () => import('./license.tsx')),
]
