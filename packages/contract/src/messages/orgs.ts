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
  'organization.name.help': {
    en: 'Shown in the organization menu and as the root of its nodes.',
    zh: '显示在组织菜单中，同时是该组织节点树的根',
    ja: '組織メニューに表示され、ノードツリーの最上位にもなります。',
  },
})
