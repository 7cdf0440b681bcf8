/** Choices of notifications. */
import { defineMessages } from '../messages.ts'

/** Message backends, in the order of `backends/`. */
export const messageBackends = defineMessages({
  email: { en: 'Email', zh: '邮件', ja: 'メール' },
  wecom: { en: 'WeCom', zh: '企业微信', ja: 'WeCom' },
  dingtalk: { en: 'DingTalk', zh: '钉钉', ja: 'DingTalk' },
  site_msg: { en: 'Site message', zh: '站内信', ja: 'サイトメッセージ' },
  feishu: { en: 'FeiShu', zh: '飞书', ja: 'FeiShu' },
})

export const systemMessageCategories = defineMessages({
  terminal: { en: 'Sessions', zh: '会话管理', ja: 'セッション管理' },
  storage: { en: 'Storage', zh: '存储', ja: 'ストレージ' },
  Operations: { en: 'Operations', zh: '运维', ja: '運用' },
})

export const systemMessageTypes = defineMessages({
  CommandAlertMessage: { en: 'Command alert', zh: '命令告警', ja: 'コマンドアラート' },
  CommandExecutionAlert: { en: 'Dangerous batch command', zh: '批量危险命令', ja: '一括の危険コマンド' },
  StorageConnectivityMessage: { en: 'Storage connectivity alarm', zh: '存储连接告警', ja: 'ストレージ接続アラーム' },
  ServerPerformanceMessage: { en: 'Server performance', zh: '服务器性能告警', ja: 'サーバー性能アラーム' },
})

/** Categories of system messages. */
export const systemMessageCategoryOf = {
  CommandAlertMessage: 'terminal',
  CommandExecutionAlert: 'terminal',
  StorageConnectivityMessage: 'storage',
  ServerPerformanceMessage: 'Operations',
} as const satisfies Record<keyof typeof systemMessageTypes, keyof typeof systemMessageCategories>
