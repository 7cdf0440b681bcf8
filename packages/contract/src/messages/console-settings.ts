/** Texts of the console: system settings, organisations, licence. */
import { defineMessages } from '../messages.ts'

export const consoleSettingsMessages = defineMessages({
  organisations: { en: 'Organisations', zh: '组织管理', ja: '組織' },
  organisationCreate: { en: 'Create organisation', zh: '创建组织', ja: '組織を作成' },
  organisationUpdate: { en: 'Update organisation', zh: '更新组织', ja: '組織を更新' },
  organisationDetail: { en: 'Organisation detail', zh: '组织详情', ja: '組織の詳細' },
  organisationsHelp: {
    en: 'An organisation keeps its own users, assets, permissions and logs apart from all others.',
    zh: '每个组织的用户、资产、授权和日志彼此隔离。',
    ja: '組織ごとにユーザー、資産、権限、ログが分けられます。',
  },
  organisationsEmpty: {
    en: 'Organisations keep users, assets and logs apart. Make the first one.',
    zh: '组织之间的用户、资产和日志相互隔离。创建第一个组织。',
    ja: '組織はユーザー、資産、ログを分けて管理します。最初の組織を作成してください。',
  },
  licence: { en: 'Licence', zh: '许可证', ja: 'ライセンス' },
  licenceValid: { en: 'Valid', zh: '有效', ja: '有効' },
  licenceImport: { en: 'Import licence', zh: '导入许可证', ja: 'ライセンスを取り込む' },
  licenceHelp: {
    en: 'The licence switches the extended functions on: roles, organisations, tickets. Every installation gives itself one at its first start.',
    zh: '许可证用于启用扩展功能：角色、组织、工单。每个安装在首次启动时会自动签发一份。',
    ja: 'ライセンスはロール、組織、チケットなどの拡張機能を有効にします。初回起動時に自動で発行されます。',
  },
  licenceShow: { en: 'Show the licence', zh: '查看许可证', ja: 'ライセンスを表示' },
  licenceEdition: { en: 'Edition', zh: '版本', ja: 'エディション' },
  licenceCorporation: { en: 'Licensed to', zh: '授权公司', ja: 'ライセンス先' },
  licenceExpires: { en: 'Valid until', zh: '有效期至', ja: '有効期限' },
  licenceForEver: { en: 'Without end', zh: '永久', ja: '無期限' },
  licenceAssets: { en: 'Assets', zh: '资产数量', ja: '資産数' },
  licenceAssetsOf: { en: '{count} of {limit}', zh: '{count} / {limit}', ja: '{count} / {limit}' },
  licenceAssetsFree: { en: '{count}, no limit', zh: '{count}，不限数量', ja: '{count}（上限なし）' },
  licenceSubscription: { en: 'Subscription', zh: '订阅 ID', ja: 'サブスクリプション' },
  licenceSerial: { en: 'Serial number', zh: '序列号', ja: 'シリアル番号' },
  licenceRemark: { en: 'Remark', zh: '备注', ja: '備考' },
})
