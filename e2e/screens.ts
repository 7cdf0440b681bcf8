/** Every screen that stands, for the checks and pictures that go through all of them. */
import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@castellan/contract/ids'
import { type RouteName, routes } from '@castellan/contract/routes'
import { type Client, registerComponent, signIn } from '@castellan/testing/client'
import { type Product, startProduct } from '@castellan/testing/product'
import { buildSite, planSite } from '@castellan/testing/site'
import type { Page } from 'playwright-core'

export interface ScreenOfProduct {
  name: RouteName
  /** Collection whose first row the `:id` is; the list of these rows. */
  of?: string
  query?: string
  /** A tab of it, where that is not the first. */
  tab?: string
  /** One screen each of the kinds people are shown pictures of. */
  kind?: string
}

export const screens: readonly ScreenOfProduct[] = [
  { name: 'AdminDashboard', kind: 'dashboard' },
  { name: 'UserList', kind: 'list' },
  { name: 'UserCreate', kind: 'form' },
  { name: 'UserUpdate', of: 'users/users' },
  { name: 'UserDetail', of: 'users/users', kind: 'detail' },
  { name: 'UserGroupList' },
  { name: 'UserGroupCreate' },
  { name: 'UserGroupUpdate', of: 'users/groups' },
  { name: 'UserGroupDetail', of: 'users/groups' },
  { name: 'RoleList' },
  { name: 'RoleCreate', kind: 'rights' },
  { name: 'RoleDetail', of: 'rbac/org-roles', query: 'scope=org' },
  { name: 'AssetList', kind: 'tree' },
  { name: 'AssetDetail', of: 'assets/hosts' },
  { name: 'HostCreate' },
  { name: 'HostUpdate', of: 'assets/hosts', kind: 'long-form' },
  { name: 'DeviceCreate' },
  { name: 'DeviceUpdate', of: 'assets/devices' },
  { name: 'DatabaseCreate' },
  { name: 'DatabaseUpdate', of: 'assets/databases' },
  { name: 'CloudCreate' },
  { name: 'CloudUpdate', of: 'assets/clouds' },
  { name: 'WebCreate' },
  { name: 'WebUpdate', of: 'assets/webs' },
  { name: 'GptCreate' },
  { name: 'GptUpdate', of: 'assets/gpts' },
  // Its platforms come with applets; without one the form says so.
  { name: 'CustomCreate' },
  { name: 'PlatformList' },
  { name: 'PlatformDetail', of: 'assets/platforms' },
  { name: 'AssetAccountList' },
  { name: 'AssetAccountDetail', of: 'accounts/accounts' },
  { name: 'AssetPermissionList' },
  { name: 'AssetPermissionCreate', kind: 'effect' },
  { name: 'AssetPermissionUpdate', of: 'perms/asset-permissions' },
  { name: 'AssetPermissionDetail', of: 'perms/asset-permissions' },
  { name: 'CommandFilterAclList' },
  { name: 'CommandFilterAclCreate', kind: 'rule' },
  { name: 'CommandFilterAclDetail', of: 'acls/command-filter-acls' },
  { name: 'CommandFilterAclList', tab: 'CommandGroup' },
  { name: 'CommandGroupCreate' },
  { name: 'CommandGroupDetail', of: 'acls/command-groups' },
  { name: 'AssetAclList' },
  { name: 'AssetAclCreate' },
  { name: 'AssetAclDetail', of: 'acls/login-asset-acls' },
  { name: 'ConnectMethodAclList' },
  { name: 'ConnectMethodAclCreate' },
  { name: 'ConnectMethodAclDetail', of: 'acls/connect-method-acls' },
  { name: 'AuditDashboard' },
  { name: 'OnlineSession' },
  { name: 'SessionList', kind: 'sessions' },
  { name: 'SessionList', tab: 'OfflineList' },
  { name: 'SessionDetail', of: 'terminal/sessions' },
  { name: 'SessionDetail', of: 'terminal/sessions', tab: 'SessionCommands' },
  { name: 'CommandList' },
  { name: 'FtpLog' },
  { name: 'LoginLogList' },
  { name: 'LoginLogDetail', of: 'audits/login-logs' },
  { name: 'OperateLogList', kind: 'log' },
  { name: 'OperateLogDetail', of: 'audits/operate-logs' },
  { name: 'PasswordChangeLog' },
  { name: 'MyHome', kind: 'workbench' },
  { name: 'MyAssets' },
  { name: 'OrganizationList' },
  { name: 'OrganizationCreate' },
  { name: 'OrganizationDetail', of: 'orgs/orgs' },
  { name: 'License' },
  { name: 'ProfileInfo', kind: 'profile' },
  { name: 'ProfileSetting' },
  { name: 'ProfileSetting', tab: 'PasswordUpdate' },
  { name: 'ProfileSetting', tab: 'SSHUpdate' },
  { name: 'UserSetting' },
  { name: 'UserSetting', tab: 'LunaUpdate' },
  { name: 'UserSetting', tab: 'KokoUpdate' },
  { name: 'ProfileImprovement' },
  { name: 'ApiKey' },
]

