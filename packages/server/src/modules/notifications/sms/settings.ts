/** Short messages: the senders they may go through. */

import { smsBackends, smsRequestMethods } from '@castellan/contract/choices/settings'
import { smsMessages } from '@castellan/contract/messages/sms'
import {
  boolean,
  describedAs,
  type Field,
  integer,
  json,
  phone,
  rawChoice,
  secret,
  text,
  url,
} from '../../../kernel/fields/index.ts'
import { reject, text as say } from '../../../kernel/module/errors.ts'
import { defineSettings } from '../../../kernel/settings/setting-groups.ts'

export const shortMessages = defineSettings({
  category: 'sms',
  permission: 'settings.change_sms',
  fields: {
    SMS_ENABLED: boolean({ default: false }),
    SMS_BACKEND: describedAs(rawChoice(smsBackends, { default: '', blank: true }), { default: 'alibaba' }),
    SMS_CODE_LENGTH: integer({ default: 4, min: 4, max: 16 }),
  },
  proposed: ['SMS_ENABLED', 'SMS_CODE_LENGTH'],
  guarded: { by: 'settings.change_delivery', names: ['SMS_BACKEND'] },
})

export const smsTest = defineSettings({
  changedBy: 'other category',
  fields: {
    SMS_TEST_PHONE: phone({ default: '' }),
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
  guarded: { by: 'settings.change_delivery', names: ['ALIBABA_ACCESS_KEY_ID'] },
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
  guarded: { by: 'settings.change_delivery', names: ['TENCENT_SECRET_ID', 'TENCENT_SDKAPPID'] },
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
  sentTo: { HUAWEI_APP_SECRET: ['HUAWEI_SMS_ENDPOINT'] },
  guarded: { by: 'settings.change_delivery', names: ['HUAWEI_APP_KEY', 'HUAWEI_SMS_ENDPOINT'] },
})

/** Characters of signature and template, which leave room for the code and the brackets in one message of 70. */
const mostCharacters = 65

/** A template in which a code can be put. */
function withCode(field: Field<string, 'own'>): Field<string, 'own'> {
  return {
    ...field,
    parse(input, ctx) {
      const words = String(field.parse?.(input, ctx) ?? '')
      return words.includes('{code}') ? words : reject(smsMessages.without, { placeholder: '{code}' })
    },
  }
}

/** Parameters of which some contain the number, and some the code. */
const customParams = (): Field<Readonly<Record<string, string>>, 'own'> => {
  const field = json<Readonly<Record<string, string>>>({
    default: { phone_numbers: '{phone_numbers}', content: '{code}' },
    shape: 'object',
  })
  return {
    ...field,
    parse(input, ctx) {
      const params = field.parse?.(input, ctx) ?? {}
      const words = Object.values(params).join(' ')
      for (const placeholder of ['{phone_numbers}', '{code}'])
        if (!words.includes(placeholder)) return reject(smsMessages.without, { placeholder })
      return params
    },
  }
}

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
    CMPP2_VERIFY_TEMPLATE_CODE: withCode(text({ default: '{code}', required: true, max: 69 })),
  },
  sentTo: { CMPP2_SP_SECRET: ['CMPP2_HOST', 'CMPP2_PORT'] },
  check: ({ CMPP2_VERIFY_SIGN_NAME: sign, CMPP2_VERIFY_TEMPLATE_CODE: template }) =>
    `${sign}${template}`.length > mostCharacters ? say(smsMessages.too_long, { max: mostCharacters }) : undefined,
  proposed: ['CMPP2_PORT'],
  guarded: { by: 'settings.change_delivery', names: ['CMPP2_HOST', 'CMPP2_PORT', 'CMPP2_SP_ID'] },
})

export const customSms = defineSettings({
  category: 'custom',
  permission: 'settings.change_sms',
  fields: {
    SMS_TEST_PHONE: smsTest.settings.SMS_TEST_PHONE,
    CUSTOM_SMS_URL: url({ default: '', required: true }),
    CUSTOM_SMS_API_PARAMS: customParams(),
    CUSTOM_SMS_REQUEST_METHOD: rawChoice(smsRequestMethods, { default: 'get', blank: true }),
  },
  proposed: ['CUSTOM_SMS_REQUEST_METHOD'],
  guarded: {
    by: 'settings.change_delivery',
    names: ['CUSTOM_SMS_URL', 'CUSTOM_SMS_API_PARAMS', 'CUSTOM_SMS_REQUEST_METHOD'],
  },
})

/** Where the clouds are called; other addresses are for their other regions. */
export const smsAddresses = defineSettings({
  changedBy: 'environment',
  fields: {
    ALIBABA_SMS_URL: url({ default: 'https://dysmsapi.aliyuncs.com/' }),
    TENCENT_SMS_URL: url({ default: 'https://sms.tencentcloudapi.com/' }),
  },
})
