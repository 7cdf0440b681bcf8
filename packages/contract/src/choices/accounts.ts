/** Choices of accounts and their automations. */
import { defineMessages } from '../messages.ts'

export const secretTypes = defineMessages({
  password: { en: 'Password', zh: '密码', ja: 'パスワード' },
  ssh_key: { en: 'SSH key', zh: 'SSH 密钥', ja: 'SSH キー' },
  access_key: { en: 'Access key', zh: '访问密钥', ja: 'アクセスキー' },
  token: { en: 'Token', zh: '令牌', ja: 'トークン' },
  api_key: { en: 'API key', zh: 'API 密钥', ja: 'API キー' },
})

/** Special values of an account list, besides usernames. */
export const accountAliases = defineMessages({
  '@ALL': { en: 'All accounts', zh: '所有账号', ja: 'すべてのアカウント' },
  '@SPEC': { en: 'Specified accounts', zh: '指定账号', ja: '指定したアカウント' },
  '@INPUT': { en: 'Manual input', zh: '手动输入', ja: '手動入力' },
  '@USER': { en: 'Same-name account', zh: '同名账号', ja: '同名アカウント' },
  '@ANON': { en: 'Anonymous account', zh: '匿名账号', ja: '匿名アカウント' },
})

/** Aliases available for virtual accounts. */
export const virtualAccountAliases = defineMessages({
  '@INPUT': accountAliases['@INPUT'],
  '@USER': accountAliases['@USER'],
  '@ANON': accountAliases['@ANON'],
})

export const accountSources = defineMessages({
  local: { en: 'Local', zh: '本地', ja: 'ローカル' },
  collected: { en: 'Collected', zh: '收集', ja: '収集' },
  template: { en: 'Template', zh: '模板', ja: 'テンプレート' },
})

export const accountInvalidPolicies = defineMessages({
  skip: { en: 'Skip', zh: '跳过', ja: 'スキップ' },
  update: { en: 'Update', zh: '更新', ja: '更新' },
  error: { en: 'Failed', zh: '失败', ja: '失敗' },
})

export const accountTaskActions = defineMessages({
  test: { en: 'Test', zh: '测试', ja: 'テスト' },
  verify: { en: 'Verify', zh: '验证', ja: '検証' },
  push: { en: 'Push', zh: '推送', ja: 'プッシュ' },
  remove: { en: 'Remove from the asset', zh: '从资产上删除', ja: '資産から削除' },
})

export const accountAutomationTypes = defineMessages({
  push_account: { en: 'Push account', zh: '推送账号', ja: 'アカウントのプッシュ' },
  change_secret: { en: 'Change password', zh: '账号改密', ja: 'パスワード変更' },
  verify_account: { en: 'Verify account', zh: '验证账号', ja: 'アカウントの検証' },
  gather_accounts: { en: 'Collect accounts', zh: '收集账号', ja: 'アカウントの収集' },
  verify_gateway_account: { en: 'Verify gateway account', zh: '验证网关账号', ja: 'ゲートウェイアカウントの検証' },
})

export const secretStrategies = defineMessages({
  specific: { en: 'Specific secret', zh: '指定密文', ja: '指定したシークレット' },
  random: { en: 'Random generation', zh: '随机生成', ja: 'ランダム生成' },
})

export const sshKeyChangeStrategies = defineMessages({
  add: { en: 'Append the SSH key', zh: '追加 SSH 密钥', ja: 'SSH キーを追加' },
  set: { en: 'Empty and append the SSH key', zh: '清空并追加 SSH 密钥', ja: '空にしてから SSH キーを追加' },
  set_jms: {
    en: 'Replace only keys pushed by this system',
    zh: '仅替换由本系统推送的 SSH 密钥',
    ja: '本システムがプッシュしたキーのみ置き換え',
  },
})

export const backupTypes = defineMessages({
  email: { en: 'Email', zh: '邮件', ja: 'メール' },
  object_storage: { en: 'SFTP', zh: 'SFTP', ja: 'SFTP' },
})

export const triggerModes = defineMessages({
  manual: { en: 'Manual trigger', zh: '手动触发', ja: '手動トリガー' },
  timing: { en: 'Timing trigger', zh: '定时触发', ja: '定期トリガー' },
})

export const executionStatuses = defineMessages({
  pending: { en: 'Pending', zh: '等待中', ja: '待機中' },
  running: { en: 'Running', zh: '执行中', ja: '実行中' },
  success: { en: 'Success', zh: '成功', ja: '成功' },
  failed: { en: 'Failed', zh: '失败', ja: '失敗' },
  canceled: { en: 'Stopped', zh: '已停止', ja: '停止済み' },
})

/** Results per asset of adding accounts to many assets at once. */
export const bulkAccountStates = defineMessages({
  created: { en: 'Created', zh: '已创建', ja: '作成済み' },
  updated: { en: 'Updated', zh: '已更新', ja: '更新済み' },
  skipped: { en: 'Skipped', zh: '已跳过', ja: 'スキップ済み' },
  error: { en: 'Error', zh: '错误', ja: 'エラー' },
})
