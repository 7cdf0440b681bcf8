/** Categories and types of assets. */
import { defineMessages } from './messages.ts'

/** In the order of API responses. */
export const assetCategories = ['host', 'device', 'database', 'cloud', 'web', 'gpt', 'custom'] as const
export type AssetCategory = (typeof assetCategories)[number]

/** The built-in platform whose hosts are gateways. */
export const gatewayPlatformName = 'Gateway'
export const appletHostPlatformName = 'RemoteAppHost'

export const assetCategoryLabels = defineMessages({
  host: { en: 'Host', zh: '主机', ja: 'ホスト' },
  device: { en: 'Network device', zh: '网络设备', ja: 'ネットワーク機器' },
  database: { en: 'Database', zh: '数据库', ja: 'データベース' },
  cloud: { en: 'Cloud service', zh: '云服务', ja: 'クラウドサービス' },
  web: { en: 'Web', zh: 'Web', ja: 'Web' },
  gpt: { en: 'GPT', zh: 'GPT', ja: 'GPT' },
  custom: { en: 'Custom type', zh: '自定义类型', ja: 'カスタムタイプ' },
})

/** Types by category, in the order of the v3 contract with every edition's types. Custom types come from the installed custom platforms. */
export const assetTypes = {
  host: ['linux', 'windows', 'unix', 'other'],
  device: ['general', 'switch', 'router', 'firewall'],
  database: ['mysql', 'mariadb', 'postgresql', 'oracle', 'sqlserver', 'db2', 'clickhouse', 'mongodb', 'redis'],
  cloud: ['public', 'private', 'k8s'],
  web: ['website'],
  gpt: ['chatgpt'],
  custom: [],
} as const satisfies Record<AssetCategory, readonly string[]>

/** Built-in types; custom types are plain strings. */
export type AssetType = (typeof assetTypes)[AssetCategory][number]

export const assetTypeLabels = defineMessages({
  linux: { en: 'Linux', zh: 'Linux', ja: 'Linux' },
  windows: { en: 'Windows', zh: 'Windows', ja: 'Windows' },
  unix: { en: 'Unix', zh: 'Unix', ja: 'Unix' },
  other: { en: 'Other', zh: '其它', ja: 'その他' },
  general: { en: 'General', zh: '通用', ja: '一般' },
  switch: { en: 'Switch', zh: '交换机', ja: 'スイッチ' },
  router: { en: 'Router', zh: '路由器', ja: 'ルーター' },
  firewall: { en: 'Firewall', zh: '防火墙', ja: 'ファイアウォール' },
  mysql: { en: 'MySQL', zh: 'MySQL', ja: 'MySQL' },
  mariadb: { en: 'MariaDB', zh: 'MariaDB', ja: 'MariaDB' },
  postgresql: { en: 'PostgreSQL', zh: 'PostgreSQL', ja: 'PostgreSQL' },
  oracle: { en: 'Oracle', zh: 'Oracle', ja: 'Oracle' },
  sqlserver: { en: 'SQLServer', zh: 'SQLServer', ja: 'SQLServer' },
  db2: { en: 'DB2', zh: 'DB2', ja: 'DB2' },
  clickhouse: { en: 'ClickHouse', zh: 'ClickHouse', ja: 'ClickHouse' },
  mongodb: { en: 'MongoDB', zh: 'MongoDB', ja: 'MongoDB' },
  redis: { en: 'Redis', zh: 'Redis', ja: 'Redis' },
  public: { en: 'Public cloud', zh: '公有云', ja: 'パブリッククラウド' },
  private: { en: 'Private cloud', zh: '私有云', ja: 'プライベートクラウド' },
  k8s: { en: 'Kubernetes', zh: 'Kubernetes', ja: 'Kubernetes' },
  website: { en: 'Website', zh: '网站', ja: 'ウェブサイト' },
  chatgpt: { en: 'ChatGPT', zh: 'ChatGPT', ja: 'ChatGPT' },
}) satisfies Record<AssetType, unknown>
