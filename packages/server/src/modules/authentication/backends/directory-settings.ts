/** LDAP and RADIUS. No backend reads them yet. */
import {
  boolean,
  describedAs,
  integer,
  json,
  nullable,
  nullableText,
  secret,
  text,
} from '../../../kernel/fields/index.ts'
import { defineSettings } from '../../../kernel/setting-groups.ts'
import { directorySync } from '../../orgs/index.ts'
import { signInMethods } from '../settings.ts'

export const ldap = defineSettings({
  category: 'ldap',
  permission: 'settings.change_auth',
  fields: {
    AUTH_LDAP_SERVER_URI: text({ default: 'ldap://localhost:389', required: true, max: 1024 }),
    AUTH_LDAP_BIND_DN: text({ default: 'cn=admin,dc=example,dc=com', max: 1024 }),
    AUTH_LDAP_BIND_PASSWORD: secret({ max: 1024 }),
    AUTH_LDAP_SEARCH_OU: text({ default: 'ou=people,dc=example,dc=com', max: 1024 }),
    AUTH_LDAP_SEARCH_FILTER: text({ default: '(cn=%(user)s)', required: true, max: 1024 }),
    AUTH_LDAP_USER_ATTR_MAP: json<Readonly<Record<string, string>>>({
      default: { username: 'cn', name: 'sn', email: 'mail' },
      required: true,
    }),
    AUTH_LDAP_SYNC_ORG_IDS: directorySync.settings.AUTH_LDAP_SYNC_ORG_IDS,
    AUTH_LDAP_SYNC_IS_PERIODIC: boolean({ default: false }),
    AUTH_LDAP_SYNC_CRONTAB: nullableText({ default: null, max: 128 }),
    AUTH_LDAP_SYNC_INTERVAL: describedAs(nullable(integer({ default: null })), { default: 24 }),
    AUTH_LDAP_CONNECT_TIMEOUT: integer({ default: 10, min: 1, max: 300 }),
    AUTH_LDAP_SEARCH_PAGED_SIZE: integer({ default: 1000 }),
    AUTH_LDAP: signInMethods.settings.AUTH_LDAP,
  },
})

export const ldapOptions = defineSettings({
  changedBy: 'environment',
  fields: {
    AUTH_LDAP_START_TLS: boolean({ default: false }),
    AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: boolean({ default: false }),
    AUTH_LDAP_OPTIONS_OPT_REFERRALS: integer({ default: -1 }),
  },
})

export const radius = defineSettings({
  category: 'radius',
  permission: 'settings.change_auth',
  fields: {
    AUTH_RADIUS: signInMethods.settings.AUTH_RADIUS,
    RADIUS_SERVER: text({ default: 'localhost', max: 1024 }),
    RADIUS_PORT: integer({ default: 1812 }),
    RADIUS_SECRET: secret({ max: 1024 }),
    OTP_IN_RADIUS: boolean({ default: false }),
  },
})
