/** Ways to sign in, and how long a sign-in lasts. */
import { boolean, integer, text, webAddress } from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'
import { chats } from '../notifications/index.ts'

export const signInMethods = defineSettings({
  category: 'auth',
  permission: 'settings.change_auth',
  fields: {
    AUTH_LDAP: boolean({ default: false }),
    AUTH_CAS: boolean({ default: false }),
    AUTH_OPENID: boolean({ default: false }),
    AUTH_SAML2: boolean({ default: false }),
    AUTH_OAUTH2: boolean({ default: false }),
    AUTH_RADIUS: boolean({ default: false }),
    AUTH_DINGTALK: chats.settings.AUTH_DINGTALK,
    AUTH_FEISHU: chats.settings.AUTH_FEISHU,
    AUTH_WECOM: chats.settings.AUTH_WECOM,
    AUTH_SSO: boolean({ default: false }),
    AUTH_PASSKEY: boolean({ default: false }),
    FORGOT_PASSWORD_URL: webAddress({ default: '', max: 1024, orPath: true }),
    LOGIN_REDIRECT_MSG_ENABLED: boolean({ default: true }),
  },
  public: ['AUTH_PASSKEY'],
  proposed: ['AUTH_SAML2', 'AUTH_OAUTH2', 'AUTH_SSO', 'AUTH_PASSKEY'],
  unavailable: {},
})

export const passkeys = defineSettings({
  category: 'passkey',
  permission: 'settings.change_auth',
  fields: {
    AUTH_PASSKEY: signInMethods.settings.AUTH_PASSKEY,
    FIDO_SERVER_ID: text({ default: '', max: 255 }),
    FIDO_SERVER_NAME: text({ default: 'Castellan', required: true, max: 255 }),
  },
})

export const signInSessions = defineSettings({
  changedBy: 'environment',
  fields: {
    SESSION_COOKIE_AGE: integer({ default: 86_400, min: 60 }),
    SESSION_EXPIRE_AT_BROWSER_CLOSE: boolean({ default: true }),
    SESSION_EXPIRE_AT_BROWSER_CLOSE_FORCE: boolean({ default: false }),
    TOKEN_EXPIRATION: integer({ default: 86_400 }),
    SECURITY_VIEW_AUTH_NEED_MFA: boolean({ default: true }),
  },
  public: ['SESSION_EXPIRE_AT_BROWSER_CLOSE', 'SECURITY_VIEW_AUTH_NEED_MFA'],
})

export const otherMethods = defineSettings({
  changedBy: 'environment',
  fields: {
    AUTH_TEMP_TOKEN: boolean({ default: false }),
    AUTH_SSO_AUTHKEY_TTL: integer({ default: 900, min: 60, max: 1800 }),
    LOGIN_REDIRECT_TO_BACKEND: text({ default: '' }),
    MFA_CUSTOM: boolean({ default: false }),
    /** Hours for which a sign-in by a provider is good, for the session and everything else of the user. */
    AUTH_PROVIDER_SIGN_IN_MAX_AGE: integer({ default: 168, min: 1, max: 8760 }),
  },
  public: ['AUTH_TEMP_TOKEN'],
})

export const signatures = defineSettings({
  changedBy: 'environment',
  fields: {
    /** A signed body has to list its digest. */
    ACCESS_KEY_BODY_DIGEST: boolean({ default: true }),
  },
})
