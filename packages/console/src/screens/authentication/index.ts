import { type Feature, screen } from '../../kit/feature.ts'
import { form } from '../../kit/resource.ts'

export const features: readonly Feature[] = [
  screen('ApiKey', 'apiKeys', () => import('./api-keys.tsx')),
  screen(
    'ApiKeyCreateUpdate',
    'apiKeyUpdate',
    form(async () => (await import('./api-key-form.ts')).apiKeyForm),
  ),
]
