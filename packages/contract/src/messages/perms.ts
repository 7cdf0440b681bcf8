/**
 * Texts of app `perms`.
 */
import { defineMessages } from '../messages.ts'

export const permsMessages = defineMessages({
  assetpermission: { en: 'Asset permission', zh: '资产授权', ja: '資産権限' },
  permedasset: { en: 'Permitted asset', zh: '授权的资产', ja: '許可された資産' },
  assetpermission_display: { en: 'Asset permission', zh: '资产授权名称', ja: '資産権限' },
  'assetpermission.accounts.help': {
    en: 'Accounts that may be used on the assets: all, by name, entered by hand, the same name as the user, or none.',
    zh: '可以使用的账号：所有账号、指定账号、手动输入、同名账号或匿名账号',
    ja: '資産で使えるアカウントです：すべて、指定、手動入力、同名、匿名。',
  },
  'assetpermission.nodes.help': {
    en: 'Everything below these nodes is included, now and later.',
    zh: '包含这些节点及其下级节点的所有资产（包括以后新增的）',
    ja: 'これらのノード配下の資産は、今後追加されるものも含めて対象です。',
  },
  'assetpermission.protocols.help': {
    en: 'all stands for every protocol of the asset.',
    zh: 'all 表示资产的所有协议',
    ja: 'all は資産のすべてのプロトコルを表します。',
  },
  'assetpermission.actions.help': {
    en: 'What may be done once connected. Some actions apply to certain protocols only.',
    zh: '连接后允许的操作，部分操作仅对特定协议有效',
    ja: '接続後に許可する操作です。一部は特定のプロトコルでのみ有効です。',
  },
  'assetpermission.date_expired.help': {
    en: 'Sessions end when the permission expires.',
    zh: '授权到期后会话将被终断',
    ja: '権限の期限が切れるとセッションは終了します。',
  },
  favorite: { en: 'Favorite', zh: '收藏', ja: 'お気に入り' },
  ungrouped: { en: 'Ungrouped', zh: '未分组', ja: '未グループ化' },
  permission_ended: {
    en: 'Your permission for this asset has ended.',
    zh: '您对该资产的授权已终止。',
    ja: 'この資産への権限は終了しました。',
  },
  'assetpermission.users': { en: 'Users', zh: '用户', ja: 'ユーザー' },
  'assetpermission.user_groups': { en: 'User groups', zh: '用户组', ja: 'ユーザーグループ' },
})
