import { type Feature, link, screen } from '../../kit/feature.ts'
import { detail } from '../../kit/resource.ts'

export const features: readonly Feature[] = [
  screen('SessionList', 'sessions', () => import('./sessions.tsx')),
  screen(
    'SessionDetail',
    'sessionDetail',
    detail(async () => (await import('./session-detail.tsx')).detail),
  ),
  screen('CommandList', 'commands', () => import('./commands.tsx')),
  link('WebTerminal', 'webTerminal'),
  link('FileManager', 'fileManager'),
]