/** What a screen is called in lists of them: its route, and its tab. */
export const labelOf = ({ name, tab }: ScreenOfProduct): string => (tab ? `${name}-${tab}` : name)

/** The address of a screen below the hash, with the id of a row where it is about one. */
export async function addressOf(client: Client, screen: ScreenOfProduct): Promise<string> {
  const { path: bare } = routes[screen.name]
  const query = [screen.query, screen.tab && `activeTab=${screen.tab}`].filter(Boolean).join('&')
  const path = query ? `${bare}?${query}` : bare
  if (!screen.of) return path
  const { results } = await client.collection(screen.of).page({ limit: 1 })
  const [row] = results
  if (!row) throw new Error(`There is no row in ${screen.of} for ${screen.name}.`)
  return path.replace(':id', String(row.id))
}

const hour = 3_600_000
const words = ['ls -l', 'cat /etc/hosts', 'systemctl status nginx', 'rm -rf /', 'vim notes', 'df -h']

/** Some sessions with commands, as a gateway would have reported them. */
async function reportSessions(product: Product, client: Client): Promise<void> {
  const gateway = await registerComponent(
    product.url,
    product.bootstrapToken,
    `[KoKo]-shots-${randomUUID().slice(0, 8)}`,
  )
  const hosts = await client.collection<{ id: string; name: string; address: string }, object>('assets/hosts').page({
    limit: 12,
  })
  const me = await client.request<{ id: string }>('GET', '/api/v1/users/profile/')
  const now = Date.now()
  for (const [at, host] of hosts.results.entries()) {
    const session = await gateway.collection('terminal/sessions').create({
      id: randomUUID(),
      user: 'Administrator(admin)',
      user_id: me.id,
      asset: `${host.name}(${host.address})`,
      asset_id: host.id,
      account: 'root(root)',
      account_id: randomUUID(),
      protocol: 'ssh',
      login_from: at % 2 === 0 ? 'WT' : 'ST',
      remote_addr: '127.0.0.1',
      type: 'normal',
      date_start: new Date(now - (at + 0.2) * hour).toISOString(),
      org_id: defaultOrgId,
    })
    if (at === 3) await gateway.collection('terminal/sessions').change(session.id, { is_success: false })
    if (at > 2) await gateway.collection('terminal/sessions').change(session.id, { is_finished: true })
    await gateway.collection('audits/ftp-logs').create({
      id: randomUUID(),
      user: 'Administrator(admin)',
      asset: `${host.name}(${host.address})`,
      account: 'root(root)',
      org_id: defaultOrgId,
      remote_addr: '127.0.0.1',
      operate: 'download',
      filename: '/var/log/nginx/access.log',
      is_success: at !== 5,
      session: session.id,
    })
    await gateway.request(
      'POST',
      '/api/v1/terminal/commands/',
      words.map((input, index) => ({
        user: 'Administrator(admin)',
        asset: `${host.name}(${host.address})`,
        account: 'root(root)',
        session: session.id,
        input,
        output: 'some output of this command\n',
        risk_level: input.startsWith('rm') ? 5 : 0,
        timestamp: Math.floor((now - (at + 0.2) * hour) / 1000) + index * 20,
        org_id: defaultOrgId,
      })),
    )
  }
}

