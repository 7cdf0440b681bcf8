/** Choices of sign-in and confirmation. */
import { defineMessages } from '../messages.ts'

/** Channels for the code of a forgotten password. */
export const recoveryWays = defineMessages({
  sms: { en: 'SMS', zh: '短信', ja: 'SMS' },
  email: { en: 'Email', zh: '邮件', ja: 'メール' },
})

export const mfaTypes = defineMessages({
  otp: { en: 'OTP', zh: 'OTP', ja: 'OTP' },
  sms: { en: 'SMS', zh: '短信', ja: 'SMS' },
  otp_radius: { en: 'Radius', zh: 'Radius', ja: 'Radius' },
  passkey: { en: 'Passkey', zh: '通行密钥', ja: 'パスキー' },
  mfa_custom: { en: 'Custom', zh: '自定义', ja: 'カスタム' },
})

export const confirmTypes = defineMessages({
  relogin: { en: 'Sign in again', zh: '重新登录', ja: '再ログイン' },
  password: { en: 'Password', zh: '密码', ja: 'パスワード' },
  mfa: { en: 'MFA', zh: 'MFA', ja: 'MFA' },
})

/** Channels for the code of a new password. */
export const resetCodeForms = defineMessages({
  sms: { en: 'SMS', zh: '短信', ja: 'SMS' },
  email: { en: 'Email', zh: '邮件', ja: 'メール' },
})

/** Labels of authentication methods, keyed by the English label that logs store. */
export const authBackends = defineMessages({
  Password: { en: 'Password', zh: '密码', ja: 'パスワード' },
  'SSH Key': { en: 'SSH key', zh: 'SSH 密钥', ja: 'SSH キー' },
  LDAP: { en: 'LDAP', zh: 'LDAP', ja: 'LDAP' },
  OpenID: { en: 'OpenID', zh: 'OpenID', ja: 'OpenID' },
  Radius: { en: 'Radius', zh: 'Radius', ja: 'Radius' },
  CAS: { en: 'CAS', zh: 'CAS', ja: 'CAS' },
  SAML2: { en: 'SAML2', zh: 'SAML2', ja: 'SAML2' },
  OAuth2: { en: 'OAuth2', zh: 'OAuth2', ja: 'OAuth2' },
  SSO: { en: 'SSO', zh: 'SSO', ja: 'SSO' },
  WeCom: { en: 'WeCom', zh: '企业微信', ja: 'WeCom' },
  DingTalk: { en: 'DingTalk', zh: '钉钉', ja: 'DingTalk' },
  FeiShu: { en: 'FeiShu', zh: '飞书', ja: 'FeiShu' },
  'Auth Token': { en: 'Token', zh: '认证令牌', ja: '認証トークン' },
  'Temporary token': { en: 'Temporary password', zh: '临时密码', ja: '一時パスワード' },
  Passkey: { en: 'Passkey', zh: '通行密钥', ja: 'パスキー' },
  Custom: { en: 'Custom', zh: '自定义', ja: 'カスタム' },
})
