/** What components and their sessions keep to. */

import { assetListOrders, assetListPageSizes } from '@castellan/contract/choices/settings'
import { unavailableSettings } from '@castellan/contract/messages/settings-unavailable'
import { boolean, integer, rawChoice, text } from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'
import { commandWatchers } from '../notifications/index.ts'
import { loginLimits, passwordSettings, publicKeySignIn, signInSecurity } from '../users/index.ts'

export const components = defineSettings({
  category: 'terminal',
  permission: 'settings.change_terminal',
  fields: {
    SECURITY_SERVICE_ACCOUNT_REGISTRATION: boolean({ default: true, required: true }),
    TERMINAL_PASSWORD_AUTH: boolean({ default: true }),
    TERMINAL_PUBLIC_KEY_AUTH: publicKeySignIn.settings.TERMINAL_PUBLIC_KEY_AUTH,
    TERMINAL_ASSET_LIST_SORT_BY: rawChoice(assetListOrders, { default: 'name', blank: true }),
    TERMINAL_ASSET_LIST_PAGE_SIZE: rawChoice(assetListPageSizes, { default: 'auto', blank: true }),
    TERMINAL_MAGNUS_ENABLED: boolean({ default: true, required: true }),
    TERMINAL_RAZOR_ENABLED: boolean({ default: true, required: true }),
    TERMINAL_KOKO_SSH_ENABLED: boolean({ default: true, required: true }),
  },
  public: ['TERMINAL_MAGNUS_ENABLED', 'TERMINAL_RAZOR_ENABLED', 'TERMINAL_KOKO_SSH_ENABLED'],
})

export const sessionRules = defineSettings({
  category: 'security_session',
  permission: 'settings.change_security',
  fields: {
    SECURITY_WATERMARK_ENABLED: boolean({ default: true, required: true }),
    SECURITY_MAX_IDLE_TIME: integer({ default: 30, min: 1, max: 99_999 }),
    SECURITY_MAX_SESSION_TIME: integer({ default: 24, min: 1, max: 99_999 }),
    SECURITY_LUNA_REMEMBER_AUTH: boolean({ default: true, required: true }),
    SECURITY_SESSION_SHARE: boolean({ default: true, required: true }),
  },
  public: [
    'SECURITY_WATERMARK_ENABLED',
    'SECURITY_MAX_IDLE_TIME',
    'SECURITY_LUNA_REMEMBER_AUTH',
    'SECURITY_SESSION_SHARE',
  ],
  unavailable: { SECURITY_LUNA_REMEMBER_AUTH: unavailableSettings.terminal_secrets },
})

export const commandAlerts = defineSettings({
  category: 'security_basic',
  permission: 'settings.change_security',
  fields: {
    SECURITY_INSECURE_COMMAND: boolean({ default: false }),
    SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER: commandWatchers.settings.SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER,
  },
  unavailable: { SECURITY_INSECURE_COMMAND: unavailableSettings.command_alerts },
})

/** The page that shows all of them. */
export const security = defineSettings({
  category: 'security',
  permission: 'settings.change_security',
  fields: {
    ...passwordSettings.settings,
    ...signInSecurity.settings,
    ...sessionRules.settings,
    ...commandAlerts.settings,
    ...loginLimits.settings,
  },
})

export const sessionRetention = defineSettings({
  changedBy: 'other category',
  fields: {
    TERMINAL_SESSION_KEEP_DURATION: integer({ default: 200, required: true, min: 1, max: 99_999 }),
  },
})

export const componentOptions = defineSettings({
  changedBy: 'environment',
  fields: {
    TERMINAL_HEARTBEAT_INTERVAL: integer({ default: 20 }),
    TERMINAL_OMNIDB_ENABLED: boolean({ default: true }),
    FTP_FILE_MAX_STORE: integer({ default: 100 }),
    MAGNUS_ORACLE_PORTS: text({ default: '30000-30030' }),
  },
  public: ['TERMINAL_OMNIDB_ENABLED'],
})