const everything = { type: 'all' } as const

/** One rule of each kind, so that no list of rules is empty. */
async function makeRules(client: Client): Promise<void> {
  const group = await client
    .collection('acls/command-groups')
    .create({ name: 'Restarts', type: 'command', content: 'reboot\nshutdown', comment: 'Whatever stops a host' })
  const rule = { users: everything, assets: everything, accounts: ['*'], priority: 50, comment: 'For review' }
  await client
    .collection('acls/command-filter-acls')
    .create({ ...rule, name: 'No restarts', action: 'reject', command_groups: [group.id] })
  await client
    .collection('acls/login-asset-acls')
    .create({ ...rule, name: 'Office hours', action: 'reject', rules: { ip_group: ['*'], time_period: [] } })
  await client.collection('acls/connect-method-acls').create({
    name: 'Web terminal only',
    action: 'reject',
    users: everything,
    connect_methods: ['ssh_client'],
    comment: 'For review',
  })
}

/** An asset of each category beside the hosts, whose platforms are built in. */
async function makeAssets(client: Client): Promise<void> {
  const assets = {
    devices: { name: 'core switch', address: '10.9.0.1', platform: 'Cisco' },
    databases: { name: 'orders', address: '10.9.0.2', platform: 'MySQL', db_name: 'orders', use_ssl: true },
    clouds: { name: 'production cluster', address: 'https://k8s.example.com:6443', platform: 'Kubernetes' },
    webs: { name: 'back office', address: 'https://shop.example.com/admin', platform: 'Website' },
    gpts: { name: 'assistant', address: 'https://api.example.com/v1/', platform: 'ChatGPT' },
  }
  const platforms = await client.collection<{ id: number; name: string }>('assets/platforms').all()
  for (const [path, { platform, ...asset }] of Object.entries(assets)) {
    const id = platforms.find(({ name }) => name === platform)?.id
    await client.collection(`assets/${path}`).create({ ...asset, platform: id })
  }
}

/** What the administrator may use, one asset of it a favourite. */
async function grantOwn(client: Client): Promise<void> {
  const me = await client.request<{ id: string }>('GET', '/api/v1/users/profile/')
  const { results } = await client.collection<{ id: string; name: string }, object>('assets/hosts').page({ limit: 9 })
  await client.collection('perms/asset-permissions').create({
    name: 'On call',
    users: [me.id],
    assets: results.map(({ id }) => id),
    accounts: ['@ALL', '@INPUT'],
    protocols: ['all'],
    actions: ['all'],
  })
  await client.request('POST', '/api/v1/assets/favorite-assets/', { asset: results[0]?.id })
}

/** Gives the password once more, which some screens ask for before they show anything. */
export async function confirmOnce(page: Page, url: string, password: string): Promise<void> {
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name.endsWith('csrftoken'))?.value ?? ''
  const answer = await page.request.post(`${url}/api/v1/authentication/confirm/`, {
    headers: { 'X-CSRFToken': token, Referer: `${url}/ui/` },
    data: { confirm_type: 'password', mfa_type: '', secret_key: password },
  })
  if (!answer.ok()) throw new Error(`The password was not confirmed: ${answer.status()} ${await answer.text()}`)
}

/** A product with something on every screen. */
export async function startFilledProduct(): Promise<{ product: Product; client: Client }> {
  const product = await startProduct()
  const client = await signIn(product.url, 'admin', product.adminPassword)
  await client.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  await buildSite(client, planSite({ seed: 1, nodes: 24, hosts: 120, users: 60, groups: 8, permissions: 12 }), {})
  await client
    .collection('users/users')
    .create({ name: 'Marta Kowalczyk', username: 'marta', email: 'marta@example.com' })
  await makeAssets(client)
  await makeRules(client)
  await grantOwn(client)
  await reportSessions(product, client)
  return { product, client }
}
