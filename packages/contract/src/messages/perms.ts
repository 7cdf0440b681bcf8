/**
 * Texts of app `perms`.
 */
import { defineMessages } from '../messages.ts'

export const permsMessages = defineMessages({
  assetpermission: { en: 'Asset permission', zh: '资产授权', ja: '資産権限' },
  assetpermissionuser: { en: 'User of a permission', zh: '授权的用户', ja: '権限のユーザー' },
  assetpermissionusergroup: { en: 'User group of a permission', zh: '授权的用户组', ja: '権限のユーザーグループ' },
  assetpermissionasset: { en: 'Asset of a permission', zh: '授权中的资产', ja: '権限の資産' },
  assetpermissionnode: { en: 'Node of a permission', zh: '授权中的节点', ja: '権限のノード' },
  permedasset: { en: 'Permitted asset', zh: '授权的资产', ja: '許可された資産' },
  assetpermission_display: { en: 'Asset permission', zh: '资产授权名称', ja: '資産権限' },
  'assetpermission.accounts.help': {
    en: 'Accounts that may be used on the assets: all, by name, entered by hand, the same name as the user, or none.',
    zh: '可以使用的账号：所有账号、指定账号、手动输入、同名账号或匿名账号。',
    ja: '資産で使えるアカウントです：すべて、指定、手動入力、同名、匿名。',
  },
  'assetpermission.nodes.help': {
    en: 'Includes all assets below these nodes, including later ones.',
    zh: '包含这些节点及其下级节点的所有资产（包括以后新增的）。',
    ja: 'これらのノード配下の資産は、今後追加されるものも含めて対象です。',
  },
  'assetpermission.protocols.help': {
    en: 'All protocols of the asset, or selected ones.',
    zh: '资产的所有协议，或指定的协议。',
    ja: '資産のすべてのプロトコル、または指定したものです。',
  },
  'assetpermission.actions.help': {
    en: 'Allowed actions. Some apply to certain protocols only.',
    zh: '连接后允许的动作，部分动作仅对特定协议有效。',
    ja: '接続後に許可する操作です。一部は特定のプロトコルでのみ有効です。',
  },
  'assetpermission.date_expired.help': {
    en: 'Sessions end when the permission expires.',
    zh: '授权到期后会话将被终止。',
    ja: '権限の期限が切れるとセッションは終了します。',
  },
  favorite: { en: 'Favorites', zh: '收藏', ja: 'お気に入り' },
  ungrouped: { en: 'Ungrouped', zh: '未分组', ja: '未グループ化' },
  permission_ended: {
    en: 'Your permission for this asset has ended.',
    zh: '您对该资产的授权已终止。',
    ja: 'この資産への権限は終了しました。',
  },
  'assetpermission.users': { en: 'Users', zh: '用户', ja: 'ユーザー' },
  'assetpermission.user_groups': { en: 'User groups', zh: '用户组', ja: 'ユーザーグループ' },
  why_user_inactive: { en: 'The user is disabled.', zh: '用户已被禁用。', ja: 'ユーザーは無効です。' },
  why_user_expired: { en: 'The user has expired.', zh: '用户已过期。', ja: 'ユーザーの有効期限が切れています。' },
  why_asset_inactive: { en: 'The asset is disabled.', zh: '资产已被禁用。', ja: '資産は無効です。' },
  why_account_unknown: {
    en: 'The asset has no account with this name.',
    zh: '资产没有该名称的账号。',
    ja: '資産にこの名前のアカウントはありません。',
  },
  why_account_inactive: { en: 'The account is disabled.', zh: '账号已被禁用。', ja: 'アカウントは無効です。' },
  why_inactive: { en: 'The permission is disabled.', zh: '授权未激活。', ja: '権限が無効になっています。' },
  why_not_started: { en: 'The permission has not started.', zh: '授权尚未生效。', ja: '権限はまだ始まっていません。' },
  why_expired: { en: 'The permission has expired.', zh: '授权已过期。', ja: '権限の期限が切れています。' },
  why_account: {
    en: 'The permission does not include the account.',
    zh: '授权不包含该账号。',
    ja: '権限にこのアカウントは含まれていません。',
  },
  why_protocol: {
    en: 'The permission does not include the protocol.',
    zh: '授权不包含该协议。',
    ja: '権限にこのプロトコルは含まれていません。',
  },
  why_action: {
    en: 'The permission does not include the action.',
    zh: '授权不包含该动作。',
    ja: '権限にこの操作は含まれていません。',
  },
  why_user: {
    en: 'The permission includes neither the user nor a group of the user.',
    zh: '授权未包含该用户或其所在的用户组。',
    ja: '権限にこのユーザーも所属グループも含まれていません。',
  },
  why_asset: {
    en: 'The permission includes neither the asset nor a node above it.',
    zh: '授权未包含该资产或其上级节点。',
    ja: '権限にこの資産も上位ノードも含まれていません。',
  },
  finding_gives_nothing: { en: 'Grants nothing', zh: '未授予任何内容', ja: '何も与えない' },
  finding_expired: { en: 'Expired', zh: '已过期', ja: '期限切れ' },
  finding_shadowed: { en: 'Covered by another', zh: '被其他授权覆盖', ja: '他の権限に含まれる' },
  finding_wider: { en: 'Wider than used', zh: '超出实际使用', ja: '使用実績より広い' },
  finding_nobody: { en: 'It includes no user.', zh: '未包含任何用户。', ja: 'ユーザーが含まれていません。' },
  finding_no_assets: { en: 'It includes no asset.', zh: '未包含任何资产。', ja: '資産が含まれていません。' },
  finding_no_accounts: { en: 'It includes no account.', zh: '未包含任何账号。', ja: 'アカウントが含まれていません。' },
  finding_no_protocols: {
    en: 'It includes no protocol.',
    zh: '未包含任何协议。',
    ja: 'プロトコルが含まれていません。',
  },
  finding_no_actions: { en: 'It includes no action.', zh: '未包含任何动作。', ja: '操作が含まれていません。' },
  finding_expired_reason: { en: 'It has ended.', zh: '已经结束。', ja: 'すでに終了しています。' },
  finding_shadowed_reason: {
    en: '{name} grants everything it grants.',
    zh: '其授予的全部内容已由 {name} 授予。',
    ja: '与えるものはすべて {name} にも含まれています。',
  },
  finding_wider_reason: {
    en: 'In {days} {days|day|days} {used} of {assets} {assets|asset was|assets were} used, by {people} of {all} {all|user|users}.',
    zh: '{days} 天内使用了 {assets} 个资产中的 {used} 个，{all} 人中有 {people} 人使用。',
    ja: '{days} 日間に使われた資産は {assets} 件中 {used} 件、使ったユーザーは {all} 人中 {people} 人です。',
  },
  expiry_assets: {
    en: 'Your access to assets ends in {days} {days|day|days}',
    zh: '您的资产授权将在 {days} 天后到期',
    ja: '利用できる資産の権限が {days} 日後に終了します',
  },
  expiry_assets_today: {
    en: 'Your access to assets ends today',
    zh: '您的资产授权将于今天到期',
    ja: '利用できる資産の権限が本日終了します',
  },
  expiry_assets_body: {
    en: 'A permission for these assets is about to end. Ask an administrator if you still need them.\n{assets}',
    zh: '以下资产的授权即将到期。如仍需使用，请联系管理员。\n{assets}',
    ja: '次の資産の権限がまもなく終了します。引き続き必要な場合は管理者に連絡してください。\n{assets}',
  },
  expiry_permissions: {
    en: 'Asset permissions end in {days} {days|day|days}',
    zh: '资产授权将在 {days} 天后到期',
    ja: '資産権限が {days} 日後に終了します',
  },
  expiry_permissions_today: {
    en: 'Asset permissions end today',
    zh: '资产授权将于今天到期',
    ja: '資産権限が本日終了します',
  },
  expiry_permissions_body: {
    en: 'These permissions are about to end. Extend those that are still needed.\n{permissions}',
    zh: '以下授权即将到期，请延长仍需要的授权。\n{permissions}',
    ja: '次の権限がまもなく終了します。必要なものは延長してください。\n{permissions}',
  },
})
