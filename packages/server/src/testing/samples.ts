import { randomBytes } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import type { Client } from '@castellan/testing/client'

/** Sent wherever a secret is expected; no response and no log may contain it. */
export const marker = `S3cret-${randomBytes(8).toString('hex')}-x`

let counter = 0
/** A unique word. */
export const fresh = (word: string) => `${word}-${randomBytes(3).toString('hex')}${counter++}`

type Body = Record<string, unknown>
type Sample = (admin: Client) => Promise<Body>

const made = async (admin: Client, path: string): Promise<string> => {
  const sample = samples[path]
  if (!sample) throw new Error(`There is no sample for ${path}.`)
  return (await admin.collection(path).create(await sample(admin))).id
}
const builtin = async (admin: Client, path: string, query: Record<string, string>): Promise<unknown> =>
  (await admin.collection(path).all(query))[0]?.id

const assetOf =
  (category: string, more: Body = {}): Sample =>
  async (admin) => ({
    name: fresh(category),
    address: category === 'web' ? 'https://10.1.2.3' : '10.1.2.3',
    platform: await builtin(admin, 'assets/platforms', { category }),
    ...more,
  })

const inPermission =
  (field: string, path: string): Sample =>
  async (admin) => ({
    [field]: await made(admin, path),
    assetpermission: await made(admin, 'perms/asset-permissions'),
  })

