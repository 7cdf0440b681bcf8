/** Choices of the logs. */
import { defineMessages } from '../messages.ts'

export const loginTypes = defineMessages({
  W: { en: 'Web', zh: 'Web', ja: 'Web' },
  T: { en: 'Terminal', zh: '终端', ja: 'ターミナル' },
  U: { en: 'Unknown', zh: '未知', ja: '不明' },
})

export const loginMfaStates = defineMessages({
  0: { en: 'Disabled', zh: '禁用', ja: '無効' },
  1: { en: 'Enabled', zh: '启用', ja: '有効' },
  2: { en: '-', zh: '-', ja: '-' },
})

/** Filters take 1 and 0; rows carry true and false. */
export const loginStatuses = defineMessages({
  1: { en: 'Success', zh: '成功', ja: '成功' },
  0: { en: 'Failed', zh: '失败', ja: '失敗' },
})

export const loginReasons = defineMessages({
  password_failed: { en: 'Wrong username or password', zh: '用户名或密码错误', ja: 'ユーザー名またはパスワードの誤り' },
  password_decrypt_failed: { en: 'Password could not be decrypted', zh: '密码解密失败', ja: 'パスワードの復号に失敗' },
  mfa_failed: { en: 'Wrong MFA code', zh: 'MFA 验证码错误', ja: 'MFA コードの誤り' },
  mfa_unset: { en: 'MFA is not set up', zh: '未绑定 MFA', ja: 'MFA が未設定' },
  user_not_exist: { en: 'User does not exist', zh: '用户不存在', ja: 'ユーザーが存在しません' },
  password_expired: { en: 'Password expired', zh: '密码已过期', ja: 'パスワードの有効期限切れ' },
  password_need_update: { en: 'Password must be changed first', zh: '需先修改密码', ja: 'パスワードの変更が必要' },
  provider_refused: {
    en: 'Refused by the identity provider, or no account',
    zh: '身份提供商拒绝，或账号不存在',
    ja: 'ID プロバイダーによる拒否、またはアカウントなし',
  },
  provider_identity_other: {
    en: 'Another identity at the identity provider',
    zh: '身份提供商的身份与绑定不一致',
    ja: 'ID プロバイダーでの本人情報の不一致',
  },
  provider_ended: { en: 'Ended by the identity provider', zh: '已被身份提供商终止', ja: 'ID プロバイダーによる終了' },
  provider_too_long_ago: {
    en: 'Last sign-in at the identity provider too long ago',
    zh: '距上次通过身份提供商登录过久',
    ja: 'ID プロバイダーでの最後のログインが古すぎる',
  },
  authkey_invalid: { en: 'Invalid sign-in link', zh: '登录链接无效', ja: 'ログインリンクが無効' },
  authkey_timeout: { en: 'Expired sign-in link', zh: '登录链接已过期', ja: 'ログインリンクの期限切れ' },
  user_invalid: { en: 'Disabled or expired', zh: '禁用或失效', ja: '無効または期限切れ' },
  user_inactive: { en: 'User is disabled', zh: '用户已禁用', ja: 'ユーザーは無効です' },
  user_expired: { en: 'User expired', zh: '用户已过期', ja: 'ユーザーの有効期限切れ' },
  backend_not_match: { en: 'Authentication method not allowed', zh: '认证方式不匹配', ja: '認証方式の不一致' },
  acl_not_allow: { en: 'Rejected by a login rule', zh: '登录规则不允许', ja: 'ログインルールにより拒否' },
  only_local_users_are_allowed: {
    en: 'Only local users may sign in',
    zh: '仅允许本地用户',
    ja: 'ローカルユーザーのみ許可',
  },
})

export const operateActions = defineMessages({
  view: { en: 'View', zh: '查看', ja: '閲覧' },
  update: { en: 'Update', zh: '更新', ja: '更新' },
  delete: { en: 'Delete', zh: '删除', ja: '削除' },
  create: { en: 'Create', zh: '创建', ja: '作成' },
  download: { en: 'Download', zh: '下载', ja: 'ダウンロード' },
  connect: { en: 'Connect', zh: '连接', ja: '接続' },
  login: { en: 'Sign in', zh: '登录', ja: 'ログイン' },
  change_password: { en: 'Change password', zh: '修改密码', ja: 'パスワード変更' },
  accept: { en: 'Accept', zh: '接受', ja: '許可' },
  review: { en: 'Review', zh: '审批', ja: '審査' },
  notice: { en: 'Notify', zh: '通知', ja: '通知' },
  reject: { en: 'Reject', zh: '拒绝', ja: '拒否' },
  approve: { en: 'Approve', zh: '同意', ja: '承認' },
  close: { en: 'Close', zh: '关闭', ja: 'クローズ' },
})

export const fileOperations = defineMessages({
  mkdir: { en: 'Create folder', zh: '创建目录', ja: 'フォルダー作成' },
  rmdir: { en: 'Delete folder', zh: '删除目录', ja: 'フォルダー削除' },
  delete: { en: 'Delete', zh: '删除', ja: '削除' },
  upload: { en: 'Upload', zh: '上传', ja: 'アップロード' },
  rename: { en: 'Rename', zh: '重命名', ja: '名前の変更' },
  symlink: { en: 'Create link', zh: '建立软链接', ja: 'リンク作成' },
  download: { en: 'Download', zh: '下载', ja: 'ダウンロード' },
  rename_dir: { en: 'Rename folder', zh: '重命名目录', ja: 'フォルダー名の変更' },
})

export const activityTypes = defineMessages({
  O: { en: 'Operation log', zh: '操作日志', ja: '操作ログ' },
  S: { en: 'Session log', zh: '会话日志', ja: 'セッションログ' },
  L: { en: 'Sign-in log', zh: '登录日志', ja: 'ログインログ' },
  T: { en: 'Task', zh: '任务日志', ja: 'タスクログ' },
})
