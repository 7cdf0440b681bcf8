/** Choices of users, their preferences and roles. */
import { defineMessages } from '../messages.ts'

export const userSources = defineMessages({
  local: { en: 'Local', zh: '本地', ja: 'ローカル' },
  ldap: { en: 'LDAP/AD', zh: 'LDAP/AD', ja: 'LDAP/AD' },
  openid: { en: 'OpenID', zh: 'OpenID', ja: 'OpenID' },
  radius: { en: 'Radius', zh: 'Radius', ja: 'Radius' },
  cas: { en: 'CAS', zh: 'CAS', ja: 'CAS' },
  saml2: { en: 'SAML2', zh: 'SAML2', ja: 'SAML2' },
  oauth2: { en: 'OAuth2', zh: 'OAuth2', ja: 'OAuth2' },
  wecom: { en: 'WeCom', zh: '企业微信', ja: 'WeCom' },
  dingtalk: { en: 'DingTalk', zh: '钉钉', ja: 'DingTalk' },
  feishu: { en: 'FeiShu', zh: '飞书', ja: 'FeiShu' },
  custom: { en: 'Custom', zh: '自定义', ja: 'カスタム' },
})

export const mfaLevels = defineMessages({
  0: { en: 'Disable', zh: '禁用', ja: '無効' },
  1: { en: 'Enable', zh: '启用', ja: '有効' },
  2: { en: 'Force enable', zh: '强制启用', ja: '強制有効' },
})

export const passwordStrategies = defineMessages({
  email: {
    en: 'Send a link to set the password',
    zh: '通过邮件发送设置密码的链接',
    ja: 'パスワード設定リンクをメールで送信',
  },
  custom: { en: 'Set password', zh: '设置密码', ja: 'パスワードを設定' },
})

export const roleScopes = defineMessages({
  system: { en: 'System', zh: '系统', ja: 'システム' },
  org: { en: 'Organization', zh: '组织', ja: '組織' },
})

export const rdpResolutions = defineMessages({
  auto: { en: 'Auto', zh: '自动', ja: '自動' },
  '1024x768': { en: '1024x768', zh: '1024x768', ja: '1024x768' },
  '1366x768': { en: '1366x768', zh: '1366x768', ja: '1366x768' },
  '1600x900': { en: '1600x900', zh: '1600x900', ja: '1600x900' },
  '1920x1080': { en: '1920x1080', zh: '1920x1080', ja: '1920x1080' },
})

export const keyboardLayouts = defineMessages({
  'en-us-qwerty': { en: 'US English (Qwerty)', zh: '美式英语 (Qwerty)', ja: '英語・米国 (Qwerty)' },
  'en-gb-qwerty': { en: 'UK English (Qwerty)', zh: '英式英语 (Qwerty)', ja: '英語・英国 (Qwerty)' },
  'ja-jp-qwerty': { en: 'Japanese (Qwerty)', zh: '日语 (Qwerty)', ja: '日本語 (Qwerty)' },
  'fr-fr-azerty': { en: 'French (Azerty)', zh: '法语 (Azerty)', ja: 'フランス語 (Azerty)' },
  'fr-ch-qwertz': { en: 'Swiss French (Qwertz)', zh: '瑞士法语 (Qwertz)', ja: 'スイスフランス語 (Qwertz)' },
  'fr-be-azerty': { en: 'Belgian French (Azerty)', zh: '比利时法语 (Azerty)', ja: 'ベルギーフランス語 (Azerty)' },
  'tr-tr-qwerty': { en: 'Turkish-Q (Qwerty)', zh: '土耳其语-Q (Qwerty)', ja: 'トルコ語-Q (Qwerty)' },
})

export const rdpClientOptions = defineMessages({
  full_screen: { en: 'Full screen', zh: '全屏', ja: '全画面' },
  multi_screen: { en: 'Multi screen', zh: '多屏显示', ja: 'マルチスクリーン' },
  drives_redirect: { en: 'Drive redirection', zh: '磁盘挂载', ja: 'ドライブのリダイレクト' },
})

export const rdpSmartSizes = defineMessages({
  '0': { en: 'Do not scale', zh: '不缩放', ja: '拡大縮小しない' },
  '1': { en: 'Scale to the window', zh: '自适应窗口', ja: 'ウィンドウに合わせる' },
})

export const appletConnectionMethods = defineMessages({
  web: { en: 'Web', zh: 'Web', ja: 'Web' },
  client: { en: 'Client', zh: '客户端', ja: 'クライアント' },
})

export const fileNameConflictResolutions = defineMessages({
  replace: { en: 'Replace', zh: '替换', ja: '置き換え' },
  suffix: { en: 'Add a suffix', zh: '添加后缀', ja: '接尾辞を付ける' },
})
