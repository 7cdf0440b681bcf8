import type { Feature } from '../../kit/feature.ts'
import { form } from '../../kit/resource.ts'

const shared = { view: 'profile', hidesOrganisation: true } as const

export const features: readonly Feature[] = [
  {
    ...shared,
    path: '/profile/api-keys',
    name: 'ApiKey',
    title: 'apiKeys',
    permission: 'authentication.view_accesskey',
    menu: '',
    load: () => import('./api-keys.tsx'),
  },
  {
    ...shared,
    path: '/profile/api-keys/:id/update',
    name: 'ApiKeyCreateUpdate',
    title: 'apiKeyUpdate',
    permission: 'authentication.change_accesskey',
    load: form(async () => (await import('./api-key-form.ts')).apiKeyForm),
  },
]
