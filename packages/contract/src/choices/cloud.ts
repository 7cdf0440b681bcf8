/** Choices of the cloud center. */
import { defineMessages } from '../messages.ts'

export const providerGroups = defineMessages({
  public: { en: 'Public cloud', zh: '公有云', ja: 'パブリッククラウド' },
  private: { en: 'Private cloud', zh: '私有云', ja: 'プライベートクラウド' },
})

export const hostnameStrategies = defineMessages({
  instance_name: { en: 'Instance name', zh: '实例名称', ja: 'インスタンス名' },
  instance_name_partial_ip: {
    en: 'Instance name and part of the IP',
    zh: '实例名称和部分 IP',
    ja: 'インスタンス名と IP の一部',
  },
})

export const syncAddressTypes = defineMessages({
  private: { en: 'Private IP', zh: '私有 IP', ja: 'プライベート IP' },
  public: { en: 'Public IP', zh: '公网 IP', ja: 'パブリック IP' },
})

/** What happens to the asset of a machine that its provider no longer has. */
export const releasedActions = defineMessages({
  mark: { en: 'Keep the asset', zh: '保留资产', ja: '資産を残す' },
  disable: { en: 'Disable the asset', zh: '禁用资产', ja: '資産を無効にする' },
  remove: { en: 'Delete the asset', zh: '删除资产', ja: '資産を削除する' },
})

/** States of a machine in a synchronization task. */
export const instanceStatuses = defineMessages({
  0: { en: 'Not synchronized', zh: '未同步', ja: '未同期' },
  1: { en: 'New', zh: '新增', ja: '新規' },
  2: { en: 'Synchronized', zh: '已同步', ja: '同期済み' },
  3: { en: 'Released', zh: '已释放', ja: '解放済み' },
})

export const ruleAttributes = defineMessages({
  instance_name: { en: 'Instance name', zh: '实例名称', ja: 'インスタンス名' },
  instance_platform: { en: 'Instance platform', zh: '实例平台', ja: 'インスタンスのプラットフォーム' },
  instance_address: { en: 'Instance address', zh: '实例地址', ja: 'インスタンスのアドレス' },
})

export const ruleMatches = defineMessages({
  exact: { en: 'Equals', zh: '等于', ja: '等しい' },
  not: { en: 'Is not', zh: '不等于', ja: '等しくない' },
  contains: { en: 'Contains', zh: '包含', ja: '含む' },
  startswith: { en: 'Begins with', zh: '以...开头', ja: 'で始まる' },
  endswith: { en: 'Ends with', zh: '以...结尾', ja: 'で終わる' },
  regex: { en: 'Matches the regular expression', zh: '匹配正则表达式', ja: '正規表現に一致' },
})

export const actionAttributes = defineMessages({
  platform: { en: 'Platform', zh: '平台', ja: 'プラットフォーム' },
  node: { en: 'Node', zh: '节点', ja: 'ノード' },
  domain: { en: 'Domain', zh: '网域', ja: 'ドメイン' },
  account_template: { en: 'Account template', zh: '账号模板', ja: 'アカウントテンプレート' },
  label: { en: 'Label', zh: '标签', ja: 'ラベル' },
})

export const syncStatuses = defineMessages({
  0: { en: 'Failed', zh: '失败', ja: '失敗' },
  1: { en: 'Success', zh: '成功', ja: '成功' },
  2: { en: 'Running', zh: '执行中', ja: '実行中' },
  3: { en: 'Stopped', zh: '已停止', ja: '停止済み' },
})
