/**
 * Labels and help texts of settings for authentication methods: LDAP, CAS, OIDC, SAML2, OAuth2, Radius, messengers,
 * passkeys.
 */
import { defineMessages } from '../messages.ts'

export const signInSettingMessages = defineMessages({
  // Authentication methods.
  AUTH_LDAP: { en: 'LDAP authentication', zh: '启用 LDAP 认证', ja: 'LDAP 認証' },
  AUTH_CAS: { en: 'CAS authentication', zh: '启用 CAS 认证', ja: 'CAS 認証' },
  AUTH_OPENID: { en: 'OIDC authentication', zh: '启用 OIDC 认证', ja: 'OIDC 認証' },
  AUTH_SAML2: { en: 'SAML2 authentication', zh: '启用 SAML2 认证', ja: 'SAML2 認証' },
  AUTH_OAUTH2: { en: 'OAuth2 authentication', zh: '启用 OAuth2 认证', ja: 'OAuth2 認証' },
  AUTH_RADIUS: { en: 'Radius authentication', zh: '启用 Radius 认证', ja: 'Radius 認証' },
  AUTH_DINGTALK: { en: 'DingTalk authentication', zh: '启用钉钉认证', ja: 'DingTalk 認証' },
  AUTH_FEISHU: { en: 'FeiShu authentication', zh: '启用飞书认证', ja: 'FeiShu 認証' },
  AUTH_WECOM: { en: 'WeCom authentication', zh: '启用企业微信认证', ja: 'WeCom 認証' },
  AUTH_SSO: { en: 'SSO authentication', zh: '启用 SSO 认证', ja: 'SSO 認証' },
  'AUTH_SSO.help': {
    en: 'Other systems may sign in users by a link they request.',
    zh: '其它系统可通过 SSO 令牌链接登录用户。',
    ja: '他のシステムが発行したリンクでログインできます。',
  },
  AUTH_PASSKEY: { en: 'Passkey authentication', zh: '启用通行密钥认证', ja: 'パスキー認証' },
  'AUTH_PASSKEY.help': {
    en: 'Needs HTTPS and a domain name.',
    zh: '需要使用 HTTPS 和域名访问。',
    ja: 'HTTPS とドメイン名が必要です。',
  },
  FORGOT_PASSWORD_URL: { en: 'Forgotten-password URL', zh: '忘记密码 URL', ja: 'パスワード再設定 URL' },
  'FORGOT_PASSWORD_URL.help': {
    en: '“Forgotten password” opens this page instead of the built-in one.',
    zh: '替代内置的忘记密码页面。',
    ja: '組み込みの再設定ページの代わりに使います。',
  },
  LOGIN_REDIRECT_MSG_ENABLED: { en: 'Notice before redirects', zh: '启用登录跳转提示', ja: '移動前の案内を表示' },

  // LDAP.
  AUTH_LDAP_SERVER_URI: { en: 'LDAP server', zh: 'LDAP 地址', ja: 'LDAP サーバー' },
  'AUTH_LDAP_SERVER_URI.help': {
    en: 'For example ldap://localhost:389 or ldaps://ldap.example.com:636.',
    zh: '例如 ldap://localhost:389 或 ldaps://ldap.example.com:636',
    ja: '例：ldap://localhost:389、ldaps://ldap.example.com:636',
  },
  AUTH_LDAP_BIND_DN: { en: 'Bind DN', zh: '绑定 DN', ja: 'バインド DN' },
  AUTH_LDAP_BIND_PASSWORD: { en: 'Password', zh: '密码', ja: 'パスワード' },
  AUTH_LDAP_SEARCH_OU: { en: 'User OU', zh: '用户 OU', ja: 'ユーザー OU' },
  'AUTH_LDAP_SEARCH_OU.help': {
    en: 'Separate several OUs with a vertical bar.',
    zh: '多个 OU 使用竖线分隔。',
    ja: '複数の OU は縦棒で区切ります。',
  },
  AUTH_LDAP_SEARCH_FILTER: { en: 'User search filter', zh: '用户过滤器', ja: 'ユーザー検索フィルター' },
  'AUTH_LDAP_SEARCH_FILTER.help': {
    en: '%(user)s is replaced by the entered username: (cn=%(user)s), (sAMAccountName=%(user)s).',
    zh: '%(user)s 表示登录名，例如 (cn=%(user)s) 或 (sAMAccountName=%(user)s)',
    ja: '%(user)s は入力されたユーザー名です。例：(cn=%(user)s)、(sAMAccountName=%(user)s)',
  },
  AUTH_LDAP_USER_ATTR_MAP: { en: 'User attributes', zh: '用户属性映射', ja: 'ユーザー属性の対応' },
  'AUTH_LDAP_USER_ATTR_MAP.help': {
    en: 'Local attribute on the left, directory attribute on the right; username, name and email are required.',
    zh: '左侧为本系统属性，右侧为 LDAP 属性，必须包含 username、name、email',
    ja: '左が本システム、右が LDAP の属性です。username、name、email は必須です。',
  },
  AUTH_LDAP_SYNC_ORG_IDS: { en: 'Organizations', zh: '组织', ja: '組織' },
  'AUTH_LDAP_SYNC_ORG_IDS.help': {
    en: 'Imported users join these organizations.',
    zh: '导入的用户会加入这些组织。',
    ja: '取り込んだユーザーをこれらの組織に加えます。',
  },
  AUTH_LDAP_SYNC_IS_PERIODIC: { en: 'Periodic import', zh: '定时同步', ja: '定期取り込み' },
  AUTH_LDAP_SYNC_CRONTAB: { en: 'Crontab', zh: 'Crontab 表达式', ja: 'Crontab 式' },
  AUTH_LDAP_SYNC_INTERVAL: { en: 'Cycle (hours)', zh: '同步周期（小时）', ja: '取り込み間隔（時間）' },
  AUTH_LDAP_CONNECT_TIMEOUT: {
    en: 'Connect timeout (seconds)',
    zh: '连接超时时间（秒）',
    ja: '接続タイムアウト（秒）',
  },
  AUTH_LDAP_SEARCH_PAGED_SIZE: { en: 'Search page size', zh: '搜索分页数量', ja: '検索ページサイズ' },

  // CAS.
  CAS_SERVER_URL: { en: 'Server URL', zh: '服务端地址', ja: 'サーバー URL' },
  CAS_ROOT_PROXIED_AS: { en: 'Proxied address of this site', zh: '回调代理地址', ja: '本サイトのプロキシアドレス' },
  CAS_LOGOUT_COMPLETELY: { en: 'Sign out of CAS too', zh: '同步注销', ja: 'CAS からもログアウト' },
  CAS_VERSION: { en: 'Version', zh: '版本', ja: 'バージョン' },
  CAS_USERNAME_ATTRIBUTE: { en: 'Username attribute', zh: '用户名属性', ja: 'ユーザー名の属性' },
  CAS_APPLY_ATTRIBUTES_TO_USER: { en: 'Apply attributes to users', zh: '启用属性映射', ja: '属性をユーザーに反映' },
  CAS_RENAME_ATTRIBUTES: { en: 'User attributes', zh: '用户属性映射', ja: 'ユーザー属性の対応' },
  CAS_CREATE_USER: { en: 'Create users', zh: '创建用户（如果不存在）', ja: 'ユーザーを作成' },

  // OIDC.
  BASE_SITE_URL: { en: 'Site URL', zh: '本站地址', ja: '本サイトの URL' },
  AUTH_OPENID_CLIENT_ID: { en: 'Client ID', zh: '客户端 ID', ja: 'クライアント ID' },
  AUTH_OPENID_CLIENT_SECRET: { en: 'Client secret', zh: '客户端密钥', ja: 'クライアントシークレット' },
  AUTH_OPENID_CLIENT_AUTH_METHOD: { en: 'Client authentication', zh: '客户端认证方式', ja: 'クライアント認証方式' },
  AUTH_OPENID_SHARE_SESSION: { en: 'Share session', zh: '共享会话', ja: 'セッションを共有' },
  AUTH_OPENID_IGNORE_SSL_VERIFICATION: {
    en: 'Do not verify certificates',
    zh: '忽略 SSL 证书验证',
    ja: '証明書を検証しない',
  },
  'AUTH_OPENID_IGNORE_SSL_VERIFICATION.help': {
    en: 'Dangerous: the provider can be impersonated.',
    zh: '存在风险：中间人可以冒充认证服务。',
    ja: '危険：第三者が認証サーバーになりすませます。',
  },
  AUTH_OPENID_USER_ATTR_MAP: { en: 'User attributes', zh: '用户属性映射', ja: 'ユーザー属性の対応' },
  AUTH_OPENID_PKCE: { en: 'PKCE', zh: '启用 PKCE', ja: 'PKCE を使用' },
  AUTH_OPENID_CODE_CHALLENGE_METHOD: { en: 'Code challenge method', zh: '验证校验码方式', ja: 'コードチャレンジ方式' },
  AUTH_OPENID_KEYCLOAK: { en: 'Use Keycloak', zh: '使用 Keycloak', ja: 'Keycloak を使用' },
  AUTH_OPENID_SERVER_URL: { en: 'Server URL', zh: '服务端地址', ja: 'サーバー URL' },
  AUTH_OPENID_REALM_NAME: { en: 'Realm', zh: '域', ja: 'レルム' },
  AUTH_OPENID_PROVIDER_ENDPOINT: { en: 'Provider endpoint', zh: '端点地址', ja: 'プロバイダーエンドポイント' },
  AUTH_OPENID_PROVIDER_AUTHORIZATION_ENDPOINT: {
    en: 'Authorization endpoint',
    zh: '授权端点地址',
    ja: '認可エンドポイント',
  },
  AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT: { en: 'Token endpoint', zh: 'token 端点地址', ja: 'トークンエンドポイント' },
  AUTH_OPENID_PROVIDER_JWKS_ENDPOINT: { en: 'JWKS endpoint', zh: 'jwks 端点地址', ja: 'JWKS エンドポイント' },
  AUTH_OPENID_PROVIDER_USERINFO_ENDPOINT: {
    en: 'User information endpoint',
    zh: '用户信息端点地址',
    ja: 'ユーザー情報エンドポイント',
  },
  AUTH_OPENID_PROVIDER_END_SESSION_ENDPOINT: {
    en: 'Sign-out endpoint',
    zh: '注销会话端点地址',
    ja: 'ログアウトエンドポイント',
  },
  AUTH_OPENID_PROVIDER_SIGNATURE_ALG: { en: 'Signature algorithm', zh: '签名算法', ja: '署名アルゴリズム' },
  AUTH_OPENID_PROVIDER_SIGNATURE_KEY: { en: 'Signing key', zh: '签名 Key', ja: '署名キー' },
  AUTH_OPENID_SCOPES: { en: 'Scopes', zh: '连接范围', ja: 'スコープ' },
  AUTH_OPENID_ID_TOKEN_MAX_AGE: {
    en: 'ID token lifetime (seconds)',
    zh: '令牌有效时间（秒）',
    ja: 'ID トークンの有効時間（秒）',
  },
  AUTH_OPENID_ID_TOKEN_INCLUDE_CLAIMS: {
    en: 'Take user information from the ID token',
    zh: '声明（id_token 包含用户信息）',
    ja: 'ID トークンからユーザー情報を取得',
  },
  AUTH_OPENID_USE_STATE: { en: 'Use state', zh: '使用状态', ja: 'state を使用' },
  AUTH_OPENID_USE_NONCE: { en: 'Use nonce', zh: '临时使用', ja: 'nonce を使用' },
  AUTH_OPENID_ALWAYS_UPDATE_USER: {
    en: 'Always update the user',
    zh: '总是更新用户信息',
    ja: '常にユーザー情報を更新',
  },

  // SAML2.
  SAML2_IDP_METADATA_URL: { en: 'IdP metadata URL', zh: 'IdP metadata 地址', ja: 'IdP メタデータの URL' },
  SAML2_IDP_METADATA_XML: { en: 'IdP metadata XML', zh: 'IdP metadata XML', ja: 'IdP メタデータの XML' },
  SAML2_SP_ADVANCED_SETTINGS: { en: 'Advanced settings', zh: '高级设置', ja: '詳細設定' },
  SAML2_SP_KEY_CONTENT: { en: 'SP private key', zh: 'SP 密钥', ja: 'SP の秘密鍵' },
  SAML2_SP_CERT_CONTENT: { en: 'SP certificate', zh: 'SP 证书', ja: 'SP の証明書' },
  SAML2_RENAME_ATTRIBUTES: { en: 'User attributes', zh: '用户属性映射', ja: 'ユーザー属性の対応' },
  SAML2_LOGOUT_COMPLETELY: { en: 'Sign out of the IdP too', zh: '同步注销', ja: 'IdP からもログアウト' },
  AUTH_SAML2_ALWAYS_UPDATE_USER: { en: 'Always update the user', zh: '总是更新用户信息', ja: '常にユーザー情報を更新' },

  // OAuth2.
  AUTH_OAUTH2_LOGO_PATH: { en: 'Logo', zh: '图标', ja: 'ロゴ' },
  AUTH_OAUTH2_PROVIDER: { en: 'Provider', zh: '服务提供商', ja: 'プロバイダー' },
  AUTH_OAUTH2_CLIENT_ID: { en: 'Client ID', zh: '客户端 ID', ja: 'クライアント ID' },
  AUTH_OAUTH2_CLIENT_SECRET: { en: 'Client secret', zh: '客户端密钥', ja: 'クライアントシークレット' },
  AUTH_OAUTH2_SCOPE: { en: 'Scope', zh: '范围', ja: 'スコープ' },
  AUTH_OAUTH2_PROVIDER_AUTHORIZATION_ENDPOINT: {
    en: 'Authorization endpoint',
    zh: '授权端点地址',
    ja: '認可エンドポイント',
  },
  AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT: { en: 'Token endpoint', zh: 'token 端点地址', ja: 'トークンエンドポイント' },
  AUTH_OAUTH2_ACCESS_TOKEN_METHOD: { en: 'Token request method', zh: 'token 获取方法', ja: 'トークンの取得方法' },
  AUTH_OAUTH2_PROVIDER_USERINFO_ENDPOINT: {
    en: 'User information endpoint',
    zh: '用户信息端点地址',
    ja: 'ユーザー情報エンドポイント',
  },
  AUTH_OAUTH2_PROVIDER_END_SESSION_ENDPOINT: {
    en: 'Sign-out endpoint',
    zh: '注销会话端点地址',
    ja: 'ログアウトエンドポイント',
  },
  AUTH_OAUTH2_LOGOUT_COMPLETELY: {
    en: 'Sign out of the provider too',
    zh: '同步注销',
    ja: 'プロバイダーからもログアウト',
  },
  AUTH_OAUTH2_USER_ATTR_MAP: { en: 'User attributes', zh: '用户属性映射', ja: 'ユーザー属性の対応' },
  AUTH_OAUTH2_ALWAYS_UPDATE_USER: {
    en: 'Always update the user',
    zh: '总是更新用户信息',
    ja: '常にユーザー情報を更新',
  },

  // Radius, messengers, passkeys.
  RADIUS_SERVER: { en: 'Host', zh: '主机', ja: 'ホスト' },
  RADIUS_PORT: { en: 'Port', zh: '端口', ja: 'ポート' },
  RADIUS_SECRET: { en: 'Secret', zh: '密钥', ja: 'シークレット' },
  OTP_IN_RADIUS: { en: 'Radius checks the OTP', zh: '使用 Radius OTP', ja: 'OTP を Radius で確認' },
  WECOM_CORPID: { en: 'Corporation ID', zh: '企业 ID', ja: '企業 ID' },
  WECOM_AGENTID: { en: 'App agent ID', zh: '应用 ID', ja: 'アプリ ID' },
  WECOM_SECRET: { en: 'App secret', zh: '应用密钥', ja: 'アプリシークレット' },
  DINGTALK_AGENTID: { en: 'Agent ID', zh: '应用 ID', ja: 'エージェント ID' },
  DINGTALK_APPKEY: { en: 'App key', zh: '应用 Key', ja: 'アプリキー' },
  DINGTALK_APPSECRET: { en: 'App secret', zh: '应用密钥', ja: 'アプリシークレット' },
  FEISHU_APP_ID: { en: 'App ID', zh: '应用 ID', ja: 'アプリ ID' },
  FEISHU_APP_SECRET: { en: 'App secret', zh: '应用密钥', ja: 'アプリシークレット' },
  FEISHU_VERSION: { en: 'Version', zh: '版本', ja: 'バージョン' },
  FIDO_SERVER_ID: { en: 'FIDO server ID', zh: 'FIDO 服务 ID', ja: 'FIDO サーバー ID' },
  'FIDO_SERVER_ID.help': {
    en: 'Domain names of this site, separated by commas; defaults to the domain of the site URL.',
    zh: '本站点的域名，多个用逗号分隔，留空则使用站点 URL 的域名。',
    ja: '本サイトのドメイン名（コンマ区切り）。空の場合はサイト URL のものを使います。',
  },
  FIDO_SERVER_NAME: { en: 'FIDO server name', zh: 'FIDO 服务名称', ja: 'FIDO サーバー名' },
})
