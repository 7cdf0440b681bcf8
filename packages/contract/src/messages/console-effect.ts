/** Texts of the console: effect of a permission, explanations of access, permitted users. */
import { defineMessages } from '../messages.ts'

export const consoleEffectMessages = defineMessages({
  effectTitle: { en: 'Effect of this permission', zh: '授权效果预览', ja: 'この権限の効果' },
  effectPeople: { en: '{count|user|users}', zh: '用户', ja: 'ユーザー' },
  effectAssets: { en: '{count|asset|assets}', zh: '资产', ja: '資産' },
  effectAccounts: { en: '{count|account|accounts}', zh: '账号', ja: 'アカウント' },
  effectText: {
    en: '{people} {people|user|users} may connect to {assets} {assets|asset|assets}. Accounts: {accounts}.',
    zh: '{people} 个用户可以连接 {assets} 个资产。账号：{accounts}。',
    ja: '{people} 人のユーザーが {assets} 台の資産に接続できます。アカウント：{accounts}。',
  },
  effectNone: {
    en: 'No access granted yet. Choose users and assets.',
    zh: '当前没有任何用户获得权限：请选择用户和资产。',
    ja: 'このままでは誰にも権限が与えられません。ユーザーと資産を選んでください。',
  },
  effectGain: {
    en: '{people} {people|user gains|users gain} {assets} {assets|asset|assets}',
    zh: '{people} 个用户将获得 {assets} 个资产',
    ja: '{people} 人のユーザーが {assets} 台の資産を得ます',
  },
  effectLose: {
    en: '{people} {people|user loses|users lose} {assets} {assets|asset|assets}',
    zh: '{people} 个用户将失去 {assets} 个资产',
    ja: '{people} 人のユーザーが {assets} 台の資産を失います',
  },
  effectAssetsOf: { en: '{assets} {assets|asset|assets}', zh: '{assets} 个资产', ja: '資産 {assets} 台' },
  effectMore: { en: 'and {count} more', zh: '及其他 {count} 人', ja: 'ほか {count} 人' },
  effectNothingChanges: {
    en: 'Saving does not change access.',
    zh: '保存后任何用户的授权范围都不变。',
    ja: '保存しても誰のアクセス範囲も変わりません。',
  },
  userAssetsEmpty: {
    en: 'No permission grants this user an asset.',
    zh: '尚无授权让该用户访问任何资产。',
    ja: 'このユーザーに許可された資産はありません。',
  },
  userPermissionsEmpty: {
    en: 'No asset permission includes this user or a group of the user.',
    zh: '没有资产授权包含该用户或其所在的用户组。',
    ja: 'このユーザーまたは所属グループを含む資産権限はありません。',
  },
  membersEmpty: { en: 'No members.', zh: '尚无成员。', ja: 'メンバーはいません。' },
  permittedPeopleEmpty: {
    en: 'No permission grants access to this asset.',
    zh: '尚无授权允许任何用户连接该资产。',
    ja: 'この資産への接続を許可されたユーザーはいません。',
  },
  permissionEverybody: { en: 'All permitted users', zh: '全部授权用户', ja: '許可されるすべてのユーザー' },
  permissionEverything: { en: 'All permitted assets', zh: '全部授权资产', ja: '許可されるすべての資産' },
  permissionUsersEmpty: {
    en: 'No users permitted. Add users or groups.',
    zh: '尚无被授权的用户，请添加用户或用户组。',
    ja: '許可されたユーザーはいません。ユーザーまたはグループを追加してください。',
  },
  permissionAssetsEmpty: {
    en: 'No assets permitted. Add assets or nodes.',
    zh: '尚无被授权的资产，请添加资产或节点。',
    ja: '許可された資産はありません。資産またはノードを追加してください。',
  },
  accessWhy: { en: 'Explain access', zh: '解释访问权限', ja: 'アクセスの理由' },
  accessTitle: { en: 'Explain access', zh: '访问权限说明', ja: 'アクセス権とその理由' },
  accessPerson: { en: 'User', zh: '用户', ja: 'ユーザー' },
  accessAsset: { en: 'Asset', zh: '资产', ja: '資産' },
  accessAnyAccount: { en: 'Any account', zh: '任意账号', ja: '任意のアカウント' },
  accessAction: { en: 'Action', zh: '动作', ja: '操作' },
  accessAsk: {
    en: 'Choose a user and an asset.',
    zh: '请选择用户和资产。',
    ja: 'ユーザーと資産を選んでください。',
  },
  accessAllowed: { en: 'Allowed', zh: '允许', ja: '許可されています' },
  accessRefused: { en: 'Not allowed', zh: '不允许', ja: '許可されていません' },
  accessRules: { en: 'Permissions that grant it', zh: '授予该权限的授权', ja: 'これを与える権限' },
  accessThrough: { en: '{user} → {asset}', zh: '{user} → {asset}', ja: '{user} → {asset}' },
  accessChanges: { en: 'Required changes', zh: '需要更改的内容', ja: '変更が必要な点' },
  accessNoRule: {
    en: 'No permission includes this user or this asset.',
    zh: '没有授权包含该用户或该资产。',
    ja: 'このユーザーや資産を含む権限はありません。',
  },
  findings: { en: 'Findings', zh: '检查结果', ja: '点検結果' },
  finding: { en: 'Finding', zh: '问题', ja: '指摘' },
  findingReason: { en: 'Reason', zh: '原因', ja: '理由' },
  findingsNone: { en: 'All clear', zh: '未发现问题', ja: '指摘はありません' },
  findingsEmpty: {
    en: 'No permission is empty, expired, covered by another one or wider than its use.',
    zh: '没有空的、已过期的、被其他授权覆盖的或范围过宽的授权。',
    ja: '空の権限、期限切れの権限、他と重複する権限、範囲が広すぎる権限はありません。',
  },
  effectInactive: {
    en: 'The permission is disabled and grants nothing.',
    zh: '尚未激活：启用前不会授权。',
    ja: '有効になっていません。有効にするまで何も許可されません。',
  },
})
