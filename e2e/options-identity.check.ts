import { type AnyRow, type Client, type Page, signIn } from '@castellan/testing/client'
import { type Product, startProduct } from '@castellan/testing/product'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fields, recordedHere, setDifferences } from './recorded-options.ts'

const recorded = recordedHere()

let product: Product
let admin: Client
beforeAll(async () => {
  product = await startProduct()
  admin = await signIn(product.url, 'admin', product.adminPassword)
})
afterAll(() => product?.stop())

/** Apps whose metadata are compared in every fact, at every address, for every method. */
const whole = /^\/api\/v1\/(users|rbac|orgs|authentication|audits|notifications|settings|common)\//

/** What differs on purpose there, by address and field, with the reason. */
const deliberate: Readonly<Record<string, readonly string[]>> = {
  // A component without a status means success.
  '/api/v1/audits/ftp-logs/': ['is_success.default'],
  '/api/v1/authentication/access-keys/': ['is_active.default'],
  // The response itself names the signed-in user.
  '/api/v1/authentication/auth/': ['user: missing'],
  '/api/v1/authentication/tokens/': ['user: missing'],
  // Codes come by mail alone.
  '/api/v1/authentication/password/reset-code/': ['form_type.choices'],
  // A token is made by its rules alone, and lists are not lined up by secrets.
  ...Object.fromEntries(
    [
      ...['authentication/connection-token', 'authentication/connection-token/exchange'],
      ...['users/connection-token', 'users/connection-token/exchange', 'authentication/super-connection-token'],
      ...['exchange', 'applet-option', 'applet-account/release'].map(
        (name) => `authentication/super-connection-token/${name}`,
      ),
    ].map((path) => [
      `/api/v1/${path}/`,
      [
        ...['id.read_only', 'created_by.read_only', 'updated_by.read_only', 'is_active.read_only'],
        ...['org_id.read_only', 'org_id.max_length', 'org_id.order', 'value.order', 'input_secret.order'],
      ],
    ]),
  ),
  '/api/v1/authentication/temp-tokens/': ['secret.order'],
  // Passkeys confirm an operation too.
  '/api/v1/authentication/confirm/': ['mfa_type.choices'],
  '/api/v1/authentication/confirm/check/': ['mfa_type.choices'],
  // These answer something else than a token; they tell what may be sent.
  '/api/v1/authentication/super-connection-token/renewal/': ['*'],
  '/api/v1/authentication/super-connection-token/secret/': ['*'],
  // A number and an acknowledgement, not lists.
  ...Object.fromEntries(
    ['unread-total', 'mark-as-read-all'].map((name) => [
      `/api/v1/notifications/site-messages/${name}/`,
      ['has_read.filter', 'has_read.order', 'read_at.order', 'date_created.order'],
    ]),
  ),
  // Here the whole of every category.
  '/api/v1/settings/setting/?category=all': ['*'],
  // Users of the directory, of which nothing can be sent.
  '/api/v1/settings/ldap/users/': ['*'],
  // The vault is switched here, by more ways to sign in to it.
  ...Object.fromEntries(
    ['setting/?category=vault', 'vault/testing/'].map((path) => [
      `/api/v1/settings/${path}`,
      [
        ...['VAULT_HCP_NAMESPACE', 'VAULT_HCP_ROLE_ID', 'VAULT_HCP_SECRET_ID', 'VAULT_HCP_CA_CERT'],
        ...['VAULT_ENABLED.read_only', 'VAULT_HCP_TOKEN.default'],
      ],
    ]),
  ),
  // People change of themselves what is theirs only.
  '/api/v1/users/profile/': [
    ...['id', 'wecom_id', 'dingtalk_id', 'feishu_id', 'updated_by', 'password_strategy'].map(readOnly),
    ...['is_service_account', 'need_update_password', 'date_api_key_last_used'].map(readOnly),
    ...['email', 'wecom_id', 'dingtalk_id', 'feishu_id'].map((name) => `${name}.max_length`),
  ],
  // Users are not ordered by their passwords.
  '/api/v1/users/users/': ['password.order'],
  '/api/v1/users/users/{pk}/': ['password.order'],
}

function readOnly(name: string): string {
  return `${name}.read_only`
}

type Metadata = { actions: Record<string, Fields> }

const orNothing = (error: { status?: number }) => {
  if (error.status === 404) return undefined
  throw error
}

/** The OPTIONS response of a path; a detail path uses the first row of its list. */
async function metadataAt(path: string): Promise<Metadata | undefined> {
  const [collection = '', ...rest] = path.split('{pk}')
  if (rest.length === 0) return admin.request<Metadata>('OPTIONS', path).catch(orNothing)
  const list = await admin.request<Page<AnyRow>>('GET', `${collection}?limit=1`).catch(orNothing)
  const first = list?.results[0]
  return first && admin.request<Metadata>('OPTIONS', path.replace('{pk}', first.id)).catch(orNothing)
}

/** Every fact that differs at an address, without the ones that differ on purpose. */
function unwanted(path: string, wanted: Record<string, Fields>, actual: Metadata): string[] {
  const known = deliberate[path] ?? []
  if (known.includes('*')) return []
  return Object.keys(wanted)
    .filter((method) => actual.actions[method])
    .flatMap((method) => setDifferences('', wanted[method] as Fields, actual.actions[method] as Fields))
    .filter((line) => !known.some((start) => line === start || line.startsWith(`${start}: `)))
}

describe('what OPTIONS tells of people, roles, sign-in, logs, messages and settings', () => {
  it('is what was recorded in every fact, for people, roles, sign-in, logs, messages and settings', async () => {
    const found: Record<string, string[]> = {}
    for (const [path, { actions }] of recorded) {
      // Recorded by somebody who had just confirmed who they are, as a browser's session can.
      if (!whole.test(path) || /render-to-json|passkeys\/register/.test(path)) continue
      const answer = await metadataAt(path)
      const lines = answer ? unwanted(path, actions, answer) : []
      if (lines.length > 0) found[path] = [...new Set(lines)]
    }
    expect(found).toEqual({})
  })
})
