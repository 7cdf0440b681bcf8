/** Identity providers that a browser is sent to. */

import { oauth2TokenMethods, oidcChallengeMethods, oidcClientAuthMethods } from '@castellan/contract/choices/settings'
import { unavailableSettings } from '@castellan/contract/messages/settings-unavailable'
import {
  boolean,
  describedAs,
  integer,
  json,
  nullable,
  nullableText,
  rawChoice,
  secret,
  text,
  url,
  webAddress,
} from '../../../kernel/fields/index.ts'
import { defineSettings } from '../../../kernel/settings/setting-groups.ts'
import { pictureSetting } from '../../settings/index.ts'
import { signInMethods } from '../settings.ts'

export const cas = defineSettings({
  category: 'cas',
  permission: 'settings.change_auth',
  fields: {
    AUTH_CAS: signInMethods.settings.AUTH_CAS,
    CAS_SERVER_URL: webAddress({ default: 'https://example.com/cas/', max: 1024 }),
    CAS_ROOT_PROXIED_AS: nullable(webAddress({ default: 'https://example.com', max: 1024 })),
    CAS_LOGOUT_COMPLETELY: boolean({ default: true }),
    CAS_VERSION: integer({ default: 3, min: 1, max: 3 }),
    CAS_USERNAME_ATTRIBUTE: text({ default: 'cas:user', max: 1024 }),
    CAS_APPLY_ATTRIBUTES_TO_USER: boolean({ default: false }),
    CAS_RENAME_ATTRIBUTES: json<Readonly<Record<string, string>>>({ default: { 'cas:user': 'username' } }),
    CAS_CREATE_USER: boolean({ default: true }),
  },
})

export const oidc = defineSettings({
  category: 'oidc',
  permission: 'settings.change_auth',
  fields: {
    BASE_SITE_URL: { ...nullable(webAddress({ max: 1024 })), default: null },
    AUTH_OPENID_CLIENT_ID: text({ default: 'client-id', max: 1024 }),
    AUTH_OPENID_CLIENT_SECRET: secret({ max: 1024 }),
    AUTH_OPENID_CLIENT_AUTH_METHOD: rawChoice(oidcClientAuthMethods, { default: 'client_secret_basic', blank: true }),
    AUTH_OPENID_SHARE_SESSION: boolean({ default: true }),
    AUTH_OPENID_IGNORE_SSL_VERIFICATION: boolean({ default: false }),
    AUTH_OPENID_USER_ATTR_MAP: json<Readonly<Record<string, string>>>({
      default: { name: 'name', username: 'preferred_username', email: 'email' },
      required: true,
    }),
    AUTH_OPENID_PKCE: boolean({ default: false }),
    AUTH_OPENID_CODE_CHALLENGE_METHOD: rawChoice(oidcChallengeMethods, { default: 'S256', blank: true }),
    AUTH_OPENID_KEYCLOAK: describedAs(boolean({ default: true }), { default: false }),
    AUTH_OPENID_SERVER_URL: webAddress({ default: 'https://keycloak.example.com', max: 1024 }),
    AUTH_OPENID_REALM_NAME: nullableText({ default: null, max: 1024 }),
    AUTH_OPENID: signInMethods.settings.AUTH_OPENID,
    AUTH_OPENID_PROVIDER_ENDPOINT: webAddress({ default: 'https://oidc.example.com/', max: 1024 }),
    AUTH_OPENID_PROVIDER_AUTHORIZATION_ENDPOINT: webAddress({
      default: 'https://oidc.example.com/authorize',
      max: 1024,
    }),
    AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT: webAddress({ default: 'https://oidc.example.com/token', max: 1024 }),
    AUTH_OPENID_PROVIDER_JWKS_ENDPOINT: webAddress({ default: 'https://oidc.example.com/jwks', max: 1024 }),
    AUTH_OPENID_PROVIDER_USERINFO_ENDPOINT: webAddress({ default: 'https://oidc.example.com/userinfo', max: 1024 }),
    AUTH_OPENID_PROVIDER_END_SESSION_ENDPOINT: webAddress({ default: 'https://oidc.example.com/logout', max: 1024 }),
    AUTH_OPENID_PROVIDER_SIGNATURE_ALG: text({ default: 'HS256', max: 1024 }),
    AUTH_OPENID_PROVIDER_SIGNATURE_KEY: nullableText({ default: null, max: 1024 }),
    AUTH_OPENID_SCOPES: text({ default: 'openid profile email', max: 1024 }),
    AUTH_OPENID_ID_TOKEN_MAX_AGE: integer({ default: 60 }),
    AUTH_OPENID_ID_TOKEN_INCLUDE_CLAIMS: boolean({ default: true }),
    AUTH_OPENID_USE_STATE: boolean({ default: true }),
    AUTH_OPENID_USE_NONCE: boolean({ default: true }),
    AUTH_OPENID_ALWAYS_UPDATE_USER: boolean({ default: true }),
  },
  proposed: ['AUTH_OPENID_CLIENT_AUTH_METHOD', 'AUTH_OPENID_CODE_CHALLENGE_METHOD'],
  sentTo: {
    AUTH_OPENID_CLIENT_SECRET: [
      'AUTH_OPENID_CLIENT_ID',
      'AUTH_OPENID_KEYCLOAK',
      'AUTH_OPENID_SERVER_URL',
      'AUTH_OPENID_REALM_NAME',
      'AUTH_OPENID_PROVIDER_ENDPOINT',
      'AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT',
      'AUTH_OPENID_IGNORE_SSL_VERIFICATION',
    ],
  },
  unavailable: { AUTH_OPENID_USE_STATE: unavailableSettings.oidc_state },
})

