/** Automations of assets and their methods. */
import type { AssetCategory } from './asset-types.ts'
import { defineMessages, type Language, type Message } from './messages.ts'

/** In the order of the automation constraints of the v3 API. */
export const automationItems = [
  'ping',
  'gather_facts',
  'gather_accounts',
  'verify_account',
  'change_secret',
  'push_account',
] as const
export type AutomationItem = (typeof automationItems)[number]

export const automationItemLabels = defineMessages({
  ping: { en: 'Test connectivity', zh: '测试可连接性', ja: '接続性テスト' },
  gather_facts: { en: 'Collect facts', zh: '收集资产信息', ja: '資産情報の収集' },
  gather_accounts: { en: 'Collect accounts', zh: '收集账号', ja: 'アカウントの収集' },
  verify_account: { en: 'Verify account', zh: '验证账号', ja: 'アカウントの検証' },
  change_secret: { en: 'Change password', zh: '账号改密', ja: 'パスワード変更' },
  push_account: { en: 'Push account', zh: '推送账号', ja: 'アカウントのプッシュ' },
}) satisfies Record<AutomationItem, Message>

export interface MethodParam {
  readonly type: 'str' | 'list'
  readonly default: string | readonly string[]
  readonly label: Message
  readonly help: Message
}

const text = defineMessages({
  sudo: { en: 'Sudo', zh: 'Sudo', ja: 'Sudo' },
  sudoHelp: {
    en: 'Commands the account may run with sudo, separated by commas: /bin/whoami,/bin/ls',
    zh: '账号可以通过 sudo 执行的命令，使用逗号分隔，例如：/bin/whoami,/bin/ls',
    ja: 'アカウントが sudo で実行できるコマンド（コンマ区切り）。例：/bin/whoami,/bin/ls',
  },
  shell: { en: 'Shell', zh: 'Shell', ja: 'シェル' },
  shellHelp: {
    en: 'Login shell of a newly created account.',
    zh: '创建账号时使用的登录 Shell',
    ja: 'アカウントを作成するときのログインシェルです。',
  },
  home: { en: 'Home', zh: '家目录', ja: 'ホームフォルダー' },
  homeHelp: {
    en: 'Home folder of a newly created account; defaults to /home/<account name>.',
    zh: '创建账号时使用的家目录，留空则为 /home/<账号用户名>',
    ja: 'アカウントを作成するときのホームフォルダー。空の場合は /home/<アカウント名> です。',
  },
  groups: { en: 'Groups', zh: '用户组', ja: 'グループ' },
  groupsHelp: {
    en: 'Groups the account joins, separated by commas; they must exist on the asset.',
    zh: '账号加入的用户组，使用逗号分隔（用户组需已存在于资产上）',
    ja: 'アカウントを加えるグループ（コンマ区切り）。資産上に存在している必要があります。',
  },
  commands: { en: 'Commands', zh: '自定义命令', ja: 'コマンド' },
  commandsHelp: {
    en: 'Commands that change the password on the device, in order. {username}, {password} and {login_password} are replaced.',
    zh: '在设备上依次执行的改密命令，可使用 {username}、{password}、{login_password} 占位符',
    ja: '機器上で順に実行するパスワード変更コマンドです。{username}、{password}、{login_password} が置き換えられます。',
  },
})

const posixParams = {
  sudo: { type: 'str', default: '/bin/whoami', label: text.sudo, help: text.sudoHelp },
  shell: { type: 'str', default: '/bin/bash', label: text.shell, help: text.shellHelp },
  home: { type: 'str', default: '', label: text.home, help: text.homeHelp },
  groups: { type: 'str', default: '', label: text.groups, help: text.groupsHelp },
} as const satisfies Record<string, MethodParam>

const windowsParams = {
  groups: { type: 'str', default: 'Users,Remote Desktop Users', label: text.groups, help: text.groupsHelp },
} as const satisfies Record<string, MethodParam>

const sshParams = {
  commands: { type: 'list', default: [''], label: text.commands, help: text.commandsHelp },
} as const satisfies Record<string, MethodParam>

export interface AutomationMethod {
  readonly item: AutomationItem
  readonly categories: readonly AssetCategory[]
  /** `all` fits every type of the categories. `AIX` fits no type and is used only by a platform preset. */
  readonly types: readonly string[]
  /** The system or protocol the method works on, as shown in its name. */
  readonly target: string
  readonly params?: Readonly<Record<string, MethodParam>>
}

