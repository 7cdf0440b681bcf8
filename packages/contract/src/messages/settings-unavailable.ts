/** Why settings have no effect: shown on their pages, and the error of a change. */
import { defineMessages } from '../messages.ts'

export const unavailableSettings = defineMessages({
  oidc_state: {
    en: 'Always on: without the state, other sites could forge sign-ins.',
    zh: '始终启用：不使用 state 时，其他网站可能伪造登录。',
    ja: '常に有効です。state がないと、ほかのサイトがログインを偽造できます。',
  },
  city: {
    en: 'This installation has no city database. Name one in CASTELLAN_CITY_DATABASE to detect sign-ins from other cities.',
    zh: '尚未配置城市数据库。请通过 CASTELLAN_CITY_DATABASE 指定数据库文件，以检测异地登录。',
    ja: '都市データベースが設定されていません。別の都市からのログインを検出するには、CASTELLAN_CITY_DATABASE でファイルを指定してください。',
  },
  terminal_secrets: {
    en: 'Passwords typed for a connection are never kept in the browser: store them as accounts of the asset instead.',
    zh: '连接时手动输入的密码不会保存在浏览器中，请改为保存为资产账号。',
    ja: '接続時に入力したパスワードはブラウザーに保存されません。アセットのアカウントとして登録してください。',
  },
  command_alerts: {
    en: 'Has no effect: alerts are sent for the commands that command filters name.',
    zh: '该设置无效：告警由命令过滤规则触发。',
    ja: 'この設定は使用されません。アラートはコマンドフィルターのルールに従って送信されます。',
  },
})
