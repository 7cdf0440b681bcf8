/** Forms of the sign-in methods, by category. */
import { type CategoryForm, secretField } from './category.ts'
import { testButton } from './TestButton.tsx'

const keycloak = { state: { enableWhen: { AUTH_OPENID_KEYCLOAK: true } } } as const
const standard = { state: { enableWhen: { AUTH_OPENID_KEYCLOAK: false } } } as const
const endpoints = ['AUTHORIZATION', 'TOKEN', 'JWKS', 'USERINFO', 'END_SESSION'].map(
  (name) => `AUTH_OPENID_PROVIDER_${name}_ENDPOINT`,
)
const endpointPaths = ['authorize', 'token', 'jwks', 'userinfo', 'logout']
const standardFields = [
  ...endpoints,
  'AUTH_OPENID_PROVIDER_SIGNATURE_ALG',
  'AUTH_OPENID_PROVIDER_SIGNATURE_KEY',
  'AUTH_OPENID_PKCE',
  'AUTH_OPENID_SCOPES',
  'AUTH_OPENID_ID_TOKEN_MAX_AGE',
  'AUTH_OPENID_ID_TOKEN_INCLUDE_CLAIMS',
  'AUTH_OPENID_USE_STATE',
  'AUTH_OPENID_USE_NONCE',
  'AUTH_OPENID_ALWAYS_UPDATE_USER',
]

export const basic: CategoryForm = {
  category: 'auth',
  groups: [{ key: 'basic', title: 'groupBasic', fields: ['FORGOT_PASSWORD_URL', 'LOGIN_REDIRECT_MSG_ENABLED'] }],
}

export const cas: CategoryForm = {
  category: 'cas',
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['AUTH_CAS', 'CAS_SERVER_URL', 'CAS_ROOT_PROXIED_AS', 'CAS_VERSION'] },
    {
      key: 'other',
      title: 'groupOther',
      fields: ['CAS_LOGOUT_COMPLETELY', 'CAS_RENAME_ATTRIBUTES', 'CAS_CREATE_USER'],
    },
  ],
  fields: { CAS_RENAME_ATTRIBUTES: { validation: { required: true, rules: ['mapsUsername'] } } },
  clean: (body) => {
    const named = Object.entries(Object(body.CAS_RENAME_ATTRIBUTES)).find(([, to]) => to === 'username')
    return { ...body, ...(named && { CAS_USERNAME_ATTRIBUTE: named[0] }), CAS_APPLY_ATTRIBUTES_TO_USER: true }
  },
}

export const passkey: CategoryForm = {
  category: 'passkey',
  groups: [{ key: 'basic', title: 'groupBasic', fields: ['AUTH_PASSKEY', 'FIDO_SERVER_ID', 'FIDO_SERVER_NAME'] }],
}

export const oidc: CategoryForm = {
  category: 'oidc',
  groups: [
    {
      key: 'basic',
      title: 'groupBasic',
      fields: [
        'AUTH_OPENID',
        'BASE_SITE_URL',
        'AUTH_OPENID_CLIENT_ID',
        'AUTH_OPENID_CLIENT_SECRET',
        'AUTH_OPENID_CLIENT_AUTH_METHOD',
      ],
    },
    {
      key: 'parameters',
      title: 'settingParameters',
      fields: [
        'AUTH_OPENID_KEYCLOAK',
        'AUTH_OPENID_SERVER_URL',
        'AUTH_OPENID_REALM_NAME',
        'AUTH_OPENID_PROVIDER_ENDPOINT',
        ...standardFields,
        'AUTH_OPENID_CODE_CHALLENGE_METHOD',
        'AUTH_OPENID_IGNORE_SSL_VERIFICATION',
        'AUTH_OPENID_SHARE_SESSION',
        'AUTH_OPENID_USER_ATTR_MAP',
      ],
    },
  ],
  fields: {
    AUTH_OPENID_CLIENT_SECRET: secretField,
    AUTH_OPENID_SERVER_URL: keycloak,
    AUTH_OPENID_REALM_NAME: keycloak,
    ...Object.fromEntries(standardFields.map((name) => [name, standard])),
    AUTH_OPENID_PROVIDER_ENDPOINT: {
      ...standard,
      follow: (value) => {
        const base = `${String(value ?? '').replace(/\/+$/, '')}/`
        return Object.fromEntries(endpoints.map((name, at) => [name, `${base}${endpointPaths[at]}`]))
      },
    },
    AUTH_OPENID_CODE_CHALLENGE_METHOD: {
      state: { enableWhen: { AUTH_OPENID_KEYCLOAK: false, AUTH_OPENID_PKCE: true } },
    },
  },
}

