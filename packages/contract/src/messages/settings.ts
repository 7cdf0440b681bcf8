/** Labels and help texts of settings, by name, and texts of app `settings`. */
import { defineMessages } from '../messages.ts'
import { messagingSettingMessages } from './settings-messaging.ts'
import { signInSettingMessages } from './settings-sign-in.ts'

const ownMessages = defineMessages({
  setting: { en: 'System setting', zh: '系统设置', ja: 'システム設定' },

  // Basic.
  SITE_URL: { en: 'Site URL', zh: '当前站点 URL', ja: 'サイト URL' },
  'SITE_URL.help': {
    en: 'Address of this site; links in messages begin with it.',
    zh: '用户访问本站点的地址，消息中的链接以此开头。',
    ja: 'ユーザーがこのサイトを開くアドレスです。メッセージ内のリンクの先頭になります。',
  },
  USER_GUIDE_URL: { en: 'User guide URL', zh: '用户向导 URL', ja: 'ユーザーガイド URL' },
  'USER_GUIDE_URL.help': {
    en: 'New users are redirected here after their first sign-in.',
    zh: '用户首次登录后可跳转到该向导。',
    ja: '初回ログイン後に案内されます。',
  },
  GLOBAL_ORG_DISPLAY_NAME: { en: 'Global organization name', zh: '全局组织名', ja: 'グローバル組織の表示名' },
  'GLOBAL_ORG_DISPLAY_NAME.help': {
    en: 'Shown instead of GLOBAL.',
    zh: '用于替代默认的全局组织名称。',
    ja: '既定の名称の代わりに表示します。',
  },
  HELP_DOCUMENT_URL: { en: 'Documentation URL', zh: '文档链接', ja: 'ドキュメント URL' },
  'HELP_DOCUMENT_URL.help': {
    en: 'Target of “Documentation” in the help menu.',
    zh: '帮助菜单中“文档”的链接。',
    ja: 'ヘルプメニューの「ドキュメント」のリンク先です。',
  },
  HELP_SUPPORT_URL: { en: 'Support URL', zh: '支持链接', ja: 'サポート URL' },
  'HELP_SUPPORT_URL.help': {
    en: 'Target of “Support” in the help menu.',
    zh: '帮助菜单中“支持”的链接。',
    ja: 'ヘルプメニューの「サポート」のリンク先です。',
  },

  // Terminal.
  SECURITY_SERVICE_ACCOUNT_REGISTRATION: { en: 'Component registration', zh: '组件注册', ja: 'コンポーネントの登録' },
  'SECURITY_SERVICE_ACCOUNT_REGISTRATION.help': {
    en: 'Disable it once all components are registered.',
    zh: '所有组件注册完成后建议关闭。',
    ja: 'すべてのコンポーネントを登録した後は無効にすることをお勧めします。',
  },
  TERMINAL_PASSWORD_AUTH: { en: 'Password authentication', zh: '密码认证', ja: 'パスワード認証' },
  'TERMINAL_PASSWORD_AUTH.help': {
    en: 'Users may sign in to the SSH terminal with their password.',
    zh: '允许用户使用密码登录 SSH 终端。',
    ja: 'SSH ターミナルにパスワードでログインできます。',
  },
  TERMINAL_PUBLIC_KEY_AUTH: { en: 'Public key authentication', zh: '密钥认证', ja: '公開鍵認証' },
  'TERMINAL_PUBLIC_KEY_AUTH.help': {
    en: 'Not for users of an external system unless the key is stored here.',
    zh: '如果用户来自外部认证系统，需在此保存公钥后才能使用。',
    ja: '外部の認証を使うユーザーは、ここに公開鍵を登録した場合のみ使えます。',
  },
  TERMINAL_ASSET_LIST_SORT_BY: { en: 'Asset list order', zh: '资产列表排序', ja: '資産一覧の並び順' },
  TERMINAL_ASSET_LIST_PAGE_SIZE: { en: 'Asset list page size', zh: '资产列表每页数量', ja: '資産一覧の表示件数' },
  TERMINAL_MAGNUS_ENABLED: { en: 'Database clients', zh: '启用数据库客户端', ja: 'データベースクライアント' },
  'TERMINAL_MAGNUS_ENABLED.help': {
    en: 'Users may connect to databases with their own client.',
    zh: '允许使用数据库客户端连接资产。',
    ja: '手元のクライアントでデータベースに接続できます。',
  },
  TERMINAL_RAZOR_ENABLED: { en: 'RDP clients', zh: '启用 RDP 客户端', ja: 'RDP クライアント' },
  'TERMINAL_RAZOR_ENABLED.help': {
    en: 'Users may connect to desktops with their own RDP client.',
    zh: '允许使用 RDP 客户端连接资产。',
    ja: '手元の RDP クライアントで接続できます。',
  },
  TERMINAL_KOKO_SSH_ENABLED: { en: 'SSH clients', zh: '启用 SSH 客户端', ja: 'SSH クライアント' },
  'TERMINAL_KOKO_SSH_ENABLED.help': {
    en: 'Users may connect to hosts with their own SSH client.',
    zh: '允许使用 SSH 客户端连接资产。',
    ja: '手元の SSH クライアントで接続できます。',
  },

  // Passwords.
  SECURITY_PASSWORD_EXPIRATION_TIME: {
    en: 'Password lifetime (days)',
    zh: '用户密码过期时间（天）',
    ja: 'パスワードの有効期間（日）',
  },
  'SECURITY_PASSWORD_EXPIRATION_TIME.help': {
    en: 'Users are reminded every day during the last five days.',
    zh: '密码到期前 5 天内每天发送提醒。',
    ja: '期限の 5 日前から毎日通知します。',
  },
  OLD_PASSWORD_HISTORY_LIMIT_COUNT: {
    en: 'Password history',
    zh: '不能设置近几次密码',
    ja: '再利用を禁止する過去のパスワード数',
  },
  SECURITY_PASSWORD_MIN_LENGTH: {
    en: 'Minimum length, users',
    zh: '普通用户密码最小长度',
    ja: 'ユーザーのパスワード最小長',
  },
  SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH: {
    en: 'Minimum length, administrators',
    zh: '管理员密码最小长度',
    ja: '管理者のパスワード最小長',
  },
  SECURITY_PASSWORD_UPPER_CASE: {
    en: 'Must contain uppercase letters',
    zh: '必须包含大写字母',
    ja: '英大文字を必須にする',
  },
  SECURITY_PASSWORD_LOWER_CASE: {
    en: 'Must contain lowercase letters',
    zh: '必须包含小写字母',
    ja: '英小文字を必須にする',
  },
  SECURITY_PASSWORD_NUMBER: { en: 'Must contain digits', zh: '必须包含数字', ja: '数字を必須にする' },
  SECURITY_PASSWORD_SPECIAL_CHAR: {
    en: 'Must contain special characters',
    zh: '必须包含特殊字符',
    ja: '記号を必須にする',
  },

  // Sign-in limits.
  SECURITY_LOGIN_LIMIT_COUNT: {
    en: 'Failed sign-ins per user',
    zh: '限制用户登录失败次数',
    ja: 'ユーザーごとのログイン失敗回数',
  },
  SECURITY_LOGIN_LIMIT_TIME: {
    en: 'Lock time per user (minutes)',
    zh: '禁止用户登录时间（分）',
    ja: 'ユーザーのロック時間（分）',
  },
  SECURITY_LOGIN_IP_LIMIT_COUNT: {
    en: 'Failed sign-ins per address',
    zh: '限制 IP 登录失败次数',
    ja: 'IP ごとのログイン失敗回数',
  },
  SECURITY_LOGIN_IP_LIMIT_TIME: {
    en: 'Lock time per address (minutes)',
    zh: '禁止 IP 登录时间（分）',
    ja: 'IP のロック時間（分）',
  },
  SECURITY_LOGIN_IP_WHITE_LIST: { en: 'Addresses never locked', zh: 'IP 登录白名单', ja: 'IP 許可リスト' },
  'SECURITY_LOGIN_IP_WHITE_LIST.help': {
    en: '*, an address, a network or a range: 192.168.10.1, 192.168.1.0/24, 10.1.1.1-10.1.1.20',
    zh: '* 表示所有，支持 IP、网段和范围：192.168.10.1, 192.168.1.0/24, 10.1.1.1-10.1.1.20',
    ja: '*、アドレス、ネットワーク、範囲：192.168.10.1, 192.168.1.0/24, 10.1.1.1-10.1.1.20',
  },
  SECURITY_LOGIN_IP_BLACK_LIST: { en: 'Addresses always refused', zh: 'IP 登录黑名单', ja: 'IP 拒否リスト' },
  'SECURITY_LOGIN_IP_BLACK_LIST.help': {
    en: '*, an address, a network or a range: 192.168.10.1, 192.168.1.0/24, 10.1.1.1-10.1.1.20',
    zh: '* 表示所有，支持 IP、网段和范围：192.168.10.1, 192.168.1.0/24, 10.1.1.1-10.1.1.20',
    ja: '*、アドレス、ネットワーク、範囲：192.168.10.1, 192.168.1.0/24, 10.1.1.1-10.1.1.20',
  },
  USER_LOGIN_SINGLE_MACHINE_ENABLED: {
    en: 'One device at a time',
    zh: '仅一台设备登录',
    ja: '同時ログインは 1 台のみ',
  },
  'USER_LOGIN_SINGLE_MACHINE_ENABLED.help': {
    en: 'A new sign-in ends the earlier one.',
    zh: '新的登录会使之前的登录下线。',
    ja: '新しいログインで以前のログインは終了します。',
  },
  ONLY_ALLOW_EXIST_USER_AUTH: { en: 'Existing users only', zh: '仅已存在用户登录', ja: '既存ユーザーのみログイン可' },
  'ONLY_ALLOW_EXIST_USER_AUTH.help': {
    en: 'External sign-ins do not create users.',
    zh: '外部认证登录时不自动创建用户。',
    ja: '外部認証でユーザーを自動作成しません。',
  },
  ONLY_ALLOW_AUTH_FROM_SOURCE: {
    en: "Only from the user's source",
    zh: '仅从用户来源登录',
    ja: '作成元の方法でのみログイン可',
  },
  'ONLY_ALLOW_AUTH_FROM_SOURCE.help': {
    en: 'Users sign in only through the source of their account.',
    zh: '用户只能通过其来源对应的认证方式登录。',
    ja: 'アカウントの作成元に対応する方法でのみログインできます。',
  },

  // Second factor.
  SECURITY_MFA_AUTH: { en: 'Global MFA', zh: '全局启用 MFA 认证', ja: '全体の MFA 認証' },
  SECURITY_MFA_AUTH_ENABLED_FOR_THIRD_PARTY: {
    en: 'MFA for external sign-ins',
    zh: '第三方登录需要 MFA',
    ja: '外部認証にも MFA を要求',
  },
  'SECURITY_MFA_AUTH_ENABLED_FOR_THIRD_PARTY.help': {
    en: 'Also after signing in by OIDC, CAS, SAML2, OAuth2 and the like.',
    zh: '通过 OIDC、CAS、SAML2、OAuth2 等方式登录后仍需 MFA',
    ja: 'OIDC、CAS、SAML2、OAuth2 などでログインした場合も要求します。',
  },
  OTP_ISSUER_NAME: { en: 'OTP issuer', zh: 'OTP 扫描后的名称', ja: 'OTP 発行者名' },
  'OTP_ISSUER_NAME.help': {
    en: 'Shown in the authenticator app.',
    zh: '显示在验证器应用中。',
    ja: '認証アプリに表示されます。',
  },
  OTP_VALID_WINDOW: { en: 'OTP valid window', zh: 'OTP 延迟有效次数', ja: 'OTP の許容範囲' },
  'OTP_VALID_WINDOW.help': {
    en: 'How many codes before and after the current one are accepted, 30 seconds each.',
    zh: '允许当前验证码前后若干个 30 秒周期内的验证码。',
    ja: '現在のコードの前後いくつまで許すかです（1 つ 30 秒）。',
  },
  SECURITY_MFA_VERIFY_TTL: {
    en: 'MFA confirmation lasts (seconds)',
    zh: 'MFA 校验有效期（秒）',
    ja: 'MFA 確認の有効時間（秒）',
  },
  'SECURITY_MFA_VERIFY_TTL.help': {
    en: 'How long secrets can be viewed after a confirmation.',
    zh: '确认后查看密文等操作无需再次确认的时间。',
    ja: '確認後、再確認なしでシークレットを閲覧できる時間です。',
  },
  SECURITY_MFA_IN_LOGIN_PAGE: {
    en: 'MFA on the sign-in page',
    zh: 'MFA 在登录页面输入',
    ja: 'ログイン画面で MFA を入力',
  },
  'SECURITY_MFA_IN_LOGIN_PAGE.help': {
    en: 'Needs MFA for all users.',
    zh: '需要对所有用户启用 MFA',
    ja: 'すべてのユーザーに MFA が必要です。',
  },
  VERIFY_CODE_TTL: { en: 'Code lifetime (seconds)', zh: '验证码有效时间（秒）', ja: '認証コードの有効時間（秒）' },
  SECURITY_LOGIN_CHALLENGE_ENABLED: { en: 'Sign-in challenge', zh: '登录挑战码', ja: 'ログイン追加コード' },
  'SECURITY_LOGIN_CHALLENGE_ENABLED.help': {
    en: 'Users enter a one-time code after the password on the sign-in page.',
    zh: '登录时在密码之后附加动态码。',
    ja: 'ログイン画面でパスワードに続けてコードを入力します。',
  },
  SECURITY_LOGIN_CAPTCHA_ENABLED: { en: 'Sign-in captcha', zh: '登录验证码', ja: 'ログイン画像認証' },
  'SECURITY_LOGIN_CAPTCHA_ENABLED.help': {
    en: 'Required after a failed sign-in.',
    zh: '登录失败后需要输入图形验证码。',
    ja: 'ログイン失敗後に入力を求めます。',
  },
  SECURITY_CHECK_DIFFERENT_CITY_LOGIN: {
    en: 'Notify about sign-ins from another city',
    zh: '异地登录通知',
    ja: '別の都市からのログインを通知',
  },
  'SECURITY_CHECK_DIFFERENT_CITY_LOGIN.help': {
    en: 'The user gets a message when the city differs from the usual one.',
    zh: '登录城市与以往不同时向用户发送通知。',
    ja: '普段と異なる都市からのログインを本人に通知します。',
  },
  SECURITY_UNCOMMON_USERS_TTL: {
    en: 'Disable users unused for (days)',
    zh: '不活跃用户自动禁用（天）',
    ja: '未使用ユーザーの自動無効化（日）',
  },

  // Sessions.
  SECURITY_WATERMARK_ENABLED: { en: 'Watermark', zh: '开启水印', ja: '透かしを表示' },
  'SECURITY_WATERMARK_ENABLED.help': {
    en: 'Shows the name of the user over sessions and recordings.',
    zh: '在会话和录像上显示用户名水印。',
    ja: 'セッションと録画にユーザー名の透かしを表示します。',
  },
  SECURITY_MAX_IDLE_TIME: {
    en: 'Idle time before a session ends (minutes)',
    zh: '连接最大空闲时间（分）',
    ja: '無操作で切断するまでの時間（分）',
  },
  SECURITY_MAX_SESSION_TIME: {
    en: 'Maximum session time (hours)',
    zh: '会话连接最大时间（时）',
    ja: 'セッションの最長時間（時間）',
  },
  SECURITY_LUNA_REMEMBER_AUTH: { en: 'Remember entered secrets', zh: '保存手动密码', ja: '手動入力の記憶' },
  'SECURITY_LUNA_REMEMBER_AUTH.help': {
    en: 'The browser may store secrets that a user enters for an asset.',
    zh: '允许浏览器保存手动输入的账号密码。',
    ja: '手動で入力したアカウント情報をブラウザーに保存できます。',
  },
  SECURITY_SESSION_SHARE: { en: 'Session sharing', zh: '会话分享', ja: 'セッション共有' },
  'SECURITY_SESSION_SHARE.help': {
    en: 'Users may invite others into their session.',
    zh: '允许用户将会话分享给他人。',
    ja: 'ユーザーは自分のセッションに他のユーザーを招待できます。',
  },
  SECURITY_INSECURE_COMMAND: { en: 'Alert on dangerous commands', zh: '危险命令告警', ja: '危険コマンドの警告' },
  SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER: {
    en: 'Receivers of command alerts',
    zh: '命令告警接收邮件',
    ja: 'コマンド警告の受信者',
  },
  'SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER.help': {
    en: 'Separate several addresses with commas.',
    zh: '多个邮箱使用逗号分隔。',
    ja: '複数のアドレスはコンマで区切ります。',
  },

  // Retention.
  LOGIN_LOG_KEEP_DAYS: { en: 'Sign-in logs (days)', zh: '登录日志（天）', ja: 'ログインログ（日）' },
  TASK_LOG_KEEP_DAYS: { en: 'Task logs (days)', zh: '任务日志（天）', ja: 'タスクログ（日）' },
  OPERATE_LOG_KEEP_DAYS: { en: 'Operation logs (days)', zh: '操作日志（天）', ja: '操作ログ（日）' },
  FTP_LOG_KEEP_DAYS: { en: 'File transfer logs (days)', zh: '文件传输日志（天）', ja: 'ファイル転送ログ（日）' },
  CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS: {
    en: 'Cloud synchronization records (days)',
    zh: '云同步记录（天）',
    ja: 'クラウド同期の記録（日）',
  },
  JOB_EXECUTION_KEEP_DAYS: { en: 'Job executions (days)', zh: '作业执行记录（天）', ja: 'ジョブ実行履歴（日）' },
  ACTIVITY_LOG_KEEP_DAYS: { en: 'Activities (days)', zh: '活动记录（天）', ja: 'アクティビティ（日）' },
  TERMINAL_SESSION_KEEP_DURATION: {
    en: 'Sessions, commands and recordings (days)',
    zh: '会话日志（天）',
    ja: 'セッション、コマンド、録画（日）',
  },
  'TERMINAL_SESSION_KEEP_DURATION.help': {
    en: 'Recordings in external storage are not deleted.',
    zh: '不会删除外部存储中的录像。',
    ja: '外部ストレージの録画は削除されません。',
  },

  // Other settings.
  VAULT_ENABLED: { en: 'Vault', zh: '启用 Vault', ja: 'Vault を使用' },
  'VAULT_ENABLED.help': {
    en: 'The secrets of accounts and templates are kept in HashiCorp Vault or OpenBao instead of the database. Start the synchronization after each change.',
    zh: '账号和模板的密文保存在 HashiCorp Vault 或 OpenBao 中，而不是数据库。更改后请执行同步。',
    ja: 'アカウントとテンプレートのシークレットを、データベースではなく HashiCorp Vault または OpenBao に保存します。変更後は同期を実行してください。',
  },
  VAULT_HCP_HOST: { en: 'Host', zh: '主机', ja: 'ホスト' },
  VAULT_HCP_TOKEN: { en: 'Token', zh: '令牌', ja: 'トークン' },
  VAULT_HCP_MOUNT_POINT: { en: 'Mount point', zh: '挂载点', ja: 'マウントポイント' },
  VAULT_HCP_NAMESPACE: { en: 'Namespace', zh: '命名空间', ja: 'ネームスペース' },
  VAULT_HCP_ROLE_ID: { en: 'AppRole: role ID', zh: 'AppRole 角色 ID', ja: 'AppRole のロール ID' },
  'VAULT_HCP_ROLE_ID.help': {
    en: 'Signs in as an application instead of with a token.',
    zh: '以应用身份登录，代替令牌。',
    ja: 'トークンの代わりに、アプリケーションとしてサインインします。',
  },
  VAULT_HCP_SECRET_ID: { en: 'AppRole: secret ID', zh: 'AppRole 密文 ID', ja: 'AppRole のシークレット ID' },
  VAULT_HCP_CA_CERT: { en: 'CA certificate', zh: 'CA 证书', ja: 'CA 証明書' },
  'VAULT_HCP_CA_CERT.help': {
    en: 'PEM of the authority that signed the certificate of the vault; empty for a public one.',
    zh: '签发 Vault 证书的 CA（PEM），公共 CA 则留空。',
    ja: 'Vault の証明書に署名した認証局の PEM。公的な認証局なら空のままにします。',
  },
  ANNOUNCEMENT_ENABLED: { en: 'Announcement', zh: '启用公告', ja: 'お知らせを表示' },
  ANNOUNCEMENT: { en: 'Announcement', zh: '公告', ja: 'お知らせ' },
  ID: { en: 'ID', zh: 'ID', ja: 'ID' },
  SUBJECT: { en: 'Subject', zh: '主题', ja: '件名' },
  CONTENT: { en: 'Content', zh: '内容', ja: '内容' },
  LINK: { en: 'More information', zh: '更多信息链接', ja: '詳細リンク' },
  TICKETS_ENABLED: { en: 'Tickets', zh: '启用工单', ja: 'チケットを使用' },
  TICKET_AUTHORIZE_DEFAULT_TIME: { en: 'Default permission time', zh: '工单默认授权时间', ja: '権限の既定の期間' },
  TICKET_AUTHORIZE_DEFAULT_TIME_UNIT: { en: 'Unit', zh: '工单默认授权时间单位', ja: '単位' },
  SECURITY_COMMAND_EXECUTION: { en: 'Quick commands and jobs', zh: '作业中心', ja: 'コマンド実行' },
  'SECURITY_COMMAND_EXECUTION.help': {
    en: 'Users may run commands on several assets at once.',
    zh: '允许用户批量执行命令。',
    ja: '複数の資産で一括してコマンドを実行できます。',
  },
  SECURITY_COMMAND_BLACKLIST: { en: 'Forbidden commands', zh: '作业中心命令黑名单', ja: '禁止コマンド' },
  'SECURITY_COMMAND_BLACKLIST.help': {
    en: 'Jobs that contain one of these commands are refused.',
    zh: '包含这些命令的作业将被拒绝。',
    ja: 'これらのコマンドを含むジョブは拒否されます。',
  },
  PERM_SINGLE_ASSET_TO_UNGROUP_NODE: {
    en: 'Show single assets under “Ungrouped”',
    zh: '单独授权资产显示在未分组节点',
    ja: '個別に許可した資産を「未分類」に表示',
  },
  'PERM_SINGLE_ASSET_TO_UNGROUP_NODE.help': {
    en: 'Assets permitted individually appear there instead of below their nodes.',
    zh: '单独授权的资产显示在未分组节点，而不是其所属节点。',
    ja: '個別に許可した資産を所属ノードではなく「未分類」に表示します。',
  },

  // Fields and responses of the settings endpoints.
  XPACK_ENABLED: { en: 'Extended edition', zh: '企业版', ja: 'エンタープライズ版' },
  XPACK_LICENSE_IS_VALID: { en: 'License valid', zh: '许可证有效', ja: 'ライセンス有効' },
  XPACK_LICENSE_INFO: { en: 'License', zh: '许可证信息', ja: 'ライセンス情報' },
  INTERFACE: { en: 'Interface', zh: '界面设置', ja: '画面設定' },
  PASSWORD_RULE: { en: 'Password rules', zh: '密码规则', ja: 'パスワード規則' },
  WINDOWS_SKIP_ALL_MANUAL_PASSWORD: {
    en: 'Skip entering passwords on Windows',
    zh: 'Windows 跳过手动输入密码',
    ja: 'Windows で手動入力を省略',
  },
  SECURITY_VIEW_AUTH_NEED_MFA: {
    en: 'Confirm before viewing secrets',
    zh: '查看密文需要 MFA',
    ja: 'シークレット閲覧時に MFA を要求',
  },
  SESSION_EXPIRE_AT_BROWSER_CLOSE: {
    en: 'Sign out when the browser closes',
    zh: '关闭浏览器时退出登录',
    ja: 'ブラウザーを閉じたらログアウト',
  },
  AUTH_TEMP_TOKEN: { en: 'Temporary passwords', zh: '启用临时密码', ja: '一時パスワード' },
  TERMINAL_OMNIDB_ENABLED: {
    en: 'Web database client',
    zh: '启用 Web 数据库客户端',
    ja: 'Web データベースクライアント',
  },
  CONNECTION_TOKEN_REUSABLE: {
    en: 'Reusable connection tokens',
    zh: '连接令牌可重复使用',
    ja: '再利用可能な接続トークン',
  },
  CACHE_LOGIN_PASSWORD_ENABLED: {
    en: 'Store sign-in passwords for connections',
    zh: '缓存登录密码',
    ja: 'ログインパスワードを保持',
  },
  existing: { en: 'Exists', zh: '已存在', ja: '登録済み' },
  CURRENT_TIME: { en: 'Current time', zh: '当前时间', ja: '現在時刻' },
  secret_again: {
    en: 'Enter it again: the stored one belongs to another address or name.',
    zh: '请重新输入：已保存的值属于其他地址或名称。',
    ja: 'もう一度入力してください。保存済みの値は別のアドレスまたは名前のものです。',
  },
  guarded: {
    en: 'Your roles do not include changing where links, codes or secrets are sent ({names}). Ask a system administrator.',
    zh: '您的角色无权更改链接、验证码或密钥的发送去向（{names}），请联系系统管理员。',
    ja: 'リンク、コード、シークレットの送信先（{names}）を変更する権限がロールにありません。システム管理者に依頼してください。',
  },
  no_organization: {
    en: 'There is no organization {id}. Choose another one.',
    zh: '组织 {id} 不存在，请重新选择。',
    ja: '組織 {id} は存在しません。別の組織を選択してください。',
  },
  not_in_category: {
    en: 'Not settings of this category: {names}.',
    zh: '以下设置不属于该分类：{names}。',
    ja: 'この分類の設定ではありません：{names}。',
  },
  mail_not_set: {
    en: 'No mail server is configured. Save the host and the sender first.',
    zh: '尚未设置邮件服务器，请先保存主机和发件人。',
    ja: 'メールサーバーが設定されていません。先にホストと送信者を保存してください。',
  },
  mail_failed: {
    en: 'The mail server rejected the email: {reason}',
    zh: '邮件发送失败：{reason}',
    ja: 'メールサーバーがメールを受け付けませんでした：{reason}',
  },
  mail_sent: {
    en: 'A test email was sent to {to}.',
    zh: '测试邮件已发送至 {to}。',
    ja: 'テストメールを {to} に送信しました。',
  },
})

export const settingsMessages = { ...ownMessages, ...signInSettingMessages, ...messagingSettingMessages }
