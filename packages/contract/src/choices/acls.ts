/** Choices of rules. `licensedAclActions` lists the actions that require a license. */
import { defineMessages } from '../messages.ts'

export const aclActions = defineMessages({
  reject: { en: 'Reject', zh: '拒绝', ja: '拒否' },
  accept: { en: 'Accept', zh: '接受', ja: '許可' },
  review: { en: 'Review', zh: '审批', ja: '審査' },
  warning: { en: 'Warning', zh: '告警', ja: '警告' },
  notice: { en: 'Notify', zh: '通知', ja: '通知' },
})

/** Actions of login rules and asset login rules. */
export const loginAclActions = defineMessages({
  reject: aclActions.reject,
  accept: aclActions.accept,
  review: aclActions.review,
  notice: aclActions.notice,
})

export const commandAclActions = defineMessages({
  reject: aclActions.reject,
  accept: aclActions.accept,
  review: aclActions.review,
  warning: aclActions.warning,
})

export const connectMethodAclActions = defineMessages({ reject: aclActions.reject })

export const licensedAclActions: readonly string[] = ['review']

export const commandGroupTypes = defineMessages({
  command: { en: 'Command', zh: '命令', ja: 'コマンド' },
  regex: { en: 'Regular expression', zh: '正则表达式', ja: '正規表現' },
})

/** Scopes of a rule filter. */
export const ruleFilterTypes = defineMessages({
  all: { en: 'All', zh: '所有', ja: 'すべて' },
  ids: { en: 'Specified', zh: '指定', ja: '指定' },
  attrs: { en: 'By attributes', zh: '属性筛选', ja: '属性で絞り込み' },
})