export const saml2: CategoryForm = {
  category: 'saml2',
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['AUTH_SAML2'] },
    { key: 'certificate', title: 'settingCertificate', fields: ['SAML2_SP_KEY_CONTENT', 'SAML2_SP_CERT_CONTENT'] },
    {
      key: 'parameters',
      title: 'settingParameters',
      fields: ['SAML2_IDP_METADATA_URL', 'SAML2_IDP_METADATA_XML', 'SAML2_SP_ADVANCED_SETTINGS'],
    },
    {
      key: 'other',
      title: 'groupOther',
      fields: ['SAML2_LOGOUT_COMPLETELY', 'AUTH_SAML2_ALWAYS_UPDATE_USER', 'SAML2_RENAME_ATTRIBUTES'],
    },
  ],
  fields: {
    SAML2_SP_KEY_CONTENT: { widget: 'key-file' },
    SAML2_SP_CERT_CONTENT: { widget: 'key-file' },
    SAML2_IDP_METADATA_XML: { widget: 'textarea' },
  },
}

export const oauth2: CategoryForm = {
  category: 'oauth2',
  groups: [
    {
      key: 'basic',
      title: 'groupBasic',
      fields: [
        'AUTH_OAUTH2',
        'AUTH_OAUTH2_PROVIDER',
        'AUTH_OAUTH2_LOGO_PATH',
        'AUTH_OAUTH2_CLIENT_ID',
        'AUTH_OAUTH2_CLIENT_SECRET',
        'AUTH_OAUTH2_ACCESS_TOKEN_METHOD',
      ],
    },
    {
      key: 'parameters',
      title: 'settingParameters',
      fields: [
        'AUTH_OAUTH2_SCOPE',
        'AUTH_OAUTH2_PROVIDER_AUTHORIZATION_ENDPOINT',
        'AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT',
        'AUTH_OAUTH2_PROVIDER_USERINFO_ENDPOINT',
        'AUTH_OAUTH2_PROVIDER_END_SESSION_ENDPOINT',
      ],
    },
    {
      key: 'other',
      title: 'groupOther',
      fields: ['AUTH_OAUTH2_LOGOUT_COMPLETELY', 'AUTH_OAUTH2_ALWAYS_UPDATE_USER', 'AUTH_OAUTH2_USER_ATTR_MAP'],
    },
  ],
  fields: {
    AUTH_OAUTH2_CLIENT_SECRET: secretField,
    AUTH_OAUTH2_LOGO_PATH: { widget: 'image', with: { width: 64, height: 64 } },
  },
  // The address of the stored logo is not sent back.
  clean: ({ AUTH_OAUTH2_LOGO_PATH: logo, ...body }) =>
    logo instanceof File ? { ...body, AUTH_OAUTH2_LOGO_PATH: logo } : body,
}

const simple = (category: string, fields: readonly string[], secret: string): CategoryForm => ({
  category,
  groups: [{ key: 'basic', title: 'groupBasic', fields }],
  fields: { [secret]: secretField },
})

/** A chat service, with the button that tests the application. */
const chat = (category: string, fields: readonly string[], secret: string): CategoryForm => ({
  ...simple(category, fields, secret),
  buttons: testButton(`/api/v1/settings/${category}/testing/`),
})

export const wecom = chat('wecom', ['AUTH_WECOM', 'WECOM_CORPID', 'WECOM_AGENTID', 'WECOM_SECRET'], 'WECOM_SECRET')
export const dingtalk = chat(
  'dingtalk',
  ['AUTH_DINGTALK', 'DINGTALK_AGENTID', 'DINGTALK_APPKEY', 'DINGTALK_APPSECRET'],
  'DINGTALK_APPSECRET',
)
export const feishu = chat(
  'feishu',
  ['AUTH_FEISHU', 'FEISHU_APP_ID', 'FEISHU_APP_SECRET', 'FEISHU_VERSION'],
  'FEISHU_APP_SECRET',
)
export const radius = simple(
  'radius',
  ['AUTH_RADIUS', 'RADIUS_SERVER', 'RADIUS_PORT', 'RADIUS_SECRET', 'OTP_IN_RADIUS'],
  'RADIUS_SECRET',
)
