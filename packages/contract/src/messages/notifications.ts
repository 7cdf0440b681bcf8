/**
 * Texts of app `notifications`.
 */
import { defineMessages } from '../messages.ts'

export const notificationsMessages = defineMessages({
  sitemessage: { en: 'Site message', zh: '站内信', ja: 'サイトメッセージ' },
  systemmsgsubscription: { en: 'System message subscription', zh: '系统消息订阅', ja: 'システムメッセージの購読' },
  usermsgsubscription: { en: 'User message subscription', zh: '用户消息订阅', ja: 'ユーザーメッセージの購読' },
  has_read: { en: 'Read', zh: '已读', ja: '既読' },
  read_at: { en: 'Read at', zh: '阅读时间', ja: '既読日時' },
  is_broadcast: { en: 'To all users', zh: '广播', ja: '全員へ' },
  message_type: { en: 'Message type', zh: '消息类型', ja: 'メッセージの種類' },
  message_type_label: { en: 'Message type', zh: '消息类型', ja: 'メッセージの種類' },
  receivers: { en: 'Receivers', zh: '接收人', ja: '受信者' },
  receive_backends: { en: 'Message backends', zh: '消息接收方式', ja: '通知方法' },
  'receive_backends.help': {
    en: 'Site messages are always delivered.',
    zh: '站内信始终会发送。',
    ja: 'サイトメッセージは常に届きます。',
  },
  name_display: { en: 'Name', zh: '名称', ja: '名前' },
})
