import { form, list } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

export const screens: readonly Screen[] = [
  screen('ApiKey', 'apiKeys', () => import('./api-keys.tsx')),
  screen('TempPassword', 'tempPasswords', () => import('./temp-passwords.tsx')),
  screen(
    'ConnectionToken',
    'connectionTokens',
    list(async () => (await import('./connection-tokens.ts')).list),
  ),
  screen('Passkey', 'passkeys', () => import('./passkeys.tsx')),
  screen(
    'ApiKeyCreateUpdate',
    'apiKeyUpdate',
    form(async () => (await import('./api-key-form.ts')).apiKeyForm),
  ),
]
