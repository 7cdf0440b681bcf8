/** Protocols of assets and their settings. */
import { defineMessages, type Message } from './messages.ts'

export type SecretType = 'password' | 'ssh_key' | 'access_key' | 'token' | 'api_key'
export type ProtocolSettingType = 'str' | 'bool' | 'choice' | 'text'

export type ProtocolSettingValue = string | boolean | readonly string[]

export interface ProtocolSetting {
  readonly type: ProtocolSettingType
  /** An empty list where the v3 API has one (`script`). */
  readonly default: ProtocolSettingValue
  readonly label: Message
  readonly help?: Message
  /** Values with labels. A value without a label is shown as is. */
  readonly choices?: readonly string[]
  /** Choices that require a valid license. */
  readonly licensedChoices?: readonly string[]
}

export interface Protocol {
  readonly label: string
  readonly port: number
  readonly secretTypes: readonly SecretType[]
  /** Always present on an asset of the type. */
  readonly required?: true
  /** The port is part of the entered address (`https://…:8443`). */
  readonly portFromAddr?: true
  /** Marked `xpack` on the wire: in v3 a protocol of the paid edition. */
  readonly extended?: true
  readonly setting: Readonly<Record<string, ProtocolSetting>>
}

const text = defineMessages({
  sftpHome: { en: 'SFTP home', zh: 'SFTP 根路径', ja: 'SFTP ルートパス' },
  sftpHomeHelp: {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: users enter these characters literally
    en: 'Folder opened first. ${ACCOUNT} is replaced by the account name, ${HOME} by its home folder, ${USER} by the name of the signed-in user.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: users enter these characters literally
    zh: '打开文件管理时的根目录。变量：${ACCOUNT} 账号用户名，${HOME} 账号家目录，${USER} 登录用户的用户名',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: users enter these characters literally
    ja: '最初に開くフォルダーです。変数：${ACCOUNT} はアカウント名、${HOME} はそのホームフォルダー、${USER} はログイン中のユーザー名です。',
  },
  console: { en: 'Console', zh: '控制台会话', ja: 'コンソールセッション' },
  consoleHelp: {
    en: 'Connect to the console session of the host.',
    zh: '连接到主机的控制台会话',
    ja: 'ホストのコンソールセッションに接続します。',
  },
  security: { en: 'Security', zh: '安全模式', ja: 'セキュリティ' },
  securityHelp: {
    en: 'Security layer of the connection; “any” lets client and host negotiate.',
    zh: '连接使用的安全层协议，any 表示由双方协商',
    ja: '接続のセキュリティ層です。any は双方で取り決めます。',
  },
  adDomain: { en: 'AD domain', zh: 'AD 域', ja: 'AD ドメイン' },
  usernamePrompt: { en: 'Username prompt', zh: '用户名提示', ja: 'ユーザー名プロンプト' },
  usernamePromptHelp: {
    en: 'Regular expression that matches the username prompt of the host.',
    zh: '匹配登录时用户名提示的正则表达式',
    ja: 'ユーザー名の入力を求める表示を見分ける正規表現です。',
  },
  passwordPrompt: { en: 'Password prompt', zh: '密码提示', ja: 'パスワードプロンプト' },
  passwordPromptHelp: {
    en: 'Regular expression that matches the password prompt of the host.',
    zh: '匹配登录时密码提示的正则表达式',
    ja: 'パスワードの入力を求める表示を見分ける正規表現です。',
  },
  successPrompt: { en: 'Success prompt', zh: '成功提示', ja: '成功プロンプト' },
  successPromptHelp: {
    en: 'Regular expression that matches a successful sign-in.',
    zh: '匹配登录成功提示的正则表达式',
    ja: 'ログイン成功を見分ける正規表現です。',
  },
  useSsl: { en: 'Use SSL', zh: '使用 SSL', ja: 'SSL を使用' },
  useSslHelp: {
    en: 'WinRM over HTTPS; its usual port is 5986 instead of 5985.',
    zh: '通过 HTTPS 使用 WinRM，默认端口由 5985 变为 5986',
    ja: 'HTTPS 上の WinRM です。通常のポートは 5985 ではなく 5986 です。',
  },
  sysdba: { en: 'SYSDBA', zh: 'SYSDBA', ja: 'SYSDBA' },
  sysdbaHelp: { en: 'Connect as SYSDBA.', zh: '以 SYSDBA 身份连接', ja: 'SYSDBA として接続します。' },
  version: { en: 'Version', zh: '版本', ja: 'バージョン' },
  versionHelp: {
    en: 'Server release: 2014 and later, or an older one with other encryption.',
    zh: 'SQL Server 版本：2014 及以上，或使用旧加密方式的更早版本',
    ja: 'サーバーの版です。2014 以降、または暗号方式の古いそれ以前のものです。',
  },
  authUsername: { en: 'Authenticate with username', zh: '使用用户名认证', ja: 'ユーザー名で認証' },
  authUsernameHelp: {
    en: 'Send the username with AUTH (Redis 6 and later).',
    zh: 'AUTH 时发送用户名（Redis 6 及以上）',
    ja: 'AUTH でユーザー名も送信します（Redis 6 以降）。',
  },
  safeMode: { en: 'Safe mode', zh: '安全模式', ja: 'セーフモード' },
  safeModeHelp: {
    en: 'Removes new tabs, developer tools and the address bar from the browser.',
    zh: '启用后浏览器中的新建标签、开发者工具和地址栏等操作将被禁用',
    ja: '新しいタブ、開発者ツール、アドレスバーなどのブラウザー操作を禁止します。',
  },
  autofill: { en: 'Autofill', zh: '自动填充', ja: '自動入力' },
  usernameSelector: { en: 'Username selector', zh: '用户名选择器', ja: 'ユーザー名セレクター' },
  passwordSelector: { en: 'Password selector', zh: '密码选择器', ja: 'パスワードセレクター' },
  submitSelector: { en: 'Submit selector', zh: '提交按钮选择器', ja: '送信ボタンセレクター' },
  selectorHelp: {
    en: 'Locates the element: name=…, id=…, type=…, css=… or xpath=…',
    zh: '定位元素的方式：name=…、id=…、type=…、css=… 或 xpath=…',
    ja: '要素の探し方です：name=…、id=…、type=…、css=… または xpath=…',
  },
  script: { en: 'Script', zh: '脚本', ja: 'スクリプト' },
  scriptHelp: {
    en: 'Steps that fill the sign-in page, one object per step.',
    zh: '填充登录页面的步骤列表，每个步骤为一个对象',
    ja: 'ログインページに入力する手順の一覧です。1 手順が 1 オブジェクトです。',
  },
  apiMode: { en: 'API mode', zh: 'API 模式', ja: 'API モード' },
})

