/** Rules for passwords and sign-ins of users. */

import { mfaDemands } from '@castellan/contract/choices/settings'
import { unavailableSettings } from '@castellan/contract/messages/settings-unavailable'
import {
  addressItem,
  boolean,
  describedAs,
  integer,
  nullableText,
  rawChoice,
  stringList,
  text,
} from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'

export const passwordSettings = defineSettings({
  category: 'security_password',
  permission: 'settings.change_security',
  fields: {
    SECURITY_PASSWORD_EXPIRATION_TIME: integer({ default: 9999, required: true, min: 1, max: 99_999 }),
    OLD_PASSWORD_HISTORY_LIMIT_COUNT: integer({ default: 5, required: true, min: 0, max: 99_999 }),
    SECURITY_PASSWORD_MIN_LENGTH: integer({ default: 6, required: true, min: 6, max: 30 }),
    SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH: integer({ default: 6, required: true, min: 6, max: 30 }),
    SECURITY_PASSWORD_UPPER_CASE: boolean({ default: false }),
    SECURITY_PASSWORD_LOWER_CASE: boolean({ default: false }),
    SECURITY_PASSWORD_NUMBER: boolean({ default: false }),
    SECURITY_PASSWORD_SPECIAL_CHAR: boolean({ default: false }),
  },
  public: ['SECURITY_PASSWORD_EXPIRATION_TIME', 'OLD_PASSWORD_HISTORY_LIMIT_COUNT'],
  publicAs: {
    name: 'PASSWORD_RULE',
    settings: [
      'SECURITY_PASSWORD_MIN_LENGTH',
      'SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH',
      'SECURITY_PASSWORD_UPPER_CASE',
      'SECURITY_PASSWORD_LOWER_CASE',
      'SECURITY_PASSWORD_NUMBER',
      'SECURITY_PASSWORD_SPECIAL_CHAR',
    ],
  },
})

export const loginLimits = defineSettings({
  category: 'security_login_limit',
  permission: 'settings.change_security',
  fields: {
    SECURITY_LOGIN_LIMIT_COUNT: integer({ default: 7, required: true, min: 3, max: 99_999 }),
    SECURITY_LOGIN_LIMIT_TIME: integer({ default: 30, required: true, min: 5, max: 99_999 }),
    SECURITY_LOGIN_IP_LIMIT_COUNT: integer({ default: 99_999, required: true, min: 3, max: 99_999 }),
    SECURITY_LOGIN_IP_LIMIT_TIME: integer({ default: 30, required: true, min: 5, max: 99_999 }),
    SECURITY_LOGIN_IP_WHITE_LIST: stringList({ default: [], max: 1024, item: addressItem }),
    SECURITY_LOGIN_IP_BLACK_LIST: stringList({ default: [], max: 1024, item: addressItem }),
    USER_LOGIN_SINGLE_MACHINE_ENABLED: boolean({ default: false }),
    ONLY_ALLOW_EXIST_USER_AUTH: boolean({ default: false }),
    ONLY_ALLOW_AUTH_FROM_SOURCE: boolean({ default: false }),
  },
  proposed: [
    'SECURITY_LOGIN_IP_WHITE_LIST',
    'SECURITY_LOGIN_IP_BLACK_LIST',
    'USER_LOGIN_SINGLE_MACHINE_ENABLED',
    'ONLY_ALLOW_EXIST_USER_AUTH',
    'ONLY_ALLOW_AUTH_FROM_SOURCE',
  ],
})

export const signInSecurity = defineSettings({
  category: 'security_auth',
  permission: 'settings.change_security',
  fields: {
    SECURITY_MFA_AUTH: rawChoice(mfaDemands, { default: 0, numeric: true, blank: true }),
    SECURITY_MFA_AUTH_ENABLED_FOR_THIRD_PARTY: boolean({ default: true }),
    OTP_ISSUER_NAME: text({ default: 'Castellan', max: 16 }),
    OTP_VALID_WINDOW: integer({ default: 2, required: true, min: 0, max: 10 }),
    SECURITY_MFA_VERIFY_TTL: integer({ default: 3600, required: true, min: 5, max: 36_000 }),
    SECURITY_MFA_IN_LOGIN_PAGE: boolean({ default: false }),
    VERIFY_CODE_TTL: integer({ default: 60, required: true, min: 5, max: 36_000 }),
    SECURITY_LOGIN_CHALLENGE_ENABLED: boolean({ default: false }),
    SECURITY_LOGIN_CAPTCHA_ENABLED: describedAs(boolean({ default: true }), { default: false }),
    SECURITY_CHECK_DIFFERENT_CITY_LOGIN: boolean({ default: true }),
    SECURITY_UNCOMMON_USERS_TTL: integer({ default: 90, min: 30, max: 99_999 }),
  },
  public: ['SECURITY_MFA_VERIFY_TTL'],
  proposed: [
    'SECURITY_MFA_AUTH_ENABLED_FOR_THIRD_PARTY',
    'SECURITY_MFA_IN_LOGIN_PAGE',
    'SECURITY_LOGIN_CHALLENGE_ENABLED',
  ],
  unavailable: {
    SECURITY_CHECK_DIFFERENT_CITY_LOGIN: ({ cityDatabase }) => (cityDatabase ? undefined : unavailableSettings.city),
  },
})

export const publicKeySignIn = defineSettings({
  changedBy: 'other category',
  fields: {
    TERMINAL_PUBLIC_KEY_AUTH: boolean({ default: true }),
  },
})

export const welcomeMail = defineSettings({
  category: 'email_content',
  permission: 'settings.change_email',
  fields: {
    EMAIL_CUSTOM_USER_CREATED_SUBJECT: text({ default: '', max: 1024 }),
    EMAIL_CUSTOM_USER_CREATED_HONORIFIC: text({ default: '', max: 1024 }),
    EMAIL_CUSTOM_USER_CREATED_BODY: text({ default: '', max: 4096 }),
    EMAIL_CUSTOM_USER_CREATED_SIGNATURE: nullableText({ default: null, max: 512 }),
  },
})
