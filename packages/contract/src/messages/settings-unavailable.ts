/** Why settings have no effect yet: shown on their pages, and the error of a change. */
import { defineMessages } from '../messages.ts'

export const unavailableSettings = defineMessages({
  oidc_state: {
    en: 'Always on: without the state, other sites could forge sign-ins.',
    zh: '始终启用：不使用 state 时，其他网站可能伪造登录。',
    ja: '常に有効です。state がないと、ほかのサイトがログインを偽造できます。',
  },
  city: {
    en: 'Cities of addresses are not known yet, so sign-ins from elsewhere cannot be detected.',
    zh: '尚无法识别 IP 所在城市，因此无法检测异地登录。',
    ja: 'IP アドレスの所在地をまだ判定できないため、別の都市からのログインを検出できません。',
  },
  terminal_secrets: {
    en: 'The web terminal does not store entered passwords yet.',
    zh: 'Web 终端尚不保存手动输入的密码。',
    ja: 'Web ターミナルは入力されたパスワードをまだ保存しません。',
  },
  command_alerts: {
    en: 'Has no effect: alerts are sent for the commands that command filters name.',
    zh: '该设置无效：告警由命令过滤规则触发。',
    ja: 'この設定は使用されません。アラートはコマンドフィルターのルールに従って送信されます。',
  },
})
