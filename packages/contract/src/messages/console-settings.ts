/** Texts of the console: system settings, organizations, license. */
import { defineMessages } from '../messages.ts'

export const consoleSettingsMessages = defineMessages({
  organizations: { en: 'Organizations', zh: '组织管理', ja: '組織' },
  organizationCreate: { en: 'Create organization', zh: '创建组织', ja: '組織を作成' },
  organizationUpdate: { en: 'Update organization', zh: '更新组织', ja: '組織を更新' },
  organizationDetail: { en: 'Organization detail', zh: '组织详情', ja: '組織の詳細' },
  organizationsHelp: {
    en: 'An organization separates its users, assets, permissions and logs from all others.',
    zh: '每个组织的用户、资产、授权和日志彼此隔离。',
    ja: '組織ごとにユーザー、資産、権限、ログが分けられます。',
  },
  organizationsEmpty: {
    en: 'Organizations separate users, assets and logs. Create the first one.',
    zh: '组织之间的用户、资产和日志相互隔离。创建第一个组织。',
    ja: '組織はユーザー、資産、ログを分けて管理します。最初の組織を作成してください。',
  },
  license: { en: 'License', zh: '许可证', ja: 'ライセンス' },
  licenseValid: { en: 'Valid', zh: '有效', ja: '有効' },
  licenseImport: { en: 'Import license', zh: '导入许可证', ja: 'ライセンスを取り込む' },
  licenseHelp: {
    en: 'The license enables extended features: roles, organizations, tickets. Each installation issues its own license at the first start.',
    zh: '许可证用于启用扩展功能：角色、组织、工单。每个安装在首次启动时会自动签发一份。',
    ja: 'ライセンスはロール、組織、チケットなどの拡張機能を有効にします。初回起動時に自動で発行されます。',
  },
  licenseShow: { en: 'Show the license', zh: '查看许可证', ja: 'ライセンスを表示' },
  licenseEdition: { en: 'Edition', zh: '版本', ja: 'エディション' },
  licenseCorporation: { en: 'Licensed to', zh: '授权公司', ja: 'ライセンス先' },
  licenseExpires: { en: 'Valid until', zh: '有效期至', ja: '有効期限' },
  licenseForEver: { en: 'No expiry date', zh: '永久', ja: '無期限' },
  licenseAssets: { en: 'Assets', zh: '资产数量', ja: '資産数' },
  licenseAssetsOf: { en: '{count} of {limit}', zh: '{count} / {limit}', ja: '{count} / {limit}' },
  licenseAssetsFree: { en: '{count}, no limit', zh: '{count}，不限数量', ja: '{count}（上限なし）' },
  licenseSubscription: { en: 'Subscription', zh: '订阅 ID', ja: 'サブスクリプション' },
  licenseSerial: { en: 'Serial number', zh: '序列号', ja: 'シリアル番号' },
  licenseRemark: { en: 'Remark', zh: '备注', ja: '備考' },
})
