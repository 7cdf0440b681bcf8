/**
 * Texts of app `tickets`.
 */
import { defineMessages } from '../messages.ts'

export const ticketsMessages = defineMessages({
  ticket: { en: 'Ticket', zh: '工单', ja: 'チケット' },
  applyassetticket: { en: 'Asset request', zh: '资产申请', ja: '資産の申請' },
  ticketflow: { en: 'Ticket flow', zh: '工单流程', ja: 'チケットフロー' },
  comment: { en: 'Comment', zh: '评论', ja: 'コメント' },
  ticketsession: { en: 'Session of a ticket', zh: '工单会话', ja: 'チケットのセッション' },
  'ticket.comment': { en: 'Description', zh: '备注', ja: '備考' },
  'ticketflow.comment': { en: 'Description', zh: '备注', ja: '備考' },
  title: { en: 'Title', zh: '标题', ja: 'タイトル' },
  type: { en: 'Type', zh: '类型', ja: '種別' },
  state: { en: 'State', zh: '状态', ja: '状態' },
  status: { en: 'Status', zh: '状态', ja: '状態' },
  body: { en: 'Content', zh: '内容', ja: '内容' },
  level: { en: 'Level', zh: '级别', ja: 'レベル' },
  strategy: { en: 'Approvers', zh: '审批策略', ja: '承認方法' },
  assignees: { en: 'Assignees', zh: '受理人', ja: '担当者' },

  // Errors and messages.
})