/** The same settings without those that Keycloak decides. */
export const keycloak = defineSettings({
  category: 'keycloak',
  permission: 'settings.change_auth',
  fields: {
    BASE_SITE_URL: oidc.settings.BASE_SITE_URL,
    AUTH_OPENID_CLIENT_ID: oidc.settings.AUTH_OPENID_CLIENT_ID,
    AUTH_OPENID_CLIENT_SECRET: oidc.settings.AUTH_OPENID_CLIENT_SECRET,
    AUTH_OPENID_CLIENT_AUTH_METHOD: oidc.settings.AUTH_OPENID_CLIENT_AUTH_METHOD,
    AUTH_OPENID_SHARE_SESSION: oidc.settings.AUTH_OPENID_SHARE_SESSION,
    AUTH_OPENID_IGNORE_SSL_VERIFICATION: oidc.settings.AUTH_OPENID_IGNORE_SSL_VERIFICATION,
    AUTH_OPENID_USER_ATTR_MAP: oidc.settings.AUTH_OPENID_USER_ATTR_MAP,
    AUTH_OPENID_PKCE: oidc.settings.AUTH_OPENID_PKCE,
    AUTH_OPENID_CODE_CHALLENGE_METHOD: oidc.settings.AUTH_OPENID_CODE_CHALLENGE_METHOD,
    AUTH_OPENID_KEYCLOAK: oidc.settings.AUTH_OPENID_KEYCLOAK,
    AUTH_OPENID_SERVER_URL: oidc.settings.AUTH_OPENID_SERVER_URL,
    AUTH_OPENID_REALM_NAME: oidc.settings.AUTH_OPENID_REALM_NAME,
  },
})

export const saml2 = defineSettings({
  category: 'saml2',
  permission: 'settings.change_auth',
  fields: {
    AUTH_SAML2: signInMethods.settings.AUTH_SAML2,
    SAML2_IDP_METADATA_URL: url({ default: '' }),
    SAML2_IDP_METADATA_XML: text({ default: '' }),
    SAML2_SP_ADVANCED_SETTINGS: json<object>({
      default: {
        organization: { en: { name: 'Castellan', displayname: 'Castellan', url: '' } },
        strict: true,
        security: {},
      },
    }),
    SAML2_SP_KEY_CONTENT: secret(),
    SAML2_SP_CERT_CONTENT: secret(),
    SAML2_RENAME_ATTRIBUTES: json<Readonly<Record<string, string>>>({ default: { uid: 'username', email: 'email' } }),
    SAML2_LOGOUT_COMPLETELY: boolean({ default: true }),
    AUTH_SAML2_ALWAYS_UPDATE_USER: boolean({ default: true }),
  },
})

export const oauth2 = defineSettings({
  category: 'oauth2',
  permission: 'settings.change_auth',
  fields: {
    AUTH_OAUTH2: signInMethods.settings.AUTH_OAUTH2,
    AUTH_OAUTH2_LOGO_PATH: pictureSetting(),
    AUTH_OAUTH2_PROVIDER: text({ default: 'OAuth2', required: true, max: 16 }),
    AUTH_OAUTH2_CLIENT_ID: text({ default: 'client-id', required: true, max: 1024 }),
    AUTH_OAUTH2_CLIENT_SECRET: secret({ max: 1024 }),
    AUTH_OAUTH2_SCOPE: text({ default: '', required: true, blank: true, max: 1024 }),
    AUTH_OAUTH2_PROVIDER_AUTHORIZATION_ENDPOINT: webAddress({
      default: 'https://oauth2.example.com/authorize',
      required: true,
      max: 1024,
    }),
    AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT: webAddress({
      default: 'https://oauth2.example.com/access_token',
      required: true,
      max: 1024,
    }),
    AUTH_OAUTH2_ACCESS_TOKEN_METHOD: rawChoice(oauth2TokenMethods, { default: 'GET', blank: true }),
    AUTH_OAUTH2_PROVIDER_USERINFO_ENDPOINT: webAddress({
      default: 'https://oauth2.example.com/userinfo',
      required: true,
      max: 1024,
    }),
    AUTH_OAUTH2_PROVIDER_END_SESSION_ENDPOINT: webAddress({ default: 'https://oauth2.example.com/logout', max: 1024 }),
    AUTH_OAUTH2_LOGOUT_COMPLETELY: boolean({ default: true }),
    AUTH_OAUTH2_USER_ATTR_MAP: json<Readonly<Record<string, string>>>({
      default: { name: 'name', username: 'username', email: 'email' },
      required: true,
    }),
    AUTH_OAUTH2_ALWAYS_UPDATE_USER: boolean({ default: true }),
  },
  proposed: ['AUTH_OAUTH2_ACCESS_TOKEN_METHOD', 'AUTH_OAUTH2_ALWAYS_UPDATE_USER'],
  sentTo: {
    AUTH_OAUTH2_CLIENT_SECRET: ['AUTH_OAUTH2_CLIENT_ID', 'AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT'],
  },
})
