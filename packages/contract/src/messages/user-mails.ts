/** Messages to users about their own account, by site message and email. */
import { defineMessages } from '../messages.ts'

export const userMails = defineMessages({
  greeting: { en: 'Hello {name},', zh: '{name}，您好：', ja: '{name} 様' },
  open_link: { en: 'Open the page', zh: '打开页面', ja: 'ページを開く' },
  password_reset_subject: {
    en: 'Your password was reset',
    zh: '您的密码已被重置',
    ja: 'パスワードがリセットされました',
  },
  password_reset_body: {
    en: 'An administrator reset your password. Follow the link to set a new one.',
    zh: '管理员重置了您的密码，请通过以下链接设置新密码。',
    ja: '管理者があなたのパスワードをリセットしました。リンクから新しいパスワードを設定してください。',
  },
  own_words: {
    en: '{text}\nUsername: {username}',
    zh: '{text}\n用户名：{username}',
    ja: '{text}\nユーザー名：{username}',
  },
  welcome_subject: { en: 'Your account is ready', zh: '您的账号已创建', ja: 'アカウントが作成されました' },
  welcome_body: {
    en: 'An account was created for you. Follow the link within an hour to set your password.',
    zh: '已为您创建账号，请在一小时内通过链接设置密码。',
    ja: 'アカウントが作成されました。1 時間以内にリンクからパスワードを設定してください。',
  },
  no_link_subject: {
    en: 'No link sent: mail is not configured',
    zh: '未发送设置密码的链接：尚未配置邮件服务',
    ja: 'リンクは送信されていません：メールが未設定です',
  },
  no_link_body: {
    en: 'These users should have received a link to set their password, and cannot sign in without it: {people}. Set a password in the form of each user.',
    zh: '以下用户本应收到设置密码的链接，目前无法登录：{people}。请在用户的编辑页面设置密码。',
    ja: '次のユーザーはパスワード設定用のリンクを受け取れず、ログインできません：{people}。ユーザーの編集画面でパスワードを設定してください。',
  },
  code_subject: { en: 'Your code: {code}', zh: '您的验证码：{code}', ja: '認証コード：{code}' },
  code_body: {
    en: 'Enter {code} to set a new password. If you did not request it, ignore this email.',
    zh: '请输入 {code} 以重置密码。如非本人操作，请忽略此邮件。',
    ja: '新しいパスワードを設定するには {code} を入力してください。心当たりがない場合はこのメールを無視してください。',
  },
  test_subject: { en: 'Test email', zh: '测试邮件', ja: 'テストメール' },
  test_body: {
    en: 'Sending email works.',
    zh: '收到此邮件说明邮件设置正确。',
    ja: 'このメールが届けば、メール設定は正しく行われています。',
  },
  other_city_subject: { en: 'Sign-in from another city', zh: '异地登录提醒', ja: '別の都市からのログイン' },
  other_city_body: {
    en: 'You signed in from {city} ({ip}, {browser}); before that it was {before}. If this was not you, change your password and contact an administrator at once.',
    zh: '您的账号刚刚在 {city} 登录（{ip}，{browser}），上次登录地点为 {before}。如非本人操作，请立即修改密码并联系管理员。',
    ja: '{city}（{ip}、{browser}）からログインがありました。前回は {before} でした。心当たりがない場合は、直ちにパスワードを変更し、管理者に連絡してください。',
  },
  password_changed_subject: { en: 'Your password was changed', zh: '您的密码已修改', ja: 'パスワードが変更されました' },
  password_changed_body: {
    en: 'Your password was changed from {ip} ({browser}). If this was not you, contact an administrator at once.',
    zh: '您的密码已从 {ip}（{browser}）修改。如非本人操作，请立即联系管理员。',
    ja: 'パスワードが {ip}（{browser}）から変更されました。心当たりがない場合は直ちに管理者に連絡してください。',
  },
  key_changed_subject: {
    en: 'Your SSH public key was changed',
    zh: '您的 SSH 公钥已修改',
    ja: 'SSH 公開鍵が変更されました',
  },
  key_changed_body: {
    en: 'Your SSH public key was changed from {ip} ({browser}). If this was not you, contact an administrator at once.',
    zh: '您的 SSH 公钥已从 {ip}（{browser}）修改。如非本人操作，请立即联系管理员。',
    ja: 'SSH 公開鍵が {ip}（{browser}）から変更されました。心当たりがない場合は直ちに管理者に連絡してください。',
  },
  key_cleared_subject: {
    en: 'Your SSH public key was removed',
    zh: '您的 SSH 公钥已被清除',
    ja: 'SSH 公開鍵が削除されました',
  },
  key_cleared_body: {
    en: 'An administrator removed your SSH public key. You can set a new one in your profile.',
    zh: '管理员清除了您的 SSH 公钥，您可以在个人信息中重新设置。',
    ja: '管理者があなたの SSH 公開鍵を削除しました。プロフィールで新しい鍵を設定できます。',
  },
  mfa_reset_subject: { en: 'Your MFA was reset', zh: '您的 MFA 已被重置', ja: 'MFA がリセットされました' },
  mfa_reset_body: {
    en: 'An administrator reset your MFA. Follow the link to set it up again.',
    zh: '管理员重置了您的 MFA，请通过以下链接重新绑定。',
    ja: '管理者があなたの MFA をリセットしました。リンクから再設定してください。',
  },
  password_expires_subject: {
    en: 'Your password expires soon',
    zh: '您的密码即将过期',
    ja: 'パスワードの有効期限が近づいています',
  },
  password_expires_body: {
    en: 'Your password expires at {date}. Follow the link and set a new one before then.',
    zh: '您的密码将于 {date} 过期，请在此之前通过以下链接修改密码。',
    ja: 'パスワードの有効期限は {date} です。それまでにリンクから新しいパスワードを設定してください。',
  },
  account_expires_subject: {
    en: 'Your account expires soon',
    zh: '您的账号即将过期',
    ja: 'アカウントの有効期限が近づいています',
  },
  account_expires_body: {
    en: 'Your account expires at {date}. Ask an administrator if you still need it.',
    zh: '您的账号将于 {date} 过期，如仍需使用，请联系管理员。',
    ja: 'アカウントの有効期限は {date} です。引き続き必要な場合は管理者に連絡してください。',
  },
  ways_changed_subject: {
    en: 'Your sign-in details were changed',
    zh: '您的登录信息已变更',
    ja: 'ログイン情報が変更されました',
  },
  ways_changed_body: {
    en: 'Changed: {what}. By {by}, from {ip} ({browser}). If this was not you or an administrator you asked, contact an administrator at once.',
    zh: '变更内容：{what}。操作人：{by}，来源：{ip}（{browser}）。如非您本人或您委托的管理员操作，请立即联系管理员。',
    ja: '変更内容：{what}。実行者：{by}、接続元：{ip}（{browser}）。ご自身または依頼した管理者による操作でない場合は、直ちに管理者に連絡してください。',
  },
  way_password: { en: 'password', zh: '密码', ja: 'パスワード' },
  way_email: { en: 'email address', zh: '邮箱地址', ja: 'メールアドレス' },
  way_phone: { en: 'phone number', zh: '手机号', ja: '電話番号' },
  way_mfa_level: { en: 'whether MFA is required', zh: 'MFA 级别', ja: 'MFA の要否' },
  way_otp: { en: 'authenticator app', zh: '动态口令', ja: '認証アプリ' },
  way_passkey: { en: 'passkeys', zh: '通行密钥', ja: 'パスキー' },
  way_access_key: { en: 'access keys', zh: '访问密钥', ja: 'アクセスキー' },
  way_public_key: { en: 'SSH public key', zh: 'SSH 公钥', ja: 'SSH 公開鍵' },
  way_chat: { en: 'bound chat account', zh: '绑定的第三方账号', ja: '連携したチャットアカウント' },
  way_source: { en: 'source of the account', zh: '用户来源', ja: 'ユーザーの認証元' },
})
