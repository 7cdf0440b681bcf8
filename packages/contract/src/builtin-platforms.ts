/**
 * Built-in platforms. Ids equal those of a default v3 database. Settings that differ from the catalog's defaults there
 * (legacy keys of SSH, the submit selector of websites) are included.
 */
import type { AssetCategory, AssetType } from './asset-types.ts'
import { type AutomationItem, type AutomationMethodId, automationParamDefaults } from './automation-methods.ts'
import type { AnsibleConfig, SuMethod } from './platforms.ts'
import type { ProtocolName, ProtocolSettingValue } from './protocols.ts'

export interface PlatformProtocol {
  readonly name: ProtocolName
  readonly port: number
  readonly primary: boolean
  readonly default: boolean
  readonly required: boolean
  readonly public: boolean
  readonly setting: Readonly<Record<string, ProtocolSettingValue>>
}

/** A missing item is disabled. `method` null: enabled, but without a method. */
export interface PlatformAutomation {
  readonly ansibleEnabled: boolean
  readonly ansibleConfig: AnsibleConfig
  readonly items: Readonly<
    Partial<
      Record<
        AutomationItem,
        { readonly method: AutomationMethodId | null; readonly params?: Readonly<Record<string, string | string[]>> }
      >
    >
  >
}

export interface BuiltinPlatform {
  readonly id: number
  readonly name: string
  readonly internal: boolean
  readonly category: AssetCategory
  readonly type: AssetType
  readonly charset: 'utf-8'
  readonly domainEnabled: boolean
  readonly suEnabled: boolean
  readonly suMethod: SuMethod | null
  readonly protocols: readonly PlatformProtocol[]
  readonly automation: PlatformAutomation
}

type ProtocolFlags = Partial<Pick<PlatformProtocol, 'primary' | 'default' | 'public'>>

const protocol = (
  name: ProtocolName,
  port: number,
  flags: ProtocolFlags = {},
  setting: PlatformProtocol['setting'] = {},
): PlatformProtocol => ({
  name,
  port,
  primary: false,
  default: false,
  required: false,
  public: true,
  ...flags,
  setting,
})

const first = { primary: true }
const preselected = { default: true }
const firstPreselected = { primary: true, default: true }

const sshSetting = { sftp_enabled: true, sftp_home: '/tmp' }
const rdpSetting = (security: 'any' | 'tls' | 'rdp') => ({ console: false, security })
const rdpFull = { console: false, security: 'any', ad_domain: '' }
const telnetFull = {
  username_prompt: 'username:|login:',
  password_prompt: 'password:',
  success_prompt: 'success|成功|#|>|\\$',
}
const sftp = (flags: ProtocolFlags) => protocol('sftp', 22, flags, { sftp_home: '/tmp' })
const ssh = (flags: ProtocolFlags = {}) => protocol('ssh', 22, flags, sshSetting)
const rdp = (flags: ProtocolFlags = {}, security: 'any' | 'tls' | 'rdp' = 'any') =>
  protocol('rdp', 3389, flags, rdpSetting(security))

const unixProtocols = [ssh(first), protocol('telnet', 23), protocol('vnc', 5900), rdp()]
const linuxProtocols = [...unixProtocols, sftp(preselected)]
const windowsProtocols = (security: 'any' | 'tls' | 'rdp') => [
  rdp(first, security),
  ssh(),
  protocol('vnc', 5900),
  protocol('winrm', 5985, { public: false }, { use_ssl: false }),
]
const deviceProtocols = [ssh(first), protocol('telnet', 23)]
const websiteProtocols = [
  protocol('http', 80, first, {
    username_selector: 'name=username',
    password_selector: 'name=password',
    submit_selector: 'id=login_button',
    safe_mode: false,
  }),
]

const withParams = (method: AutomationMethodId) => {
  const params = automationParamDefaults(method)
  return params ? { method, params } : { method }
}

const posixAutomation = (flavour: 'posix' | 'aix'): PlatformAutomation => ({
  ansibleEnabled: true,
  ansibleConfig: { ansible_connection: 'smart' },
  items: {
    ping: { method: 'posix_ping' },
    gather_facts: { method: 'gather_facts_posix' },
    gather_accounts: { method: 'gather_accounts_posix' },
    verify_account: { method: 'verify_account_posix' },
    change_secret: { method: `change_secret_${flavour}` },
    push_account: withParams(`push_account_${flavour}`),
  },
})

