/** How long connection tokens last. */
import { boolean, integer } from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'

export const tokenLifetime = defineSettings({
  changedBy: 'environment',
  fields: {
    CONNECTION_TOKEN_REUSABLE: boolean({ default: false }),
    CONNECTION_TOKEN_ONETIME_EXPIRATION: integer({ default: 300, min: 300 }),
    CONNECTION_TOKEN_REUSABLE_EXPIRATION: integer({ default: 2_592_000 }),
    CACHE_LOGIN_PASSWORD_ENABLED: boolean({ default: false }),
    CACHE_LOGIN_PASSWORD_TTL: integer({ default: 86_400 }),
    WINDOWS_SKIP_ALL_MANUAL_PASSWORD: boolean({ default: false }),
  },
  public: ['CONNECTION_TOKEN_REUSABLE', 'CACHE_LOGIN_PASSWORD_ENABLED', 'WINDOWS_SKIP_ALL_MANUAL_PASSWORD'],
})
