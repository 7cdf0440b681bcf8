/** LDAP and RADIUS. */
import {
  boolean,
  describedAs,
  type Field,
  integer,
  json,
  nullable,
  nullableText,
  secret,
  text,
} from '../../../kernel/fields/index.ts'
import { crontabProblem } from '../../../kernel/jobs/crontab.ts'
import { Rejected } from '../../../kernel/module/errors.ts'
import { defineSettings } from '../../../kernel/settings/setting-groups.ts'
import { directorySync } from '../../orgs/index.ts'
import { signInMethods } from '../settings.ts'

/** The contract tells no limits of these. */
const unlimited = { min_value: undefined, max_value: undefined }

/** A schedule, or nothing. */
const crontab = (field: Field<string | null, 'own'>): Field<string | null, 'own'> => ({
  ...field,
  parse(input, ctx) {
    const given = field.parse?.(input, ctx)
    const problem = given ? crontabProblem(String(given)) : undefined
    if (problem) throw new Rejected([problem])
    return given
  },
})

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
    AUTH_LDAP_SYNC_CRONTAB: crontab(nullableText({ default: null, max: 128 })),
    AUTH_LDAP_SYNC_INTERVAL: describedAs(nullable(integer({ default: null, min: 1, max: 65_535 })), {
      default: 24,
      ...unlimited,
    }),
    AUTH_LDAP_CONNECT_TIMEOUT: integer({ default: 10, min: 1, max: 300 }),
    AUTH_LDAP_SEARCH_PAGED_SIZE: describedAs(integer({ default: 1000, min: 1, max: 100_000 }), unlimited),
    AUTH_LDAP: signInMethods.settings.AUTH_LDAP,
  },
  sentTo: { AUTH_LDAP_BIND_PASSWORD: ['AUTH_LDAP_SERVER_URI', 'AUTH_LDAP_BIND_DN'] },
})

export const ldapOptions = defineSettings({
  changedBy: 'environment',
  fields: {
    AUTH_LDAP_START_TLS: boolean({ default: false }),
    AUTH_LDAP_CA_FILE: text({ default: '' }),
    AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: boolean({ default: false }),
  },
})

export const radius = defineSettings({
  category: 'radius',
  permission: 'settings.change_auth',
  fields: {
    AUTH_RADIUS: signInMethods.settings.AUTH_RADIUS,
    RADIUS_SERVER: text({ default: 'localhost', max: 1024 }),
    RADIUS_PORT: describedAs(integer({ default: 1812, min: 1, max: 65_535 }), unlimited),
    RADIUS_SECRET: secret({ max: 1024 }),
    OTP_IN_RADIUS: boolean({ default: false }),
  },
  // The secret itself is not sent, but whoever gets a request can try secrets against its signature.
  sentTo: { RADIUS_SECRET: ['RADIUS_SERVER', 'RADIUS_PORT'] },
})
