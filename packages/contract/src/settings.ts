/** Types of setting declarations, and the setting categories of the console. */
import type { PermissionCode } from './permissions.ts'
import { configuredSettings, storedSettings } from './setting-declarations.ts'
import type { SettingShape } from './setting-shape.ts'

export type StoredSetting = (typeof storedSettings)[number]['name']
export type SettingName = StoredSetting | (typeof configuredSettings)[number]['name']
export interface SettingDeclaration extends SettingShape {
  readonly name: SettingName
  /** Only the configuration file or the environment can change it. */
  readonly configOnly: boolean
}

export const settingDeclarations: readonly SettingDeclaration[] = [
  ...storedSettings.map((setting): SettingDeclaration => ({ ...setting, configOnly: false })),
  ...configuredSettings.map((setting): SettingDeclaration => ({ ...setting, configOnly: true })),
]

const byName = new Map<string, SettingDeclaration>(settingDeclarations.map((setting) => [setting.name, setting]))
export const settingOf = (name: string): SettingDeclaration | undefined => byName.get(name)

export interface SettingCategory {
  /** Permission to read and change the category. */
  readonly permission: PermissionCode
  readonly settings: readonly StoredSetting[]
}

const categories = {
  basic: {
    permission: 'settings.view_setting',
    settings: ['SITE_URL', 'USER_GUIDE_URL', 'GLOBAL_ORG_DISPLAY_NAME', 'HELP_DOCUMENT_URL', 'HELP_SUPPORT_URL'],
  },
  terminal: {
    permission: 'settings.change_terminal',
    settings: [
      'SECURITY_SERVICE_ACCOUNT_REGISTRATION',
      'TERMINAL_PASSWORD_AUTH',
      'TERMINAL_PUBLIC_KEY_AUTH',
      'TERMINAL_ASSET_LIST_SORT_BY',
      'TERMINAL_ASSET_LIST_PAGE_SIZE',
      'TERMINAL_MAGNUS_ENABLED',
      'TERMINAL_RAZOR_ENABLED',
      'TERMINAL_KOKO_SSH_ENABLED',
    ],
  },
  security_password: {
    permission: 'settings.change_security',
    settings: [
      'SECURITY_PASSWORD_EXPIRATION_TIME',
      'OLD_PASSWORD_HISTORY_LIMIT_COUNT',
      'SECURITY_PASSWORD_MIN_LENGTH',
      'SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH',
      'SECURITY_PASSWORD_UPPER_CASE',
      'SECURITY_PASSWORD_LOWER_CASE',
      'SECURITY_PASSWORD_NUMBER',
      'SECURITY_PASSWORD_SPECIAL_CHAR',
    ],
  },
  security_login_limit: {
    permission: 'settings.change_security',
    settings: [
      'SECURITY_LOGIN_LIMIT_COUNT',
      'SECURITY_LOGIN_LIMIT_TIME',
      'SECURITY_LOGIN_IP_LIMIT_COUNT',
      'SECURITY_LOGIN_IP_LIMIT_TIME',
      'SECURITY_LOGIN_IP_WHITE_LIST',
      'SECURITY_LOGIN_IP_BLACK_LIST',
      'USER_LOGIN_SINGLE_MACHINE_ENABLED',
      'ONLY_ALLOW_EXIST_USER_AUTH',
      'ONLY_ALLOW_AUTH_FROM_SOURCE',
    ],
  },
  security_auth: {
    permission: 'settings.change_security',
    settings: [
      'SECURITY_MFA_AUTH',
      'SECURITY_MFA_AUTH_ENABLED_FOR_THIRD_PARTY',
      'OTP_ISSUER_NAME',
      'OTP_VALID_WINDOW',
      'SECURITY_MFA_VERIFY_TTL',
      'SECURITY_MFA_IN_LOGIN_PAGE',
      'VERIFY_CODE_TTL',
      'SECURITY_LOGIN_CHALLENGE_ENABLED',
      'SECURITY_LOGIN_CAPTCHA_ENABLED',
      'SECURITY_CHECK_DIFFERENT_CITY_LOGIN',
      'SECURITY_UNCOMMON_USERS_TTL',
    ],
  },
  security_session: {
    permission: 'settings.change_security',
    settings: [
      'SECURITY_WATERMARK_ENABLED',
      'SECURITY_MAX_IDLE_TIME',
      'SECURITY_MAX_SESSION_TIME',
      'SECURITY_LUNA_REMEMBER_AUTH',
      'SECURITY_SESSION_SHARE',
    ],
  },
  security_basic: {
    permission: 'settings.change_security',
    settings: ['SECURITY_INSECURE_COMMAND', 'SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER'],
  },
  auth: {
    permission: 'settings.change_auth',
    settings: [
      'AUTH_LDAP',
      'AUTH_CAS',
      'AUTH_OPENID',
      'AUTH_SAML2',
      'AUTH_OAUTH2',
      'AUTH_RADIUS',
      'AUTH_DINGTALK',
      'AUTH_FEISHU',
      'AUTH_WECOM',
      'AUTH_SSO',
      'AUTH_PASSKEY',
      'FORGOT_PASSWORD_URL',
      'LOGIN_REDIRECT_MSG_ENABLED',
    ],
  },
  ldap: {
    permission: 'settings.change_auth',
    settings: [
      'AUTH_LDAP_SERVER_URI',
      'AUTH_LDAP_BIND_DN',
      'AUTH_LDAP_BIND_PASSWORD',
      'AUTH_LDAP_SEARCH_OU',
      'AUTH_LDAP_SEARCH_FILTER',
      'AUTH_LDAP_USER_ATTR_MAP',
      'AUTH_LDAP_SYNC_ORG_IDS',
      'AUTH_LDAP_SYNC_IS_PERIODIC',
      'AUTH_LDAP_SYNC_CRONTAB',
      'AUTH_LDAP_SYNC_INTERVAL',
      'AUTH_LDAP_CONNECT_TIMEOUT',
      'AUTH_LDAP_SEARCH_PAGED_SIZE',
      'AUTH_LDAP',
    ],
  },
  cas: {
    permission: 'settings.change_auth',
    settings: [
      'AUTH_CAS',
      'CAS_SERVER_URL',
      'CAS_ROOT_PROXIED_AS',
      'CAS_LOGOUT_COMPLETELY',
      'CAS_VERSION',
      'CAS_USERNAME_ATTRIBUTE',
      'CAS_APPLY_ATTRIBUTES_TO_USER',
      'CAS_RENAME_ATTRIBUTES',
      'CAS_CREATE_USER',
    ],
  },
  oidc: {
    permission: 'settings.change_auth',
    settings: [
      'BASE_SITE_URL',
      'AUTH_OPENID_CLIENT_ID',
      'AUTH_OPENID_CLIENT_SECRET',
      'AUTH_OPENID_CLIENT_AUTH_METHOD',
      'AUTH_OPENID_SHARE_SESSION',
      'AUTH_OPENID_IGNORE_SSL_VERIFICATION',
      'AUTH_OPENID_USER_ATTR_MAP',
      'AUTH_OPENID_PKCE',
      'AUTH_OPENID_CODE_CHALLENGE_METHOD',
      'AUTH_OPENID_KEYCLOAK',
      'AUTH_OPENID_SERVER_URL',
      'AUTH_OPENID_REALM_NAME',
      'AUTH_OPENID',
      'AUTH_OPENID_PROVIDER_ENDPOINT',
      'AUTH_OPENID_PROVIDER_AUTHORIZATION_ENDPOINT',
      'AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT',
      'AUTH_OPENID_PROVIDER_JWKS_ENDPOINT',
      'AUTH_OPENID_PROVIDER_USERINFO_ENDPOINT',
      'AUTH_OPENID_PROVIDER_END_SESSION_ENDPOINT',
      'AUTH_OPENID_PROVIDER_SIGNATURE_ALG',
      'AUTH_OPENID_PROVIDER_SIGNATURE_KEY',
      'AUTH_OPENID_SCOPES',
      'AUTH_OPENID_ID_TOKEN_MAX_AGE',
      'AUTH_OPENID_ID_TOKEN_INCLUDE_CLAIMS',
      'AUTH_OPENID_USE_STATE',
      'AUTH_OPENID_USE_NONCE',
      'AUTH_OPENID_ALWAYS_UPDATE_USER',
    ],
  },
  keycloak: {
    permission: 'settings.change_auth',
    settings: [
      'BASE_SITE_URL',
      'AUTH_OPENID_CLIENT_ID',
      'AUTH_OPENID_CLIENT_SECRET',
      'AUTH_OPENID_CLIENT_AUTH_METHOD',
      'AUTH_OPENID_SHARE_SESSION',
      'AUTH_OPENID_IGNORE_SSL_VERIFICATION',
      'AUTH_OPENID_USER_ATTR_MAP',
      'AUTH_OPENID_PKCE',
      'AUTH_OPENID_CODE_CHALLENGE_METHOD',
      'AUTH_OPENID_KEYCLOAK',
      'AUTH_OPENID_SERVER_URL',
      'AUTH_OPENID_REALM_NAME',
    ],
  },
  saml2: {
    permission: 'settings.change_auth',
    settings: [
      'AUTH_SAML2',
      'SAML2_IDP_METADATA_URL',
      'SAML2_IDP_METADATA_XML',
      'SAML2_SP_ADVANCED_SETTINGS',
      'SAML2_SP_KEY_CONTENT',
      'SAML2_SP_CERT_CONTENT',
      'SAML2_RENAME_ATTRIBUTES',
      'SAML2_LOGOUT_COMPLETELY',
      'AUTH_SAML2_ALWAYS_UPDATE_USER',
    ],
  },
  oauth2: {
    permission: 'settings.change_auth',
    settings: [
      'AUTH_OAUTH2',
      'AUTH_OAUTH2_LOGO_PATH',
      'AUTH_OAUTH2_PROVIDER',
      'AUTH_OAUTH2_CLIENT_ID',
      'AUTH_OAUTH2_CLIENT_SECRET',
      'AUTH_OAUTH2_SCOPE',
      'AUTH_OAUTH2_PROVIDER_AUTHORIZATION_ENDPOINT',
      'AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT',
      'AUTH_OAUTH2_ACCESS_TOKEN_METHOD',
      'AUTH_OAUTH2_PROVIDER_USERINFO_ENDPOINT',
      'AUTH_OAUTH2_PROVIDER_END_SESSION_ENDPOINT',
      'AUTH_OAUTH2_LOGOUT_COMPLETELY',
      'AUTH_OAUTH2_USER_ATTR_MAP',
      'AUTH_OAUTH2_ALWAYS_UPDATE_USER',
    ],
  },
  radius: {
    permission: 'settings.change_auth',
    settings: ['AUTH_RADIUS', 'RADIUS_SERVER', 'RADIUS_PORT', 'RADIUS_SECRET', 'OTP_IN_RADIUS'],
  },
  wecom: {
    permission: 'settings.change_auth',
    settings: ['WECOM_CORPID', 'WECOM_AGENTID', 'WECOM_SECRET', 'AUTH_WECOM'],
  },
  dingtalk: {
    permission: 'settings.change_auth',
    settings: ['DINGTALK_AGENTID', 'DINGTALK_APPKEY', 'DINGTALK_APPSECRET', 'AUTH_DINGTALK'],
  },
  feishu: {
    permission: 'settings.change_auth',
    settings: ['AUTH_FEISHU', 'FEISHU_APP_ID', 'FEISHU_APP_SECRET', 'FEISHU_VERSION'],
  },
  passkey: {
    permission: 'settings.change_auth',
    settings: ['AUTH_PASSKEY', 'FIDO_SERVER_ID', 'FIDO_SERVER_NAME'],
  },
  email: {
    permission: 'settings.change_email',
    settings: [
      'EMAIL_HOST',
      'EMAIL_PORT',
      'EMAIL_HOST_USER',
      'EMAIL_HOST_PASSWORD',
      'EMAIL_FROM',
      'EMAIL_RECIPIENT',
      'EMAIL_USE_SSL',
      'EMAIL_USE_TLS',
      'EMAIL_SUBJECT_PREFIX',
      'EMAIL_SUFFIX',
    ],
  },
  email_content: {
    permission: 'settings.change_email',
    settings: [
      'EMAIL_CUSTOM_USER_CREATED_SUBJECT',
      'EMAIL_CUSTOM_USER_CREATED_HONORIFIC',
      'EMAIL_CUSTOM_USER_CREATED_BODY',
      'EMAIL_CUSTOM_USER_CREATED_SIGNATURE',
    ],
  },
  sms: {
    permission: 'settings.change_sms',
    settings: ['SMS_ENABLED', 'SMS_BACKEND', 'SMS_CODE_LENGTH'],
  },
  alibaba: {
    permission: 'settings.change_sms',
    settings: [
      'SMS_TEST_PHONE',
      'ALIBABA_ACCESS_KEY_ID',
      'ALIBABA_ACCESS_KEY_SECRET',
      'ALIBABA_VERIFY_SIGN_NAME',
      'ALIBABA_VERIFY_TEMPLATE_CODE',
    ],
  },
  tencent: {
    permission: 'settings.change_sms',
    settings: [
      'SMS_TEST_PHONE',
      'TENCENT_SECRET_ID',
      'TENCENT_SECRET_KEY',
      'TENCENT_SDKAPPID',
      'TENCENT_VERIFY_SIGN_NAME',
      'TENCENT_VERIFY_TEMPLATE_CODE',
    ],
  },
  huawei: {
    permission: 'settings.change_sms',
    settings: [
      'SMS_TEST_PHONE',
      'HUAWEI_APP_KEY',
      'HUAWEI_APP_SECRET',
      'HUAWEI_SMS_ENDPOINT',
      'HUAWEI_SIGN_CHANNEL_NUM',
      'HUAWEI_VERIFY_SIGN_NAME',
      'HUAWEI_VERIFY_TEMPLATE_CODE',
    ],
  },
  cmpp2: {
    permission: 'settings.change_sms',
    settings: [
      'SMS_TEST_PHONE',
      'CMPP2_HOST',
      'CMPP2_PORT',
      'CMPP2_SP_ID',
      'CMPP2_SP_SECRET',
      'CMPP2_SRC_ID',
      'CMPP2_SERVICE_ID',
      'CMPP2_VERIFY_SIGN_NAME',
      'CMPP2_VERIFY_TEMPLATE_CODE',
    ],
  },
  custom: {
    permission: 'settings.change_sms',
    settings: ['SMS_TEST_PHONE', 'CUSTOM_SMS_URL', 'CUSTOM_SMS_API_PARAMS', 'CUSTOM_SMS_REQUEST_METHOD'],
  },
  clean: {
    permission: 'settings.change_clean',
    settings: [
      'LOGIN_LOG_KEEP_DAYS',
      'TASK_LOG_KEEP_DAYS',
      'OPERATE_LOG_KEEP_DAYS',
      'FTP_LOG_KEEP_DAYS',
      'CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS',
      'JOB_EXECUTION_KEEP_DAYS',
      'ACTIVITY_LOG_KEEP_DAYS',
      'TERMINAL_SESSION_KEEP_DURATION',
    ],
  },
  vault: {
    permission: 'settings.change_vault',
    settings: ['VAULT_ENABLED', 'VAULT_HCP_HOST', 'VAULT_HCP_TOKEN', 'VAULT_HCP_MOUNT_POINT'],
  },
  announcement: {
    permission: 'settings.change_announcement',
    settings: ['ANNOUNCEMENT_ENABLED', 'ANNOUNCEMENT'],
  },
  ticket: {
    permission: 'settings.change_ticket',
    settings: ['TICKETS_ENABLED', 'TICKET_AUTHORIZE_DEFAULT_TIME', 'TICKET_AUTHORIZE_DEFAULT_TIME_UNIT'],
  },
  ops: {
    permission: 'settings.change_ops',
    settings: ['SECURITY_COMMAND_EXECUTION', 'SECURITY_COMMAND_BLACKLIST'],
  },
  other: {
    permission: 'settings.change_other',
    settings: ['PERM_SINGLE_ASSET_TO_UNGROUP_NODE'],
  },
} as const satisfies Record<string, SettingCategory>

/** The categories of `settings/setting/?category=`. `security` is the union of its parts. */
export const settingCategories: Readonly<Record<keyof typeof categories | 'security', SettingCategory>> = {
  ...categories,
  security: {
    permission: 'settings.change_security',
    settings: [
      ...categories.security_password.settings,
      ...categories.security_auth.settings,
      ...categories.security_session.settings,
      ...categories.security_basic.settings,
      ...categories.security_login_limit.settings,
    ],
  },
}
export type SettingCategoryName = keyof typeof settingCategories

/** Settings in `PASSWORD_RULE` of `public/`. */
export const passwordRuleSettings = [
  'SECURITY_PASSWORD_MIN_LENGTH',
  'SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH',
  'SECURITY_PASSWORD_UPPER_CASE',
  'SECURITY_PASSWORD_LOWER_CASE',
  'SECURITY_PASSWORD_NUMBER',
  'SECURITY_PASSWORD_SPECIAL_CHAR',
] as const satisfies readonly StoredSetting[]

/** The notice at the top of every page. Every change creates a new `ID`. */
export interface Announcement {
  ID: string
  SUBJECT: string
  CONTENT: string
  LINK: string
}
