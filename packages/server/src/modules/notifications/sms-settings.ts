/** Short messages: the senders they may go through. No module sends any yet. */

import { smsBackends, smsRequestMethods } from '@castellan/contract/choices/settings'
import { unavailableSettings } from '@castellan/contract/messages/settings-unavailable'
import {
  boolean,
  describedAs,
  integer,
  json,
  nullableText,
  rawChoice,
  secret,
  text,
  url,
} from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'

export const shortMessages = defineSettings({
  category: 'sms',
  permission: 'settings.change_sms',
  fields: {
    SMS_ENABLED: boolean({ default: false }),
    SMS_BACKEND: describedAs(rawChoice(smsBackends, { default: '', blank: true }), { default: 'alibaba' }),
    SMS_CODE_LENGTH: integer({ default: 4, min: 4, max: 16 }),
  },
  proposed: ['SMS_ENABLED', 'SMS_CODE_LENGTH'],
  unavailable: unavailableSettings.sms,
})

export const smsTest = defineSettings({
  changedBy: 'other category',
  fields: {
    SMS_TEST_PHONE: nullableText({ default: '' }),
  },
})

export const alibaba = defineSettings({
  category: 'alibaba',
  permission: 'settings.change_sms',
  fields: {
    SMS_TEST_PHONE: smsTest.settings.SMS_TEST_PHONE,
    ALIBABA_ACCESS_KEY_ID: text({ default: '', required: true, max: 256 }),
    ALIBABA_ACCESS_KEY_SECRET: secret({ max: 256 }),
    ALIBABA_VERIFY_SIGN_NAME: text({ default: '', required: true, max: 256 }),
    ALIBABA_VERIFY_TEMPLATE_CODE: text({ default: '', required: true, max: 256 }),
  },
  unavailable: unavailableSettings.sms,
})

export const tencent = defineSettings({
  category: 'tencent',
  permission: 'settings.change_sms',
  fields: {
    SMS_TEST_PHONE: smsTest.settings.SMS_TEST_PHONE,
    TENCENT_SECRET_ID: text({ default: '', required: true, max: 256 }),
    TENCENT_SECRET_KEY: secret({ max: 256 }),
    TENCENT_SDKAPPID: text({ default: '', required: true, max: 256 }),
    TENCENT_VERIFY_SIGN_NAME: text({ default: '', required: true, max: 256 }),
    TENCENT_VERIFY_TEMPLATE_CODE: text({ default: '', required: true, max: 256 }),
  },
  unavailable: unavailableSettings.sms,
})

export const huawei = defineSettings({
  category: 'huawei',
  permission: 'settings.change_sms',
  fields: {
    SMS_TEST_PHONE: smsTest.settings.SMS_TEST_PHONE,
    HUAWEI_APP_KEY: text({ default: '', required: true, max: 256 }),
    HUAWEI_APP_SECRET: secret({ max: 256 }),
    HUAWEI_SMS_ENDPOINT: text({ default: '', required: true, max: 1024 }),
    HUAWEI_SIGN_CHANNEL_NUM: text({ default: '', required: true, max: 1024 }),
    HUAWEI_VERIFY_SIGN_NAME: text({ default: '', required: true, max: 256 }),
    HUAWEI_VERIFY_TEMPLATE_CODE: text({ default: '', required: true, max: 256 }),
  },
  unavailable: unavailableSettings.sms,
})

export const cmpp2 = defineSettings({
  category: 'cmpp2',
  permission: 'settings.change_sms',
  fields: {
    SMS_TEST_PHONE: smsTest.settings.SMS_TEST_PHONE,
    CMPP2_HOST: text({ default: '', required: true, max: 256 }),
    CMPP2_PORT: integer({ default: 7890 }),
    CMPP2_SP_ID: text({ default: '', required: true, max: 128 }),
    CMPP2_SP_SECRET: secret({ max: 256 }),
    CMPP2_SRC_ID: text({ default: '', max: 256 }),
    CMPP2_SERVICE_ID: text({ default: '', required: true, max: 256 }),
    CMPP2_VERIFY_SIGN_NAME: text({ default: '', required: true, max: 256 }),
    CMPP2_VERIFY_TEMPLATE_CODE: text({ default: '{code}', required: true, max: 69 }),
  },
  proposed: ['CMPP2_PORT'],
  unavailable: unavailableSettings.sms,
})

export const customSms = defineSettings({
  category: 'custom',
  permission: 'settings.change_sms',
  fields: {
    SMS_TEST_PHONE: smsTest.settings.SMS_TEST_PHONE,
    CUSTOM_SMS_URL: url({ default: '', required: true }),
    CUSTOM_SMS_API_PARAMS: json<Readonly<Record<string, string>>>({
      default: { phone_numbers: '{phone_numbers}', content: '{code}' },
    }),
    CUSTOM_SMS_REQUEST_METHOD: rawChoice(smsRequestMethods, { default: 'get', blank: true }),
  },
  proposed: ['CUSTOM_SMS_REQUEST_METHOD'],
  unavailable: unavailableSettings.sms,
})
