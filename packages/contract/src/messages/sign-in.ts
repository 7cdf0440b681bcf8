/** What is said when a sign-in fails or must go on (v3 contract, authentication.md §4, §5.4 and §6). */
import { defineMessages } from '../messages.ts'

export const signInErrors = defineMessages({
  password_failed: {
    en: 'Wrong username or password. You can try {times_try} more times; after that the account is locked for {block_time} minutes.',
    zh: '用户名或密码错误，您还可以尝试 {times_try} 次（之后账号将被锁定 {block_time} 分钟）',
    ja: 'ユーザー名またはパスワードが正しくありません。あと {times_try} 回試せます（その後アカウントは {block_time} 分間ロックされます）。',
  },
  block_login: {
    en: 'The account is locked. Try again in {block_time} minutes, or ask an administrator to unlock it.',
    zh: '账号已被锁定，请联系管理员解锁或 {block_time} 分钟后重试',
    ja: 'アカウントがロックされました。{block_time} 分後にやり直すか、管理者にロック解除を依頼してください。',
  },
  block_global_ip_login: {
    en: 'Your address is locked. Try again in {block_time} minutes, or ask an administrator to unlock it.',
    zh: 'IP 地址已被锁定，请联系管理员解锁或 {block_time} 分钟后重试',
    ja: 'IP アドレスがロックされました。{block_time} 分後にやり直すか、管理者にロック解除を依頼してください。',
  },
  user_not_exist: { en: 'The user does not exist.', zh: '用户不存在', ja: 'ユーザーが存在しません。' },
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
    en: 'This account signs in another way. Choose the way it was created with.',
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
    en: 'A sign-in rule does not allow this. Ask an administrator.',
    zh: '登录规则不允许本次登录，请联系管理员',
    ja: 'ログインルールにより許可されていません。管理者に連絡してください。',
  },
  acl_ip_not_allow: {
    en: 'A sign-in rule does not allow your address {ip}. Ask an administrator.',
    zh: '登录规则不允许当前 IP {ip} 登录，请联系管理员',
    ja: 'ログインルールによりアドレス {ip} からは許可されていません。管理者に連絡してください。',
  },
  acl_time_not_allow: {
    en: 'A sign-in rule does not allow signing in at this time.',
    zh: '登录规则不允许在当前时间段登录',
    ja: 'ログインルールにより現在の時間帯は許可されていません。',
  },
  mfa_failed: {
    en: 'The code is wrong, or the clock of your device is off. You can try {times_try} more times; after that the account is locked for {block_time} minutes.',
    zh: '验证码错误或设备时间不准，您还可以尝试 {times_try} 次（之后账号将被锁定 {block_time} 分钟）',
    ja: 'コードが正しくないか、端末の時刻がずれています。あと {times_try} 回試せます（その後アカウントは {block_time} 分間ロックされます）。',
  },
  block_mfa: {
    en: 'Too many wrong codes: the account is locked. Try again in {block_time} minutes, or ask an administrator to unlock it.',
    zh: 'MFA 验证失败次数过多，账号已被锁定，请联系管理员解锁或 {block_time} 分钟后重试',
    ja: 'MFA の失敗が多すぎるためロックされました。{block_time} 分後にやり直すか、管理者に解除を依頼してください。',
  },
  mfa_required: { en: 'Enter your MFA code.', zh: '请进行 MFA 认证', ja: 'MFA コードを入力してください。' },
  mfa_unset: {
    en: 'MFA is demanded but not set up. Sign in with a browser and set it up first.',
    zh: '需要 MFA 但尚未绑定，请先通过浏览器登录完成绑定',
    ja: 'MFA が必要ですが未設定です。ブラウザーでログインして設定してください。',
  },
  mfa_code_required: { en: 'The MFA code is missing.', zh: '请输入 MFA 验证码', ja: 'MFA コードを入力してください。' },
  mfa_not_supported: {
    en: 'This kind of MFA is not available: {name}.',
    zh: '不支持的 MFA 类型：{name}',
    ja: 'この MFA 方式は利用できません：{name}',
  },
  mfa_other_user: {
    en: 'The code was confirmed for another user. Start over.',
    zh: '验证的用户与登录用户不一致，请重新登录',
    ja: '確認したユーザーが異なります。最初からやり直してください。',
  },
  otp_code_invalid: {
    en: 'The code is wrong, or the clock of your device is off.',
    zh: '验证码错误，或设备时间不准',
    ja: 'コードが正しくないか、端末の時刻がずれています。',
  },
  sms_code_required: {
    en: 'The code from the SMS is missing.',
    zh: '请输入短信验证码',
    ja: 'SMS コードを入力してください。',
  },
  sms_code_invalid: {
    en: 'The code from the SMS is wrong.',
    zh: '短信验证码错误',
    ja: 'SMS コードが正しくありません。',
  },
  sms_code_expired: {
    en: 'The code has expired. Ask for a new one.',
    zh: '验证码已过期，请重新获取',
    ja: 'コードの有効期限が切れました。再取得してください。',
  },
  code_invalid: { en: 'The code is wrong.', zh: '验证码错误', ja: 'コードが正しくありません。' },
  code_too_often: {
    en: 'A code was sent just now. Wait {seconds} seconds before you ask for another.',
    zh: '验证码刚刚已发送，请在 {seconds} 秒后重新获取',
    ja: 'コードは送信済みです。{seconds} 秒後に再取得してください。',
  },
  phone_not_set: {
    en: 'No phone number is stored for you. Add one in your profile.',
    zh: '未设置手机号码，请先在个人信息中设置',
    ja: '電話番号が未設定です。個人情報で設定してください。',
  },
  captcha_required: { en: 'Enter the captcha.', zh: '请输入图形验证码', ja: '画像認証を入力してください。' },
  captcha_invalid: { en: 'The captcha is wrong.', zh: '图形验证码错误', ja: '画像認証が正しくありません。' },
  session_empty: {
    en: 'Your sign-in has expired. Start again.',
    zh: '登录会话已失效，请重新登录',
    ja: 'ログインの有効期限が切れました。最初からやり直してください。',
  },
  login_confirm_required: {
    en: 'This sign-in has to be approved. A request was sent.',
    zh: '本次登录需要审批，已发起登录复核工单',
    ja: 'このログインには承認が必要です。申請を送信しました。',
  },
  login_confirm_wait: {
    en: 'Waiting for the approval of your sign-in.',
    zh: '等待登录复核处理',
    ja: 'ログインの承認を待っています。',
  },
  login_confirm_error: {
    en: 'Your sign-in was not approved: {status}.',
    zh: '登录复核未通过：{status}',
    ja: 'ログインは承認されませんでした：{status}',
  },
  password_too_simple: {
    en: 'Your password is too simple. For your safety, choose another one.',
    zh: '密码过于简单，为了安全请修改密码',
    ja: 'パスワードが簡単すぎます。安全のため変更してください。',
  },
  password_need_update: {
    en: 'You have to change your password before you go on.',
    zh: '请先修改密码再继续',
    ja: '続行する前にパスワードを変更してください。',
  },
  password_default: {
    en: 'The initial password must be changed before the first sign-in.',
    zh: '首次登录前必须修改初始密码',
    ja: '最初のログインの前に初期パスワードを変更してください。',
  },
  reset_link_invalid: {
    en: 'The link is invalid or has expired. Ask for a new one.',
    zh: '链接无效或已过期，请重新申请',
    ja: 'リンクが無効か期限切れです。もう一度申請してください。',
  },
  reset_not_local: {
    en: 'The password is managed by {source}. Change it there.',
    zh: '用户来自 {source}，请到相应系统修改密码',
    ja: 'パスワードは {source} で管理されています。そちらで変更してください。',
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
    en: 'The password does not follow the rules.',
    zh: '密码不符合安全规则',
    ja: 'パスワードが規則を満たしていません。',
  },
  password_history: {
    en: 'The new password must differ from your last {count} passwords.',
    zh: '新密码不能与最近 {count} 次的密码相同',
    ja: '新しいパスワードは直近 {count} 回のパスワードと異なる必要があります。',
  },
  public_key_invalid: {
    en: 'Not a valid SSH public key. Paste the whole line, for example “ssh-ed25519 AAAA… name”.',
    zh: 'SSH 公钥不合法，请粘贴完整的一行，例如 “ssh-ed25519 AAAA… name”',
    ja: '有効な SSH 公開鍵ではありません。「ssh-ed25519 AAAA… 名前」のように 1 行全体を貼り付けてください。',
  },
  passkey_failed: {
    en: 'The passkey could not be verified. Try again or sign in another way.',
    zh: '通行密钥验证失败，请重试或使用其它方式登录',
    ja: 'パスキーを確認できません。やり直すか別の方法でログインしてください。',
  },
  sso_disabled: { en: 'Signing in by SSO is switched off.', zh: 'SSO 登录未启用', ja: 'SSO ログインは無効です。' },
  not_bound: {
    en: 'No user here belongs to that {provider} account. Sign in with your password and bind it in your profile first.',
    zh: '该{provider}账号未绑定用户，请先用密码登录并在个人信息中绑定',
    ja: 'この {provider} アカウントに紐づくユーザーがいません。パスワードでログインし、個人情報で紐づけてください。',
  },
})

export type SignInError = keyof typeof signInErrors
