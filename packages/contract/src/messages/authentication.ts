/**
 * Texts of app `authentication`.
 */
import { defineMessages } from '../messages.ts'

export const authenticationMessages = defineMessages({
  accesskey: { en: 'Access key', zh: '访问密钥', ja: 'アクセスキー' },
  passkey: { en: 'Passkey', zh: '通行密钥', ja: 'パスキー' },
  temptoken: { en: 'Temporary password', zh: '临时密码', ja: '一時パスワード' },
  ssotoken: { en: 'SSO token', zh: 'SSO 令牌', ja: 'SSO トークン' },
  privatetoken: { en: 'Private token', zh: '私有令牌', ja: 'プライベートトークン' },
  connectiontoken: { en: 'Connection token', zh: '连接令牌', ja: '接続トークン' },
  superconnectiontoken: { en: 'Connection token', zh: '连接令牌', ja: '接続トークン' },
  'accesskey.secret': { en: 'Secret', zh: '密钥', ja: 'シークレット' },
  'accesskey.ip_group.help': {
    en: 'Addresses the key may be used from. * stands for every address.',
    zh: '允许使用该密钥的 IP，* 表示不限制',
    ja: 'このキーを使用できるアドレスです。* は制限なしを表します。',
  },
  'accesskey.is_active': { en: 'Active', zh: '激活', ja: '有効' },
  'temptoken.secret': { en: 'Secret', zh: '密码', ja: 'パスワード' },
  'temptoken.verified': { en: 'Used', zh: '已使用', ja: '使用済み' },
  token: { en: 'Token', zh: '令牌', ja: 'トークン' },
  keyword: { en: 'Keyword', zh: '关键字', ja: 'キーワード' },
  confirm_type: { en: 'Confirmation', zh: '确认方式', ja: '確認方法' },
  form_type: { en: 'Sent by', zh: '发送方式', ja: '送信方法' },
  sms: { en: 'Phone', zh: '手机号码', ja: '電話番号' },
  code: { en: 'Code', zh: '验证码', ja: 'コード' },
  login_url: { en: 'Sign-in address', zh: '登录地址', ja: 'ログイン URL' },
  next: { en: 'Next address', zh: '跳转地址', ja: '遷移先' },
  info: { en: 'Information', zh: '信息', ja: '情報' },
  secret_info: { en: 'Secret information', zh: '密文信息', ja: 'シークレット情報' },
  command_filter_acls: { en: 'Command filters', zh: '命令过滤', ja: 'コマンドフィルター' },
  expire_at: { en: 'Expires at', zh: '过期时间', ja: '有効期限' },
  expire_now: { en: 'Expire now', zh: '立即失效', ja: 'すぐに失効' },
  verified: { en: 'Verified', zh: '已校验', ja: '検証済み' },
  secret_key: { en: 'Code', zh: '验证码', ja: 'コード' },
  'connectiontoken.value': { en: 'Value', zh: '令牌值', ja: '値' },
  'connectiontoken.input_secret.help': {
    en: 'Only when the account has no stored secret; it is kept until the token expires.',
    zh: '仅在账号未托管密文时使用，令牌过期后失效',
    ja: 'アカウントにシークレットがない場合にのみ使用し、トークンの期限まで保持します。',
  },
  'passkey.is_active': { en: 'Active', zh: '激活', ja: '有効' },
  access_keys_full: {
    en: 'You have {count} keys already; delete one first.',
    zh: '您已有 {count} 个密钥，请先删除一个。',
    ja: '既に {count} 個のキーがあります。先に 1 つ削除してください。',
  },
})
