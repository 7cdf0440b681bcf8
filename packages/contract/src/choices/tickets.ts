/** Choices of tickets and their flows. */
import { defineMessages } from '../messages.ts'

export const ticketTypes = defineMessages({
  general: { en: 'General', zh: '一般', ja: '一般' },
  apply_asset: { en: 'Apply for assets', zh: '资产申请', ja: '資産の申請' },
  login_confirm: { en: 'Sign-in confirmation', zh: '用户登录复核', ja: 'ユーザーログインの確認' },
  command_confirm: { en: 'Command confirmation', zh: '命令复核', ja: 'コマンドの確認' },
  login_asset_confirm: { en: 'Asset connection confirmation', zh: '资产登录复核', ja: '資産ログインの確認' },
})

/** Types of flows and requests. */
export const offeredTicketTypes = defineMessages({
  apply_asset: ticketTypes.apply_asset,
  login_confirm: ticketTypes.login_confirm,
  command_confirm: ticketTypes.command_confirm,
  login_asset_confirm: ticketTypes.login_asset_confirm,
})

export const ticketStates = defineMessages({
  pending: { en: 'Open', zh: '待处理', ja: '未処理' },
  closed: { en: 'Cancelled', zh: '已取消', ja: 'キャンセル済み' },
  reopen: { en: 'Reopened', zh: '重新打开', ja: '再オープン' },
  approved: { en: 'Approved', zh: '已同意', ja: '承認済み' },
  rejected: { en: 'Rejected', zh: '已拒绝', ja: '拒否済み' },
})

export const ticketStatuses = defineMessages({
  open: { en: 'Open', zh: '打开', ja: 'オープン' },
  closed: { en: 'Finished', zh: '已完成', ja: '完了' },
})

export const ticketStepStatuses = defineMessages({
  pending: { en: 'Pending', zh: '等待中', ja: '待機中' },
  active: { en: 'Active', zh: '进行中', ja: '進行中' },
  closed: { en: 'Closed', zh: '已关闭', ja: 'クローズ' },
})

export const ticketLevels = defineMessages({
  1: { en: 'One level', zh: '1 级', ja: '1 レベル' },
  2: { en: 'Two levels', zh: '2 级', ja: '2 レベル' },
})

export const approvalStrategies = defineMessages({
  org_admin: { en: 'Organization admin', zh: '组织管理员', ja: '組織管理者' },
  custom_user: { en: 'Custom users', zh: '自定义用户', ja: 'カスタムユーザー' },
  super_admin: { en: 'System admin', zh: '系统管理员', ja: 'システム管理者' },
  super_org_admin: {
    en: 'Organization admin or system admin',
    zh: '组织管理员或系统管理员',
    ja: '組織管理者またはシステム管理者',
  },
})

export const ticketCommentTypes = defineMessages({
  state: { en: 'State', zh: '状态', ja: '状態' },
  common: { en: 'Comment', zh: '评论', ja: 'コメント' },
})
