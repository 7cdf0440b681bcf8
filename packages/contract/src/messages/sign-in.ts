/** Errors and further steps of a sign-in. */
import { defineMessages } from '../messages.ts'

export const signInErrors = defineMessages({
  password_failed: {
    en: 'Wrong username or password. After {times_try} such {times_try|attempt|attempts}, including this one, the account is locked for {block_time} {block_time|minute|minutes}.',
    zh: '用户名或密码错误，包含本次在内，再错误 {times_try} 次账号将被锁定 {block_time} 分钟',
    ja: 'ユーザー名またはパスワードが正しくありません。今回を含めて {times_try} 回誤ると、アカウントは {block_time} 分間ロックされます。',
  },
  block_login: {
    en: 'The account is locked. Try again in {block_time} {block_time|minute|minutes}, or ask an administrator to unlock it.',
    zh: '账号已被锁定，请联系管理员解锁或 {block_time} 分钟后重试',
    ja: 'アカウントがロックされました。{block_time} 分後にやり直すか、管理者にロック解除を依頼してください。',
  },
  block_global_ip_login: {
    en: 'Your address is locked. Try again in {block_time} {block_time|minute|minutes}, or ask an administrator to unlock it.',
    zh: 'IP 地址已被锁定，请联系管理员解锁或 {block_time} 分钟后重试',
    ja: 'IP アドレスがロックされました。{block_time} 分後にやり直すか、管理者にロック解除を依頼してください。',
  },
  user_not_exist: { en: 'The user does not exist.', zh: '用户不存在', ja: 'ユーザーが存在しません。' },
  provider_refused: {
    en: 'The identity provider did not tell who you are, or you have no account here. Try again, or ask an administrator.',
    zh: '身份提供商未能确认您的身份，或您在此没有账号。请重试，或联系管理员',
    ja: 'ID プロバイダーで本人確認ができなかったか、アカウントがありません。やり直すか、管理者に連絡してください。',
  },
  provider_identity_other: {
    en: 'The identity provider knows you as somebody else than before. Ask an administrator to unbind your user from its identity there.',
    zh: '身份提供商给出的身份与此用户绑定的身份不一致，请联系管理员解除绑定',
    ja: 'ID プロバイダーでの本人情報が、このユーザーに結び付けられたものと異なります。管理者に結び付けの解除を依頼してください。',
  },
  provider_ended: {
    en: 'Your identity provider has ended your sign-in. Sign in there again, in the browser.',
    zh: '身份提供商已终止您的登录，请在浏览器中通过身份提供商重新登录',
    ja: 'ID プロバイダーがログインを終了しました。ブラウザーで ID プロバイダーから再度ログインしてください。',
  },
  provider_too_long_ago: {
    en: 'Your last sign-in at your identity provider was too long ago. Sign in there again, in the browser.',
    zh: '距离上次通过身份提供商登录的时间过长，请在浏览器中通过身份提供商重新登录',
    ja: 'ID プロバイダーでの最後のログインから時間が経ちすぎています。ブラウザーで ID プロバイダーから再度ログインしてください。',
  },
  passkey_failed: {
    en: 'This passkey is disabled, unknown here or belongs to another site. Use another one, or sign in with your password.',
    zh: '该通行密钥已禁用、未在此注册或属于其他站点。请使用其他通行密钥，或使用密码登录',
    ja: 'このパスキーは無効か、ここに登録されていないか、別のサイトのものです。別のパスキーを使うか、パスワードでログインしてください。',
  },
  provider_misconfigured: {
    en: 'The identity provider is not set up correctly here. Ask an administrator, or sign in another way.',
    zh: '身份提供商配置有误。请联系管理员，或使用其他方式登录',
    ja: 'ID プロバイダーの設定に誤りがあります。管理者に連絡するか、別の方法でログインしてください。',
  },
  sso_auth_closed: {
    en: 'Sign-in by SSO links is off. An administrator enables it with AUTH_SSO.',
    zh: 'SSO 链接登录未启用，请由管理员开启 AUTH_SSO',
    ja: 'SSO リンクでのログインは無効です。管理者が AUTH_SSO で有効にできます。',
  },
  authkey_invalid: {
    en: 'The sign-in link is invalid or was already used. Request a new one.',
    zh: '登录链接无效或已被使用，请重新获取',
    ja: 'ログインリンクが無効か、使用済みです。新しいリンクを取得してください。',
  },
  authkey_timeout: {
    en: 'The sign-in link has expired. Request a new one.',
    zh: '登录链接已过期，请重新获取',
    ja: 'ログインリンクの期限が切れました。新しいリンクを取得してください。',
  },
  next_not_a_path: {
    en: 'Enter a path of this installation that begins with a single slash, for example /ui/.',
    zh: '请填写本系统内以单个斜杠开头的路径，例如 /ui/',
    ja: '/ui/ のように、1 つのスラッシュで始まるこのシステム内のパスを入力してください。',
  },
  user_expired: {
    en: 'Your account has expired. Ask an administrator.',
    zh: '用户已过期，请联系管理员',
    ja: 'アカウントの有効期限が切れています。管理者に連絡してください。',
  },
  user_inactive: {
    en: 'Your account is disabled. Ask an administrator.',
    zh: '用户已禁用，请联系管理员',
    ja: 'アカウントは無効です。管理者に連絡してください。',
  },
  user_invalid: {
    en: 'Your account is disabled or has expired. Ask an administrator.',
    zh: '用户已禁用或过期，请联系管理员',
    ja: 'アカウントが無効か期限切れです。管理者に連絡してください。',
  },
  password_expired: {
    en: 'Your password has expired. Reset it, then sign in.',
    zh: '密码已过期，请先重置密码再登录',
    ja: 'パスワードの有効期限が切れました。リセットしてからログインしてください。',
  },
  backend_not_match: {
    en: 'This account uses another authentication method. Sign in with that method.',
    zh: '认证方式不匹配，请使用该用户来源对应的方式登录',
    ja: 'このアカウントは別の方法でログインします。作成元に対応する方法を選んでください。',
  },
  password_decrypt_failed: {
    en: 'The password could not be read. Reload the page and try again.',
    zh: '密码解密失败，请刷新页面后重试',
    ja: 'パスワードを復号できません。ページを再読み込みしてやり直してください。',
  },
  only_local_users_are_allowed: {
    en: 'Only local users may sign in here.',
    zh: '仅允许本地用户登录',
    ja: 'ローカルユーザーのみログインできます。',
  },
  acl_not_allow: {
    en: 'A login rule does not allow this. Ask an administrator.',
    zh: '登录规则不允许本次登录，请联系管理员',
    ja: 'ログインルールにより許可されていません。管理者に連絡してください。',
  },
  mfa_failed: {
    en: 'The code is wrong, or the clock of your device is off. {times_try} {times_try|attempt is|attempts are} left; then the account is locked for {block_time} {block_time|minute|minutes}.',
    zh: '验证码错误或设备时间不准，您还可以尝试 {times_try} 次（之后账号将被锁定 {block_time} 分钟）',
    ja: 'コードが正しくないか、端末の時刻がずれています。あと {times_try} 回試せます（その後アカウントは {block_time} 分間ロックされます）。',
  },
  block_mfa: {
    en: 'Too many wrong codes: the account is locked. Try again in {block_time} {block_time|minute|minutes}, or ask an administrator to unlock it.',
    zh: 'MFA 验证失败次数过多，账号已被锁定，请联系管理员解锁或 {block_time} 分钟后重试',
    ja: 'MFA の失敗が多すぎるためロックされました。{block_time} 分後にやり直すか、管理者に解除を依頼してください。',
  },
  mfa_required: { en: 'Enter your MFA code.', zh: '请进行 MFA 认证', ja: 'MFA コードを入力してください。' },
  mfa_unset: {
    en: 'MFA is required but not set up. Sign in with a browser and set it up first.',
    zh: '需要 MFA 但尚未绑定，请先通过浏览器登录完成绑定',
    ja: 'MFA が必要ですが未設定です。ブラウザーでログインして設定してください。',
  },
  otp_code_invalid: {
    en: 'The code is wrong, or the clock of your device is off. This is a new QR code: delete the entry in the app and scan again.',
    zh: '验证码错误，或设备时间不准。二维码已更新，请删除应用中的旧条目后重新扫描',
    ja: 'コードが正しくないか、端末の時刻がずれています。QR コードが新しくなりました。アプリの項目を削除して読み取り直してください。',
  },
  session_empty: {
    en: 'Your sign-in has expired. Start again.',
    zh: '登录会话已失效，请重新登录',
    ja: 'ログインの有効期限が切れました。最初からやり直してください。',
  },
  login_confirm_error: {
    en: 'Your sign-in was not approved. Sign in again, or ask a reviewer.',
    zh: '登录未获批准，请重新登录或联系审批人。',
    ja: 'ログインは承認されませんでした。もう一度ログインするか、承認者に連絡してください。',
  },
  login_confirm_over: {
    en: 'This sign-in has ended. Sign in again.',
    zh: '本次登录已失效，请重新登录。',
    ja: 'このログインは終了しました。もう一度ログインしてください。',
  },
  login_confirm_wait: {
    en: 'Waiting for the approval of your sign-in.',
    zh: '等待登录审批',
    ja: 'ログインの承認を待っています。',
  },
  password_need_update: {
    en: 'Change your password to continue.',
    zh: '请先修改密码再继续',
    ja: '続行する前にパスワードを変更してください。',
  },
  reset_link_invalid: {
    en: 'The link is invalid or has expired. Request a new one.',
    zh: '链接无效或已过期，请重新申请',
    ja: 'リンクが無効か期限切れです。もう一度申請してください。',
  },
  recovery_mismatch: {
    en: 'The username and the address do not match.',
    zh: '用户名与邮箱地址不匹配',
    ja: 'ユーザー名とメールアドレスが一致しません。',
  },
  recovery_not_set: {
    en: 'Email is not configured. Ask an administrator for a new password.',
    zh: '系统未配置邮件，请联系管理员重置密码',
    ja: 'メールを送信できません。管理者にパスワードの再設定を依頼してください。',
  },
  recovery_code_wrong: {
    en: 'The code is wrong or no longer valid.',
    zh: '验证码错误或已失效',
    ja: 'コードが正しくないか、期限切れです。',
  },
  interval_too_short: {
    en: 'A code was just sent. Try again in {seconds} {seconds|second|seconds}.',
    zh: '发送过于频繁，请在 {seconds} 秒后重试',
    ja: '先ほどコードを送信しました。{seconds} 秒後にもう一度お試しください。',
  },
  old_password_wrong: {
    en: 'The old password is wrong.',
    zh: '原密码错误',
    ja: '現在のパスワードが正しくありません。',
  },
  password_mismatch: {
    en: 'The two passwords differ.',
    zh: '两次输入的密码不一致',
    ja: '2 つのパスワードが一致しません。',
  },
  password_rules: {
    en: 'The password does not meet the rules.',
    zh: '密码不符合安全规则',
    ja: 'パスワードが規則を満たしていません。',
  },
  password_history: {
    en: 'The new password must differ from your last {count} {count|password|passwords}.',
    zh: '新密码不能与最近 {count} 次的密码相同',
    ja: '新しいパスワードは直近 {count} 回のパスワードと異なる必要があります。',
  },
  public_key_invalid: {
    en: 'Not a valid SSH public key. Paste the whole line, for example “ssh-ed25519 AAAA… name”.',
    zh: 'SSH 公钥不合法，请粘贴完整的一行，例如 “ssh-ed25519 AAAA… name”',
    ja: '有効な SSH 公開鍵ではありません。「ssh-ed25519 AAAA… 名前」のように 1 行全体を貼り付けてください。',
  },
})

export type SignInError = keyof typeof signInErrors