/** A body that creates a row, by the URL of its resource. */
export const samples: Readonly<Record<string, Sample>> = {
  'orgs/orgs': async () => ({ name: fresh('org') }),
  'rbac/roles': async () => ({ name: fresh('role'), scope: 'org', permissions: [] }),
  'rbac/system-roles': async () => ({ name: fresh('role'), scope: 'system', permissions: [] }),
  'rbac/org-roles': async () => ({ name: fresh('role'), scope: 'org', permissions: [] }),
  'rbac/role-bindings': async (admin) => ({
    user: await made(admin, 'users/users'),
    role: roleIds.orgAuditor,
    org: defaultOrgId,
  }),
  'rbac/system-role-bindings': async (admin) => ({
    user: await made(admin, 'users/users'),
    role: roleIds.systemAuditor,
  }),
  'rbac/org-role-bindings': async (admin) => ({ user: await made(admin, 'users/users'), role: roleIds.orgAuditor }),
  'users/users': async () => {
    const username = fresh('user')
    return { name: username, username, email: `${username}@example.com`, password_strategy: 'custom', password: marker }
  },
  'users/groups': async (admin) => ({ name: fresh('group'), users: [await made(admin, 'users/users')] }),
  'users/users-groups-relations': async (admin) => ({
    user: await made(admin, 'users/users'),
    usergroup: await made(admin, 'users/groups'),
  }),
  'assets/platforms': async () => ({
    name: fresh('platform'),
    category: 'host',
    type: 'linux',
    protocols: [{ name: 'ssh', port: 22, primary: true }],
  }),
  'assets/nodes': async () => ({ value: fresh('node') }),
  'assets/domains': async () => ({ name: fresh('domain') }),
  'assets/labels': async () => ({ name: fresh('label'), value: 'blue' }),
  'assets/hosts': assetOf('host'),
  'assets/devices': assetOf('device'),
  'assets/databases': assetOf('database', { db_name: 'main' }),
  'assets/clouds': assetOf('cloud'),
  'assets/webs': assetOf('web'),
  'assets/gpts': assetOf('gpt'),
  'assets/favorite-assets': async (admin) => ({ asset: await made(admin, 'assets/hosts') }),
  'accounts/accounts': async (admin) => ({
    name: fresh('account'),
    username: fresh('login'),
    asset: await made(admin, 'assets/hosts'),
    secret_type: 'password',
    secret: marker,
  }),
  'accounts/account-templates': async () => ({
    name: fresh('template'),
    username: 'root',
    secret_type: 'password',
    secret: marker,
  }),
  'accounts/gathered-accounts': async (admin) => ({
    asset: await made(admin, 'assets/hosts'),
    username: fresh('found'),
  }),
  'accounts/gather-account-automations': async (admin) => ({
    name: fresh('collection'),
    nodes: [await made(admin, 'assets/nodes')],
    recipients: [await made(admin, 'users/users')],
    is_periodic: false,
  }),
  'accounts/change-secret-automations': async (admin) => ({
    name: fresh('rotation'),
    accounts: ['root'],
    nodes: [await made(admin, 'assets/nodes')],
    recipients: [await made(admin, 'users/users')],
    secret_type: 'password',
    secret_strategy: 'specific',
    secret: marker,
    is_periodic: false,
  }),
  'accounts/push-account-automations': async (admin) => ({
    name: fresh('push'),
    accounts: ['root'],
    nodes: [await made(admin, 'assets/nodes')],
    secret_type: 'password',
    secret_strategy: 'specific',
    secret: marker,
    is_periodic: false,
  }),
  'accounts/account-backup-plans': async (admin) => ({
    name: fresh('backup'),
    types: ['linux'],
    recipients_part_one: [await made(admin, 'users/users')],
    is_periodic: false,
  }),
  'xpack/cloud/accounts': async () => ({
    name: fresh('cloud account'),
    provider: 'lan',
    attrs: { ip_group: ['127.0.0.1'], test_port: 0, test_timeout: 1, hostname_prefix: 'lan-' },
  }),
  'xpack/cloud/strategies': async (admin) => ({
    name: fresh('strategy'),
    strategy_rules: [{ attr: 'instance_name', match: 'contains', value: 'web' }],
    strategy_actions: [{ attr: 'node', value: await made(admin, 'assets/nodes') }],
  }),
  'xpack/cloud/strategy-rules': async (admin) => ({
    strategy: await made(admin, 'xpack/cloud/strategies'),
    attr: 'instance_name',
    match: 'exact',
    value: fresh('web'),
  }),
  'xpack/cloud/strategy-actions': async (admin) => ({
    strategy: await made(admin, 'xpack/cloud/strategies'),
    attr: 'node',
    value: { value: await made(admin, 'assets/nodes') },
  }),
  'xpack/cloud/sync-instance-tasks': async (admin) => ({
    name: fresh('sync task'),
    account: await made(admin, 'xpack/cloud/accounts'),
    regions: ['default'],
    hostname_strategy: 'instance_name',
    strategy: [await made(admin, 'xpack/cloud/strategies')],
    is_periodic: false,
  }),
  'ops/adhocs': async () => ({ name: fresh('command'), module: 'shell', args: 'uptime' }),
  'ops/playbooks': async () => ({ name: fresh('playbook') }),
  'ops/jobs': async (admin) => ({
    name: fresh('job'),
    args: 'uptime',
    assets: [await made(admin, 'assets/hosts')],
    is_periodic: false,
  }),
  'terminal/endpoints': async () => ({ name: fresh('endpoint'), host: '' }),
  'terminal/applets': async () => ({
    name: fresh('applet'),
    display_name: fresh('Applet'),
    version: '1.0',
    author: 'Somebody',
    type: 'web',
    protocols: ['http'],
    tags: [],
  }),
  'terminal/applet-hosts': async () => ({
    name: fresh('application host'),
    address: '10.1.2.3',
    auto_create_accounts: false,
  }),
  'terminal/endpoint-rules': async (admin) => ({
    name: fresh('rule'),
    ip_group: ['10.0.0.0/8'],
    priority: 10 + (counter % 80),
    endpoint: await made(admin, 'terminal/endpoints'),
  }),
  'perms/asset-permissions': async (admin) => ({
    name: fresh('permission'),
    users: [await made(admin, 'users/users')],
  }),
  'perms/asset-permissions-users-relations': inPermission('user', 'users/users'),
  'perms/asset-permissions-user-groups-relations': inPermission('usergroup', 'users/groups'),
  'perms/asset-permissions-assets-relations': inPermission('asset', 'assets/hosts'),
  'perms/asset-permissions-nodes-relations': inPermission('node', 'assets/nodes'),
  'acls/command-groups': async () => ({ name: fresh('commands'), type: 'command', content: 'reboot' }),
  'acls/command-filter-acls': async (admin) => ({
    name: fresh('filter'),
    priority: 50,
    users: { type: 'all' },
    assets: { type: 'all' },
    accounts: ['*'],
    action: 'reject',
    command_groups: [await made(admin, 'acls/command-groups')],
  }),
  'acls/login-asset-acls': async () => ({
    name: fresh('login rule'),
    priority: 50,
    users: { type: 'all' },
    assets: { type: 'all' },
    accounts: ['*'],
    rules: { ip_group: ['*'], time_period: [] },
    action: 'reject',
  }),
  'acls/login-acls': async (admin) => ({
    name: fresh('login rule'),
    users: { type: 'ids', ids: [await made(admin, 'users/users')] },
    rules: { ip_group: ['10.99.0.0/16'], time_period: [] },
  }),
  'acls/connect-method-acls': async () => ({
    name: fresh('method rule'),
    priority: 50,
    users: { type: 'all' },
    connect_methods: ['web_cli'],
    action: 'reject',
  }),
}

/** Collections that accept POST but have no sample, with the reason. */
export const withoutSample: Readonly<Record<string, string>> = {
  'assets/protocol-settings': 'made with their platform',
  'assets/assets': 'made under their category',
  'assets/gpts': 'no built-in platform without the extended edition’s applications',
  'assets/customs': 'needs a custom platform of its own',
  'assets/gateways': 'needs a domain of its own; covered by the assets module',
  'accounts/virtual-accounts': 'each organization has its rows already',
  'tickets/flows': 'one for each type and organization; covered by the tickets module',
  'terminal/sessions': 'reported by components only; covered by the terminal module',
  'terminal/session-sharings': 'created by components only; covered by the terminal module',
  'terminal/session-join-records': 'reported by components only; covered by the terminal module',
  'terminal/tasks': 'orders to components; covered by the terminal module',
  'terminal/command-storages': 'only the built-in kinds exist so far',
  'terminal/replay-storages': 'only the built-in kinds exist so far',
  'terminal/applet-publications': 'each application has a row for each host already',
  'audits/ftp-logs': 'reported by components only; covered by the audits module',
}