const windowsAutomation = (
  ping: AutomationMethodId = 'win_ping',
  verify: AutomationMethodId = 'verify_account_windows',
): PlatformAutomation => ({
  ansibleEnabled: true,
  ansibleConfig: { ansible_shell_type: 'cmd', ansible_connection: 'ssh' },
  items: {
    ping: { method: ping },
    gather_facts: { method: 'gather_facts_windows' },
    gather_accounts: { method: 'gather_accounts_windows' },
    verify_account: { method: verify },
    change_secret: { method: 'change_secret_local_windows' },
    push_account: withParams('push_account_local_windows'),
  },
})

/** Values a v3 upgrade stores: connection and methods differ from the other Windows platforms. */
const windows2016Automation: PlatformAutomation = {
  ansibleEnabled: true,
  ansibleConfig: { ansible_shell_type: 'cmd', ansible_connection: 'smart' },
  items: {
    ping: { method: 'ping_by_rdp' },
    gather_facts: { method: 'gather_facts_windows' },
    gather_accounts: { method: 'gather_accounts_windows' },
    verify_account: { method: 'verify_account_by_rdp' },
    change_secret: { method: 'change_secret_by_ssh' },
    push_account: { method: 'push_account_windows_rdp_verify' },
  },
}

const deviceAutomation: PlatformAutomation = {
  ansibleEnabled: true,
  ansibleConfig: { ansible_connection: 'local', first_connect_delay: 0.5 },
  items: {
    ping: { method: 'ping_by_ssh' },
    verify_account: { method: 'verify_account_by_ssh' },
    change_secret: { method: 'change_secret_by_ssh' },
  },
}

const databaseConfig = { ansible_connection: 'local' }
const databaseAutomation = (
  kind: 'mysql' | 'postgresql' | 'oracle' | 'mongodb' | 'redis',
  ping: AutomationMethodId,
): PlatformAutomation => ({
  ansibleEnabled: true,
  ansibleConfig: databaseConfig,
  items: {
    ping: { method: ping },
    gather_accounts: { method: `gather_accounts_${kind}` },
    verify_account: { method: `verify_account_${kind}` },
    change_secret: { method: `change_secret_${kind}` },
    push_account: { method: `push_account_${kind}` },
  },
})
const sqlserverAutomation: PlatformAutomation = {
  ansibleEnabled: true,
  ansibleConfig: databaseConfig,
  items: {
    ping: { method: 'sqlserver_ping' },
    gather_accounts: { method: null },
    verify_account: { method: 'verify_account_sqlserver' },
    change_secret: { method: 'change_secret_sqlserver' },
    push_account: { method: 'push_account_sqlserver' },
  },
}
const nothing = (ansibleConfig: AnsibleConfig = {}): PlatformAutomation => ({
  ansibleEnabled: false,
  ansibleConfig,
  items: {},
})

type Shape = Omit<BuiltinPlatform, 'id' | 'name' | 'internal' | 'charset'> & { internal?: boolean }
const platform = (id: number, name: string, { internal = true, ...shape }: Shape): BuiltinPlatform => ({
  id,
  name,
  internal,
  charset: 'utf-8',
  ...shape,
})

const posix = { category: 'host', domainEnabled: true, suEnabled: true, suMethod: null } as const
const windows = { category: 'host', type: 'windows', domainEnabled: true, suEnabled: false, suMethod: null } as const
const device = { category: 'device', type: 'general', domainEnabled: true } as const
const database = { category: 'database', domainEnabled: true, suEnabled: false, suMethod: null } as const
const remote = { domainEnabled: false, suEnabled: false, suMethod: null } as const

const unixShape = { ...posix, type: 'unix', protocols: unixProtocols, automation: posixAutomation('posix') } as const
const linuxShape = { ...posix, type: 'linux', protocols: linuxProtocols, automation: posixAutomation('posix') } as const
const deviceShape = (suMethod: SuMethod | null) => ({
  ...device,
  suEnabled: suMethod !== null,
  suMethod,
  protocols: deviceProtocols,
  automation: deviceAutomation,
})
const databaseShape = (
  type: Extract<ProtocolName, AssetType>,
  port: number,
  automation: PlatformAutomation,
  setting: PlatformProtocol['setting'] = {},
) => ({ ...database, type, protocols: [protocol(type, port, first, setting)], automation })

