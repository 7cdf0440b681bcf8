/** Choices of settings. The API transfers bare values. */
import { defineMessages } from '../messages.ts'

export const assetListOrders = defineMessages({
  name: { en: 'Name', zh: '名称', ja: '名前' },
  ip: { en: 'Address', zh: '地址', ja: 'アドレス' },
})

/** JavaScript orders integer keys first. The console shows the choices in this order too. */
export const assetListPageSizes = defineMessages({
  all: { en: 'All', zh: '全部', ja: 'すべて' },
  auto: { en: 'Auto', zh: '自动', ja: '自動' },
  '10': { en: '10', zh: '10', ja: '10' },
  '15': { en: '15', zh: '15', ja: '15' },
  '25': { en: '25', zh: '25', ja: '25' },
  '50': { en: '50', zh: '50', ja: '50' },
})

/** Users who need a second factor. */
export const mfaDemands = defineMessages({
  0: { en: 'Disabled', zh: '禁用', ja: '無効' },
  1: { en: 'All users', zh: '所有用户', ja: 'すべてのユーザー' },
  2: { en: 'Administrators only', zh: '仅管理员', ja: '管理者のみ' },
})

export const oidcClientAuthMethods = defineMessages({
  client_secret_basic: { en: 'Client secret basic', zh: 'Client Secret Basic', ja: 'Client Secret Basic' },
  client_secret_post: { en: 'Client secret post', zh: 'Client Secret Post', ja: 'Client Secret Post' },
})

export const oidcChallengeMethods = defineMessages({
  S256: { en: 'S256', zh: 'S256', ja: 'S256' },
  plain: { en: 'Plain', zh: 'Plain', ja: 'Plain' },
})

export const oauth2TokenMethods = defineMessages({
  GET: { en: 'GET', zh: 'GET', ja: 'GET' },
  POST: { en: 'POST', zh: 'POST', ja: 'POST' },
})

export const feishuVersions = defineMessages({
  feishu: { en: 'FeiShu', zh: '飞书', ja: 'FeiShu' },
  lark: { en: 'Lark', zh: 'Lark', ja: 'Lark' },
})

export const smsBackends = defineMessages({
  alibaba: { en: 'Alibaba Cloud', zh: '阿里云', ja: 'Alibaba Cloud' },
  tencent: { en: 'Tencent Cloud', zh: '腾讯云', ja: 'Tencent Cloud' },
  huawei: { en: 'Huawei Cloud', zh: '华为云', ja: 'Huawei Cloud' },
  cmpp2: { en: 'CMPP v2.0', zh: 'CMPP v2.0', ja: 'CMPP v2.0' },
  custom: { en: 'Custom', zh: '自定义', ja: 'カスタム' },
  custom_file: { en: 'Custom (file)', zh: '自定义（文件）', ja: 'カスタム（ファイル）' },
})

export const smsRequestMethods = defineMessages({
  get: { en: 'GET', zh: 'GET', ja: 'GET' },
  post: { en: 'POST', zh: 'POST', ja: 'POST' },
})

export const durationUnits = defineMessages({
  day: { en: 'Days', zh: '天', ja: '日' },
  hour: { en: 'Hours', zh: '小时', ja: '時間' },
})