const host = ['host'] as const
const reachable = ['host', 'device'] as const
const database = ['database'] as const
const posix = ['linux', 'unix'] as const
const mysql = ['mysql', 'mariadb'] as const
const posixName = 'Linux / Unix'
const mysqlName = 'MySQL / MariaDB'

/** Within an item, native methods of a type precede those that use another protocol. */
const catalogue = {
  posix_ping: { item: 'ping', categories: host, types: posix, target: posixName },
  win_ping: { item: 'ping', categories: host, types: ['windows'], target: 'Windows' },
  ping_by_rdp: { item: 'ping', categories: reachable, types: ['windows'], target: 'RDP' },
  ping_by_ssh: { item: 'ping', categories: reachable, types: ['all'], target: 'SSH' },
  mysql_ping: { item: 'ping', categories: database, types: mysql, target: mysqlName },
  ping_postgresql: { item: 'ping', categories: database, types: ['postgresql'], target: 'PostgreSQL' },
  oracle_ping: { item: 'ping', categories: database, types: ['oracle'], target: 'Oracle' },
  sqlserver_ping: { item: 'ping', categories: database, types: ['sqlserver'], target: 'SQLServer' },
  mongodb_ping: { item: 'ping', categories: database, types: ['mongodb'], target: 'MongoDB' },
  redis_ping: { item: 'ping', categories: database, types: ['redis'], target: 'Redis' },

  gather_facts_posix: { item: 'gather_facts', categories: host, types: posix, target: posixName },
  gather_facts_windows: { item: 'gather_facts', categories: host, types: ['windows'], target: 'Windows' },
  gather_facts_mysql: { item: 'gather_facts', categories: database, types: mysql, target: mysqlName },
  gather_facts_postgresql: { item: 'gather_facts', categories: database, types: ['postgresql'], target: 'PostgreSQL' },
  gather_facts_oracle: { item: 'gather_facts', categories: database, types: ['oracle'], target: 'Oracle' },
  gather_facts_mongodb: { item: 'gather_facts', categories: database, types: ['mongodb'], target: 'MongoDB' },

  gather_accounts_posix: { item: 'gather_accounts', categories: host, types: posix, target: posixName },
  gather_accounts_windows: { item: 'gather_accounts', categories: host, types: ['windows'], target: 'Windows' },
  gather_accounts_mysql: { item: 'gather_accounts', categories: database, types: mysql, target: mysqlName },
  gather_accounts_postgresql: {
    item: 'gather_accounts',
    categories: database,
    types: ['postgresql'],
    target: 'PostgreSQL',
  },
  gather_accounts_oracle: { item: 'gather_accounts', categories: database, types: ['oracle'], target: 'Oracle' },
  gather_accounts_mongodb: { item: 'gather_accounts', categories: database, types: ['mongodb'], target: 'MongoDB' },
  gather_accounts_redis: { item: 'gather_accounts', categories: database, types: ['redis'], target: 'Redis' },

  verify_account_posix: { item: 'verify_account', categories: host, types: posix, target: posixName },
  verify_account_windows: { item: 'verify_account', categories: host, types: ['windows'], target: 'Windows' },
  verify_account_by_rdp: { item: 'verify_account', categories: host, types: ['windows'], target: 'RDP' },
  verify_account_by_ssh: { item: 'verify_account', categories: reachable, types: ['all'], target: 'SSH' },
  verify_account_mysql: { item: 'verify_account', categories: database, types: mysql, target: mysqlName },
  verify_account_postgresql: {
    item: 'verify_account',
    categories: database,
    types: ['postgresql'],
    target: 'PostgreSQL',
  },
  verify_account_oracle: { item: 'verify_account', categories: database, types: ['oracle'], target: 'Oracle' },
  verify_account_sqlserver: { item: 'verify_account', categories: database, types: ['sqlserver'], target: 'SQLServer' },
  verify_account_mongodb: { item: 'verify_account', categories: database, types: ['mongodb'], target: 'MongoDB' },
  verify_account_redis: { item: 'verify_account', categories: database, types: ['redis'], target: 'Redis' },

  change_secret_posix: {
    item: 'change_secret',
    categories: host,
    types: posix,
    target: posixName,
    params: posixParams,
  },
  change_secret_aix: { item: 'change_secret', categories: host, types: ['AIX'], target: 'AIX', params: posixParams },
  change_secret_local_windows: {
    item: 'change_secret',
    categories: host,
    types: ['windows'],
    target: 'Windows',
    params: windowsParams,
  },
  change_secret_windows_rdp_verify: {
    item: 'change_secret',
    categories: host,
    types: ['windows'],
    target: 'Windows + RDP',
    params: windowsParams,
  },
  change_secret_by_ssh: {
    item: 'change_secret',
    categories: reachable,
    types: ['all'],
    target: 'SSH',
    params: sshParams,
  },
  change_secret_mysql: { item: 'change_secret', categories: database, types: mysql, target: mysqlName },
  change_secret_postgresql: {
    item: 'change_secret',
    categories: database,
    types: ['postgresql'],
    target: 'PostgreSQL',
  },
  change_secret_oracle: { item: 'change_secret', categories: database, types: ['oracle'], target: 'Oracle' },
  change_secret_sqlserver: { item: 'change_secret', categories: database, types: ['sqlserver'], target: 'SQLServer' },
  change_secret_mongodb: { item: 'change_secret', categories: database, types: ['mongodb'], target: 'MongoDB' },
  change_secret_redis: { item: 'change_secret', categories: database, types: ['redis'], target: 'Redis' },

  push_account_posix: {
    item: 'push_account',
    categories: host,
    types: posix,
    target: posixName,
    params: posixParams,
  },
  push_account_aix: { item: 'push_account', categories: host, types: ['AIX'], target: 'AIX', params: posixParams },
  push_account_local_windows: {
    item: 'push_account',
    categories: host,
    types: ['windows'],
    target: 'Windows',
    params: windowsParams,
  },
  push_account_windows_rdp_verify: {
    item: 'push_account',
    categories: host,
    types: ['windows'],
    target: 'Windows + RDP',
    params: windowsParams,
  },
  push_account_mysql: { item: 'push_account', categories: database, types: mysql, target: mysqlName },
  push_account_postgresql: { item: 'push_account', categories: database, types: ['postgresql'], target: 'PostgreSQL' },
  push_account_oracle: { item: 'push_account', categories: database, types: ['oracle'], target: 'Oracle' },
  push_account_sqlserver: { item: 'push_account', categories: database, types: ['sqlserver'], target: 'SQLServer' },
  push_account_mongodb: { item: 'push_account', categories: database, types: ['mongodb'], target: 'MongoDB' },
  push_account_redis: { item: 'push_account', categories: database, types: ['redis'], target: 'Redis' },
} as const satisfies Record<string, AutomationMethod>