export const builtinPlatforms: readonly BuiltinPlatform[] = [
  platform(1, 'Linux', linuxShape),
  platform(2, 'Unix', unixShape),
  platform(3, 'macOS', unixShape),
  platform(4, 'BSD', unixShape),
  platform(5, 'Windows', {
    ...windows,
    protocols: windowsProtocols('any'),
    automation: windowsAutomation('ping_by_rdp', 'verify_account_by_rdp'),
  }),
  platform(6, 'Windows2016', {
    ...windows,
    internal: false,
    protocols: [
      protocol('rdp', 3389, firstPreselected, rdpFull),
      protocol('ssh', 22, preselected),
      sftp(preselected),
      protocol('vnc', 5900, preselected),
      protocol('winrm', 5985, preselected, { use_ssl: false }),
    ],
    automation: windows2016Automation,
  }),
  platform(7, 'Other', {
    category: 'host',
    type: 'other',
    domainEnabled: true,
    suEnabled: false,
    suMethod: null,
    internal: false,
    protocols: [
      protocol('ssh', 22, firstPreselected),
      sftp(preselected),
      protocol('telnet', 23, preselected, telnetFull),
      protocol('vnc', 5900, preselected),
      protocol('rdp', 3389, preselected, rdpFull),
    ],
    automation: nothing({ ansible_connection: 'smart' }),
  }),
  platform(8, 'AIX', { ...unixShape, automation: posixAutomation('aix') }),
  platform(9, 'Gateway', linuxShape),
  platform(10, 'Windows-TLS', { ...windows, protocols: windowsProtocols('tls'), automation: windowsAutomation() }),
  platform(11, 'Windows-RDP', { ...windows, protocols: windowsProtocols('rdp'), automation: windowsAutomation() }),
  platform(12, 'RemoteAppHost', {
    ...windows,
    protocols: [rdp(first), ssh(preselected), protocol('winrm', 5985, { public: false })],
    automation: windowsAutomation(),
  }),
  platform(13, 'General', deviceShape(null)),
  platform(14, 'Cisco', deviceShape('enable')),
  platform(15, 'Huawei', deviceShape('super')),
  platform(16, 'H3C', deviceShape('super_level')),
  platform(17, 'MySQL', databaseShape('mysql', 3306, databaseAutomation('mysql', 'mysql_ping'))),
  platform(18, 'MariaDB', databaseShape('mariadb', 3306, databaseAutomation('mysql', 'mysql_ping'))),
  platform(19, 'PostgreSQL', databaseShape('postgresql', 5432, databaseAutomation('postgresql', 'ping_postgresql'))),
  platform(20, 'Oracle', databaseShape('oracle', 1521, databaseAutomation('oracle', 'oracle_ping'))),
  platform(21, 'SQLServer', databaseShape('sqlserver', 1433, sqlserverAutomation)),
  platform(22, 'ClickHouse', databaseShape('clickhouse', 9000, nothing(databaseConfig))),
  platform(23, 'MongoDB', databaseShape('mongodb', 27017, databaseAutomation('mongodb', 'mongodb_ping'))),
  platform(
    24,
    'Redis',
    databaseShape('redis', 6379, databaseAutomation('redis', 'redis_ping'), { auth_username: false }),
  ),
  platform(
    25,
    'Redis6+',
    databaseShape('redis', 6379, databaseAutomation('redis', 'redis_ping'), { auth_username: true }),
  ),
  platform(26, 'Website', {
    ...remote,
    category: 'web',
    type: 'website',
    protocols: websiteProtocols,
    automation: nothing(),
  }),
  platform(27, 'Vmware-vSphere', {
    ...remote,
    category: 'cloud',
    type: 'private',
    protocols: websiteProtocols,
    automation: nothing(),
  }),
  platform(28, 'Kubernetes', {
    ...remote,
    category: 'cloud',
    type: 'k8s',
    protocols: [protocol('k8s', 443, first)],
    automation: nothing(),
  }),
  platform(29, 'ChatGPT', {
    ...remote,
    category: 'gpt',
    type: 'chatgpt',
    protocols: [protocol('chatgpt', 443, first, { api_mode: 'gpt-3.5-turbo' })],
    automation: nothing(),
  }),
  platform(30, 'DB2', databaseShape('db2', 50000, nothing(databaseConfig))),
]
