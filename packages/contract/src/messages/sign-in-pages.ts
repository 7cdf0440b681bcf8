import { defineMessages } from '../messages.ts'

/** Texts the server writes on sign-in pages. Texts built into the pages are in `signin.ts`. */
export const signInPages = defineMessages({
  auto_login: {
    en: 'Keep me signed in for {days} {days|day|days}',
    zh: '{days} 天内自动登录',
    ja: '{days} 日間ログインしたままにする',
  },
  captcha_wrong: {
    en: 'The result is wrong, or the picture is too old. Try the new one.',
    zh: '计算结果错误或图片已过期，请按新图片重新输入。',
    ja: '計算結果が違うか、画像の有効期限が切れています。新しい画像で入力してください。',
  },
  provider_off: {
    en: 'This way to sign in is switched off. Sign in another way.',
    zh: '该登录方式未启用，请使用其他方式登录。',
    ja: 'このログイン方法は無効です。別の方法でログインしてください。',
  },
  nothing_waits_title: {
    en: 'No sign-in waits for approval',
    zh: '没有等待审批的登录',
    ja: '承認待ちのログインはありません',
  },
  confirm_title: {
    en: 'Confirm that it is you',
    zh: '请先确认您的身份',
    ja: '本人確認が必要です',
  },
  signed_out_title: { en: 'Signed out', zh: '已退出登录', ja: 'ログアウトしました' },
  signed_out: {
    en: 'You have signed out. You can sign in again at any time.',
    zh: '您已退出登录，可随时重新登录。',
    ja: 'ログアウトしました。いつでもログインし直せます。',
  },
  provider_failed: { en: 'Sign-in failed', zh: '登录失败', ja: 'ログインできませんでした' },
  to_provider_title: { en: 'Sign-in with {provider}', zh: '使用 {provider} 登录', ja: '{provider} でログイン' },
  to_provider: {
    en: 'You are redirected to {provider}. To sign in with a local account, select Cancel.',
    zh: '即将跳转到 {provider}。如需使用本地账号登录，请点击“取消”。',
    ja: '{provider} に移動します。ローカルアカウントでログインするには「キャンセル」を選んでください。',
  },
  to_sign_in: { en: 'Back to sign-in', zh: '返回登录', ja: 'ログインに戻る' },
  otp_enabled: {
    en: 'One-time passwords are on',
    zh: '一次性密码已启用',
    ja: 'ワンタイムパスワードを有効にしました',
  },
  otp_disabled: {
    en: 'One-time passwords are off',
    zh: '一次性密码已停用',
    ja: 'ワンタイムパスワードを無効にしました',
  },
  sign_in_again: {
    en: 'Sign in again to continue.',
    zh: '请重新登录后继续。',
    ja: '続けるにはログインし直してください。',
  },
  reset_link_title: { en: 'This link is not valid', zh: '链接无效', ja: 'このリンクは使えません' },
  password_changed: { en: 'The password is changed', zh: '密码已修改', ja: 'パスワードを変更しました' },
  password_changed_detail: {
    en: 'Sign in with your new password.',
    zh: '请使用新密码登录。',
    ja: '新しいパスワードでログインしてください。',
  },
})