export type AutomationMethodId = keyof typeof catalogue
export const automationMethods: Readonly<Record<AutomationMethodId, AutomationMethod>> = catalogue
export const automationMethodIds = Object.keys(catalogue) as AutomationMethodId[]

/** The label of a method: item and target system. */
export function automationMethodName(id: AutomationMethodId, language: Language): string {
  const { item, target } = automationMethods[id]
  return `${automationItemLabels[item][language]} (${target})`
}

/** The methods an asset type offers for an item, the native method first. */
export function automationMethodsFor(
  category: AssetCategory,
  type: string,
  item: AutomationItem,
): AutomationMethodId[] {
  return automationMethodIds.filter((id) => {
    const method = automationMethods[id]
    return (
      method.item === item &&
      method.categories.includes(category) &&
      (method.types.includes('all') || method.types.includes(type))
    )
  })
}

/** The parameters of a method with their defaults; undefined without parameters. */
export function automationParamDefaults(id: AutomationMethodId): Record<string, string | string[]> | undefined {
  const { params } = automationMethods[id]
  if (!params) return undefined
  return Object.fromEntries(
    Object.entries(params).map(([key, { default: value }]) => [key, typeof value === 'string' ? value : [...value]]),
  )
}

/** The response of `GET /assets/platform-automation-methods/`: only methods with parameters. */
export function automationMethodsAnswer(): Record<string, Record<string, string | string[]>> {
  return Object.fromEntries(
    automationMethodIds.flatMap((id) => {
      const params = automationParamDefaults(id)
      return params ? [[id, params]] : []
    }),
  )
}
