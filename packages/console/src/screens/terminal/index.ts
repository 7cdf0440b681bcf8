import type { Feature } from '../../kit/feature.ts'
import { detail } from '../../kit/resource.ts'

export const features: readonly Feature[] = [
  {
    path: '/audit/sessions/sessions',
    name: 'SessionList',
    title: 'sessions',
    view: 'audit',
    permission: 'terminal.view_session',
    menu: 'sessions',
    load: () => import('./sessions.tsx'),
  },
  {
    path: '/audit/sessions/sessions/:id',
    name: 'SessionDetail',
    title: 'sessionDetail',
    view: 'audit',
    permission: 'terminal.view_session',
    load: detail(async () => (await import('./session-detail.tsx')).detail),
  },
  {
    path: '/audit/sessions/command',
    name: 'CommandList',
    title: 'commands',
    view: 'audit',
    permission: 'terminal.view_command',
    menu: 'sessions',
    load: () => import('./commands.tsx'),
  },
]