const catalogue = {
  ssh: { label: 'SSH', port: 22, secretTypes: ['password', 'ssh_key'], setting: {} },
  sftp: {
    label: 'SFTP',
    port: 22,
    secretTypes: ['password', 'ssh_key'],
    setting: { sftp_home: { type: 'str', default: '/tmp', label: text.sftpHome, help: text.sftpHomeHelp } },
  },
  rdp: {
    label: 'RDP',
    port: 3389,
    secretTypes: ['password'],
    setting: {
      console: { type: 'bool', default: false, label: text.console, help: text.consoleHelp },
      security: {
        type: 'choice',
        default: 'any',
        label: text.security,
        help: text.securityHelp,
        choices: ['any', 'rdp', 'tls', 'nla'],
      },
      ad_domain: { type: 'str', default: '', label: text.adDomain },
    },
  },
  vnc: { label: 'VNC', port: 5900, secretTypes: ['password'], setting: {} },
  telnet: {
    label: 'Telnet',
    port: 23,
    secretTypes: ['password'],
    setting: {
      username_prompt: {
        type: 'str',
        default: 'username:|login:',
        label: text.usernamePrompt,
        help: text.usernamePromptHelp,
      },
      password_prompt: {
        type: 'str',
        default: 'password:',
        label: text.passwordPrompt,
        help: text.passwordPromptHelp,
      },
      success_prompt: {
        type: 'str',
        default: 'success|成功|#|>|\\$',
        label: text.successPrompt,
        help: text.successPromptHelp,
      },
    },
  },
  winrm: {
    label: 'WinRM',
    port: 5985,
    secretTypes: ['password'],
    setting: { use_ssl: { type: 'bool', default: false, label: text.useSsl, help: text.useSslHelp } },
  },
  mysql: { label: 'MySQL', port: 3306, secretTypes: ['password'], required: true, setting: {} },
  mariadb: { label: 'MariaDB', port: 3306, secretTypes: ['password'], required: true, setting: {} },
  postgresql: {
    label: 'PostgreSQL',
    port: 5432,
    secretTypes: ['password'],
    required: true,
    extended: true,
    setting: {},
  },
  oracle: {
    label: 'Oracle',
    port: 1521,
    secretTypes: ['password'],
    required: true,
    extended: true,
    setting: { sysdba: { type: 'bool', default: false, label: text.sysdba, help: text.sysdbaHelp } },
  },
  sqlserver: {
    label: 'SQLServer',
    port: 1433,
    secretTypes: ['password'],
    required: true,
    extended: true,
    setting: {
      version: {
        type: 'choice',
        default: '>=2014',
        label: text.version,
        help: text.versionHelp,
        choices: ['>=2014', '<2014'],
      },
    },
  },
  db2: { label: 'DB2', port: 5000, secretTypes: ['password'], required: true, extended: true, setting: {} },
  clickhouse: {
    label: 'ClickHouse',
    port: 9000,
    secretTypes: ['password'],
    required: true,
    extended: true,
    setting: {},
  },
  mongodb: { label: 'MongoDB', port: 27017, secretTypes: ['password'], required: true, setting: {} },
  redis: {
    label: 'Redis',
    port: 6379,
    secretTypes: ['password'],
    required: true,
    setting: {
      auth_username: { type: 'bool', default: false, label: text.authUsername, help: text.authUsernameHelp },
    },
  },
  k8s: { label: 'K8s', port: 443, secretTypes: ['token'], required: true, portFromAddr: true, setting: {} },
  http: {
    label: 'HTTP(s)',
    port: 80,
    secretTypes: ['password'],
    portFromAddr: true,
    setting: {
      safe_mode: { type: 'bool', default: false, label: text.safeMode, help: text.safeModeHelp },
      autofill: {
        type: 'choice',
        default: 'basic',
        label: text.autofill,
        choices: ['no', 'basic', 'script'],
      },
      username_selector: {
        type: 'str',
        default: 'name=username',
        label: text.usernameSelector,
        help: text.selectorHelp,
      },
      password_selector: {
        type: 'str',
        default: 'name=password',
        label: text.passwordSelector,
        help: text.selectorHelp,
      },
      submit_selector: {
        type: 'str',
        default: 'type=submit',
        label: text.submitSelector,
        help: text.selectorHelp,
      },
      script: { type: 'text', default: [], label: text.script, help: text.scriptHelp },
    },
  },
  chatgpt: {
    label: 'ChatGPT',
    port: 443,
    secretTypes: ['api_key'],
    required: true,
    portFromAddr: true,
    setting: {
      api_mode: {
        type: 'choice',
        default: 'gpt-3.5-turbo',
        label: text.apiMode,
        choices: ['gpt-3.5-turbo', 'gpt-3.5-turbo-16k'],
        licensedChoices: ['gpt-4', 'gpt-4-32k'],
      },
    },
  },
} as const satisfies Record<string, Protocol>

export type ProtocolName = keyof typeof catalogue
/** All protocols in the order of `/assets/protocols/`. */
export const protocols: Readonly<Record<ProtocolName, Protocol>> = catalogue
export const protocolNames = Object.keys(catalogue) as ProtocolName[]

/** A built-in protocol; undefined for names that exist only on custom platforms. */
export const protocolOf = (name: string): Protocol | undefined =>
  Object.hasOwn(protocols, name) ? protocols[name as ProtocolName] : undefined

/** The settings of a protocol with their defaults; empty for an unknown protocol. */
export function protocolSettingDefaults(name: string): Record<string, ProtocolSettingValue> {
  return Object.fromEntries(Object.entries(protocolOf(name)?.setting ?? {}).map(([key, one]) => [key, one.default]))
}

/** The response of `GET /assets/protocols/`. */
export function protocolsAnswer(): { label: string; value: ProtocolName }[] {
  return protocolNames.map((value) => ({ label: protocols[value].label, value }))
}
