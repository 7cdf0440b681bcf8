/**
 * Texts of app `orgs`.
 */
import { defineMessages } from '../messages.ts'

export const orgsMessages = defineMessages({
  organization: { en: 'Organization', zh: '组织', ja: '組織' },
  global: { en: 'GLOBAL', zh: '全局组织', ja: 'グローバル' },
  resource_statistics: { en: 'Resource statistics', zh: '资源统计', ja: 'リソース統計' },
  groups_amount: { en: 'User groups amount', zh: '用户组数量', ja: 'ユーザーグループ数' },
  domains_amount: { en: 'Domains amount', zh: '网域数量', ja: 'ドメイン数' },
  gateways_amount: { en: 'Gateways amount', zh: '网关数量', ja: 'ゲートウェイ数' },
  asset_perms_amount: { en: 'Asset permissions amount', zh: '资产授权数量', ja: '資産権限数' },
  not_empty: {
    en: 'The organization still has objects of this kind: {kind}. Delete or move them first.',
    zh: '该组织下仍有资源：{kind}，请先删除或移走',
    ja: 'この組織にはまだ {kind} があります。先に削除または移動してください。',
  },
  is_current: {
    en: 'You are working in this organization. Switch to another one before you delete it.',
    zh: '不能删除当前组织，请先切换到其它组织',
    ja: '現在の組織は削除できません。先に別の組織へ切り替えてください。',
  },
  is_synchronised: {
    en: 'LDAP users are synchronized into this organization. Remove it from the LDAP settings first.',
    zh: '该组织已配置 LDAP 同步，请先在 LDAP 设置中移除',
    ja: 'LDAP 同期の対象組織です。先に LDAP 設定から外してください。',
  },
  'organization.name.help': {
    en: 'Shown in the organization menu and as the root of its nodes.',
    zh: '显示在组织菜单中，同时是该组织节点树的根。',
    ja: '組織メニューに表示され、ノードツリーの最上位にもなります。',
  },
})
