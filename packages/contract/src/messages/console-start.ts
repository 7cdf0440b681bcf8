/**
 * Texts of the start-up error page. Bundled with the page, because loading the catalogs may be the part that failed.
 */
import { defineMessages } from '../messages.ts'

export const consoleStartMessages = defineMessages({
  startFailed: { en: 'The page could not start', zh: '页面无法启动', ja: 'ページを起動できません' },
  untrustedDomain: {
    en: 'Trusted domains or hosts must be configured, otherwise the product cannot work.',
    zh: '必须配置受信任的域名或主机，否则系统无法工作。',
    ja: '信頼するドメインまたはホストを設定しないと動作しません。',
  },
  errorServer: { en: 'Server Error', zh: '服务器错误', ja: 'サーバーエラー' },
  errorServerStart: {
    en: 'The server returned an error. Try again. If it fails again, contact an administrator.',
    zh: '服务器返回错误。请重试；如果仍然失败，请联系管理员。',
    ja: 'サーバーがエラーを返しました。再試行しても直らない場合は、管理者に連絡してください。',
  },
  errorNetwork: {
    en: 'The server cannot be reached. Check the connection and try again.',
    zh: '无法连接服务器，请检查网络后重试。',
    ja: 'サーバーに接続できません。接続を確認して再度お試しください。',
  },
  retry: { en: 'Try again', zh: '重试', ja: '再試行' },
})
