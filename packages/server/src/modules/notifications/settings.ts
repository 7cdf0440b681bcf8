/** How messages leave the installation. */

import { feishuVersions } from '@castellan/contract/choices/settings'
import { errors } from '@castellan/contract/messages/errors'
import {
  boolean,
  emailDomainPattern,
  nullable,
  nullableText,
  rawChoice,
  secret,
  text,
  url,
} from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'

export const chats = defineSettings({
  changedBy: 'other category',
  fields: {
    AUTH_WECOM: boolean({ default: false }),
    AUTH_DINGTALK: boolean({ default: false }),
    AUTH_FEISHU: boolean({ default: false }),
  },
  public: ['AUTH_WECOM', 'AUTH_DINGTALK', 'AUTH_FEISHU'],
  proposed: ['AUTH_WECOM', 'AUTH_DINGTALK', 'AUTH_FEISHU'],
})

export const wecom = defineSettings({
  category: 'wecom',
  permission: 'settings.change_auth',
  fields: {
    WECOM_CORPID: text({ default: '', required: true, max: 256 }),
    WECOM_AGENTID: text({ default: '', required: true, max: 256 }),
    WECOM_SECRET: secret({ max: 256 }),
    AUTH_WECOM: chats.settings.AUTH_WECOM,
  },
})

export const dingtalk = defineSettings({
  category: 'dingtalk',
  permission: 'settings.change_auth',
  fields: {
    DINGTALK_AGENTID: text({ default: '', required: true, max: 256 }),
    DINGTALK_APPKEY: text({ default: '', required: true, max: 256 }),
    DINGTALK_APPSECRET: secret({ max: 256 }),
    AUTH_DINGTALK: chats.settings.AUTH_DINGTALK,
  },
})

export const feishu = defineSettings({
  category: 'feishu',
  permission: 'settings.change_auth',
  fields: {
    AUTH_FEISHU: chats.settings.AUTH_FEISHU,
    FEISHU_APP_ID: text({ default: '', required: true, max: 256 }),
    FEISHU_APP_SECRET: secret({ max: 256 }),
    FEISHU_VERSION: rawChoice(feishuVersions, { default: 'feishu', blank: true }),
  },
  proposed: ['FEISHU_VERSION'],
})

/** Where the chat services are called; other addresses are for their private deployments. */
export const chatAddresses = defineSettings({
  changedBy: 'environment',
  fields: {
    WECOM_API_URL: url({ default: 'https://qyapi.weixin.qq.com' }),
    WECOM_LOGIN_URL: url({ default: 'https://login.work.weixin.qq.com' }),
    WECOM_OAUTH_URL: url({ default: 'https://open.weixin.qq.com' }),
    DINGTALK_API_URL: url({ default: 'https://api.dingtalk.com' }),
    DINGTALK_OAPI_URL: url({ default: 'https://oapi.dingtalk.com' }),
    DINGTALK_LOGIN_URL: url({ default: 'https://login.dingtalk.com' }),
    FEISHU_API_URL: url({ default: 'https://open.feishu.cn' }),
    FEISHU_LOGIN_URL: url({ default: 'https://accounts.feishu.cn' }),
    LARK_API_URL: url({ default: 'https://open.larksuite.com' }),
    LARK_LOGIN_URL: url({ default: 'https://accounts.larksuite.com' }),
  },
})

export const mailServer = defineSettings({
  category: 'email',
  permission: 'settings.change_email',
  fields: {
    EMAIL_HOST: nullableText({ default: null, required: true, max: 1024 }),
    EMAIL_PORT: nullableText({ default: null, required: true, max: 5 }),
    EMAIL_HOST_USER: nullableText({ default: null, required: true, max: 128 }),
    EMAIL_HOST_PASSWORD: secret({ max: 1024 }),
    EMAIL_FROM: nullableText({ default: null, max: 128 }),
    EMAIL_RECIPIENT: nullableText({ default: null, max: 128 }),
    EMAIL_USE_SSL: nullable(boolean({ default: null })),
    EMAIL_USE_TLS: nullable(boolean({ default: null })),
    EMAIL_SUBJECT_PREFIX: nullableText({ default: null, required: true, max: 1024 }),
    EMAIL_SUFFIX: text({
      default: 'example.com',
      max: 1024,
      pattern: { test: emailDomainPattern, message: errors.not_an_email_domain },
    }),
  },
  guarded: {
    by: 'settings.change_delivery',
    names: [
      'EMAIL_HOST',
      'EMAIL_PORT',
      'EMAIL_HOST_USER',
      'EMAIL_USE_SSL',
      'EMAIL_USE_TLS',
      'EMAIL_FROM',
      'EMAIL_SUFFIX',
    ],
  },
  sentTo: { EMAIL_HOST_PASSWORD: ['EMAIL_HOST', 'EMAIL_PORT', 'EMAIL_HOST_USER', 'EMAIL_USE_SSL', 'EMAIL_USE_TLS'] },
})

export const commandWatchers = defineSettings({
  changedBy: 'other category',
  fields: { SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER: text({ default: '', max: 8192 }) },
})
