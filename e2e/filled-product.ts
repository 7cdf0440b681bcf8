/** A product with something on every screen. */
import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@castellan/contract/ids'
import { type Client, registerComponent, signIn } from '@castellan/testing/client'
import { type Product, type RunningProduct, startProduct } from '@castellan/testing/product'
import { buildSite, planSite, type SiteSize } from '@castellan/testing/site'
import { recordedFrom } from './screens.ts'

const hour = 3_600_000
const words = ['ls -l', 'cat /etc/hosts', 'systemctl status nginx', 'rm -rf /', 'vim notes', 'df -h']

/** Some sessions with commands, as a gateway would have reported them. */
async function reportSessions(product: RunningProduct, client: Client): Promise<void> {
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
      remote_addr: recordedFrom,
      type: 'normal',
      date_start: new Date(now - (at + 0.2) * hour).toISOString(),
      org_id: defaultOrgId,
    })
    const { id: sharing, verify_code } = await gateway.collection('terminal/session-sharings').create({
      session: session.id,
      expired_time: 10,
      users: [],
    })
    await gateway
      .collection('terminal/session-join-records')
      .create({ sharing, joiner: me.id, verify_code, remote_addr: recordedFrom })
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
  await client.collection('acls/login-asset-acls').create({
    ...rule,
    name: 'Office hours',
    action: 'reject',
    rules: { ip_group: ['198.51.100.0/24'], time_period: [] },
  })
  await client.collection('acls/connect-method-acls').create({
    name: 'Web terminal only',
    action: 'reject',
    users: everything,
    connect_methods: ['ssh_client'],
    comment: 'For review',
  })
  await client.collection('acls/login-acls').create({
    name: 'Not from the guest network',
    action: 'reject',
    users: everything,
    rules: { ip_group: ['203.0.113.0/24'], time_period: [] },
    priority: 50,
  })
}

/** A request for access, of which there is always one that waits. */
async function makeTicket(client: Client): Promise<void> {
  const [asset] = await client.collection('assets/hosts').all()
  await client.request('POST', '/api/v1/tickets/apply-asset-tickets/open/', {
    title: 'Access for the release',
    org_id: asset?.org_id,
    apply_assets: [asset?.id],
    apply_accounts: ['@ALL'],
    apply_actions: ['connect'],
    apply_date_start: new Date().toISOString(),
    apply_date_expired: new Date(Date.now() + 86_400_000).toISOString(),
    comment: 'For review',
  })
}

/** A platform that can be changed: the built-in ones cannot. */
const makePlatform = (client: Client) =>
  client.collection('assets/platforms').create({
    name: 'Hardened-Linux',
    category: 'host',
    type: 'linux',
    su_enabled: true,
    su_method: 'sudo',
    protocols: [
      { name: 'ssh', port: 2222, primary: true },
      { name: 'sftp', port: 2222 },
    ],
    automation: { ansible_enabled: true, ping_enabled: true, ping_method: 'posix_ping' },
    comment: 'For review',
  })

/** A platform with fields of its own, and an asset that fills them in. */
async function makeCustomAsset(client: Client): Promise<void> {
  const platform = await client.collection('assets/platforms').create({
    name: 'CRM',
    category: 'custom',
    type: 'crm',
    new_type: true,
    protocols: [{ name: 'crm', port: 9000, primary: true }],
    custom_fields: [
      { name: 'region', label: 'Region', type: 'choice', choices: ['north', 'south'], default: 'north' },
      { name: 'token', label: 'Token', type: 'password', help_text: 'From the vendor' },
      { name: 'retries', label: 'Retries', type: 'int' },
    ],
  })
  await client.collection('assets/customs').create({
    name: 'customer records',
    address: 'crm.example.com',
    platform: platform.id,
    custom_info: { region: 'south', token: 'of-nobody', retries: 3 },
    labels: [{ name: 'env', value: 'production' }],
  })
}

/** An asset of each category beside the hosts, whose platforms are built in, and one of a platform of its own. */
async function makeAssets(client: Client): Promise<void> {
  await makePlatform(client)
  await makeCustomAsset(client)
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

/** A domain with two gateways, of which one has been tested and found closed. */
async function makeDomain(client: Client): Promise<void> {
  const { results } = await client.collection<{ id: string }, object>('assets/hosts').page({ limit: 3 })
  const assets = results.map(({ id }) => id)
  const domain = await client
    .collection('assets/domains')
    .create({ name: 'Yard', assets, comment: 'Reached over the leased line' })
  const gateway = { address: '127.0.0.1', domain: domain.id, protocols: [{ name: 'ssh', port: 1 }] }
  const accounts = [{ name: 'jump', username: 'jump', secret_type: 'password', secret: 'of-nobody' }]
  for (const name of ['yard-gw-1', 'yard-gw-2'])
    await client.collection('assets/gateways').create({ ...gateway, name, accounts })
  await client.request('POST', `/api/v1/assets/domains/${domain.id}/test-gateways/`)
}

/** Accounts that were found on assets, and a plan that was executed: one of its assets failed, the other was skipped. */
async function collectAccounts(client: Client): Promise<void> {
  const host = { address: '127.0.0.1', platform: 1, protocols: [{ name: 'ssh', port: 1 }] }
  const account = { secret_type: 'password', secret: 'of-nobody' }
  const accounts = [
    { ...account, username: 'root', privileged: true },
    { ...account, username: 'deploy' },
  ]
  const made = [
    await client.collection('assets/hosts').create({ ...host, name: 'unreachable', accounts }),
    await client.collection('assets/hosts').create({ ...host, name: 'retired', is_active: false }),
  ]
  for (const [at, { id }] of made.entries())
    for (const username of ['root', 'deploy', 'backup'])
      await client.collection('accounts/gathered-accounts').create({
        asset: id,
        username,
        present: at === 0,
        address_last_login: '10.1.2.3',
        date_last_login: new Date().toISOString(),
      })
  const me = await client.request<{ id: string }>('GET', '/api/v1/users/profile/')
  const plan = await client.collection('accounts/gather-account-automations').create({
    name: 'Every night',
    assets: made.map(({ id }) => id),
    crontab: '0 2 * * *',
    recipients: [me.id],
    comment: 'For review',
  })
  await client.request('POST', '/api/v1/accounts/gather-account-executions/', { automation: plan.id })
  await setSecrets(
    client,
    made.map(({ id }) => id),
  )
}

/** Plans that change and push secrets, and their executions: none of the assets could be reached. */
async function setSecrets(client: Client, assets: readonly string[]): Promise<void> {
  const plan = {
    assets,
    accounts: ['deploy'],
    secret_type: 'password',
    secret_strategy: 'specific',
    secret: 'Of-nobody-1',
    interval: 24,
    comment: 'For review',
  }
  const plans = {
    'change-secret': { ...plan, name: 'Every month', crontab: '0 3 1 * *' },
    'push-account': { ...plan, name: 'New hosts' },
  }
  for (const [path, body] of Object.entries(plans)) {
    const { id } = await client.collection(`accounts/${path}-automations`).create(body)
    await client.request('POST', `/api/v1/accounts/${path}-executions/`, { automation: id })
  }
}

/** A plan of backups that ran and could not mail its file: there is no mail server. Products that ask for confirmations refuse it. */
async function backUpAccounts(client: Client): Promise<void> {
  const me = await client.request<{ id: string }>('GET', '/api/v1/users/profile/')
  const plan = await client.collection('accounts/account-backup-plans').create({
    name: 'Every week',
    types: ['linux', 'mysql'],
    crontab: '0 3 * * 0',
    recipients_part_one: [me.id],
    comment: 'For review',
  })
  await client.request('POST', '/api/v1/accounts/account-backup-plan-executions/', { plan: plan.id })
}

/** A storage outside of the server, and an endpoint for some of the assets. */
async function makeInfrastructure(client: Client): Promise<void> {
  await client.request('POST', '/api/v1/terminal/replay-storages/?type=s3', {
    name: 'Archive',
    type: 's3',
    meta: {
      BUCKET: 'recordings',
      ACCESS_KEY: 'AKIAEXAMPLE',
      SECRET_KEY: 'of-nobody',
      ENDPOINT: 'https://s3.example.com',
    },
    comment: 'For review',
  })
  await client.collection('terminal/applets').create({
    name: 'browser',
    display_name: 'Browser',
    version: '1.0',
    author: 'Castellan',
    type: 'web',
    protocols: ['http'],
    tags: ['Web'],
    comment: 'Opens internal sites',
  })
  const host = await client.collection('terminal/applet-hosts').create({
    name: 'apps-1',
    address: '127.0.0.1',
    // Nothing listens there, so that its deployment ends at once.
    protocols: [
      { name: 'rdp', port: 3389 },
      { name: 'ssh', port: 1 },
    ],
    auto_create_accounts: false,
    accounts: [{ name: 'Administrator', username: 'Administrator', secret: 'of-nobody', privileged: true }],
  })
  await client.request('POST', '/api/v1/terminal/applet-host-deployments/', { host: host.id })
  const endpoint = await client.collection('terminal/endpoints').create({ name: 'North', host: 'north.example.com' })
  const rule = { name: 'Northern assets', ip_group: ['10.9.0.0/16'], priority: 10, endpoint: endpoint.id }
  await client.collection('terminal/endpoint-rules').create(rule)
}

/** A template that accounts were created from, and one that generates a secret for each of them. */
async function makeTemplates(client: Client): Promise<void> {
  const templates = client.collection('accounts/account-templates')
  const deployment = { name: 'Deployment', username: 'deploy', secret: 'of-nobody', comment: 'For review' }
  const template = await templates.create(deployment)
  await templates.create({ name: 'Monitoring', username: 'monitor', secret_strategy: 'random', su_from: template.id })
  const { results } = await client.collection<{ id: string }, object>('assets/hosts').page({ limit: 3 })
  const assets = results.map(({ id }) => id)
  const body = { assets, template: template.id, on_invalid: 'skip' }
  await client.request('POST', '/api/v1/accounts/accounts/bulk/', body)
}

/** A network whose addresses became hosts, and an account with a secret that nothing was read with. */
async function synchronizeCloud(client: Client): Promise<void> {
  const path = (name: string) => client.collection(`xpack/cloud/${name}`)
  const attrs = { ip_group: ['198.51.100.1-198.51.100.6'], test_port: 0, test_timeout: 1, hostname_prefix: 'office-' }
  const account = await path('accounts').create({
    name: 'Office network',
    provider: 'lan',
    attrs,
    comment: 'For review',
  })
  await path('accounts').create({
    name: 'Cluster',
    provider: 'k8s',
    attrs: { api_endpoint: 'https://127.0.0.1:6443', token: 'of-nobody' },
  })
  const node = await client.collection('assets/nodes').create({ value: 'Imported' })
  const strategy = await path('strategies').create({
    name: 'Imported hosts',
    priority: 60,
    strategy_rules: [{ attr: 'instance_name', match: 'startswith', value: 'office-' }],
    strategy_actions: [
      { attr: 'node', value: node.id },
      { attr: 'platform', value: 1, protocols: [{ name: 'ssh', port: 22 }] },
    ],
  })
  const task = await path('sync-instance-tasks').create({
    name: 'Office, every night',
    account: account.id,
    regions: ['default'],
    hostname_strategy: 'instance_name',
    strategy: [strategy.id],
    crontab: '0 3 * * *',
    comment: 'For review',
  })
  await client.request('GET', `/api/v1/xpack/cloud/sync-instance-tasks/${task.id}/run/`)
}

/** What the administrator may use, one asset of it a favorite. */
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
  await client.request('POST', '/api/v1/authentication/connection-token/', {
    asset: results[0]?.id,
    account: '@INPUT',
    input_username: 'root',
    input_secret: 'for review',
    protocol: 'ssh',
    connect_method: 'ssh_client',
  })
}

/** A job of each kind with its template, and one execution. It has no host: what runs is tested elsewhere. */
async function makeJobs(client: Client): Promise<void> {
  const command = { name: 'Disk usage', module: 'shell', args: 'df -h', comment: 'For review' }
  await client.collection('ops/adhocs').create(command)
  const playbook = await client.collection('ops/playbooks').create({ name: 'Base packages', comment: 'For review' })
  const targets = { assets: [], nodes: [], runas: 'root', runas_policy: 'skip', is_periodic: false }
  const job = await client.collection('ops/jobs').create({ ...targets, ...command, type: 'adhoc' })
  await client
    .collection('ops/jobs')
    .create({ ...targets, name: 'Base packages', type: 'playbook', playbook: playbook.id })
  await client.request('POST', '/api/v1/ops/job-executions/', { job: job.id })
}

/** Fills a product: a site of some size, and one object of every kind that has a screen. */
export async function fill(product: RunningProduct, client: Client, size: Partial<SiteSize> = {}): Promise<void> {
  const usual = { seed: 1, nodes: 4, hosts: 12, users: 6, groups: 2, permissions: 2 }
  await buildSite(client, planSite({ ...usual, ...size }), {})
  await client
    .collection('users/users')
    .create({ name: 'Marta Kowalczyk', username: 'marta', email: 'marta@example.com' })
  await makeAssets(client)
  await client.collection('rbac/org-roles').create({ name: 'Operators', scope: 'org', comment: 'For review' })
  // Before the rules, which refuse such connections.
  await grantOwn(client)
  await makeRules(client)
  await makeTicket(client)
  await backUpAccounts(client)
  await collectAccounts(client)
  await makeTemplates(client)
  await makeDomain(client)
  await makeInfrastructure(client)
  await synchronizeCloud(client)
  await makeJobs(client)
  await reportSessions(product, client)
}

/** A product of its own with a site that fills a page of every list. */
export async function startFilledProduct(): Promise<{ product: Product; client: Client }> {
  const product = await startProduct({ env: { AUTH_TEMP_TOKEN: 'true', SECURITY_VIEW_AUTH_NEED_MFA: 'false' } })
  const client = await signIn(product.url, 'admin', product.adminPassword)
  await client.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  await client.request('PATCH', '/api/v1/settings/setting/?category=passkey', { AUTH_PASSKEY: true })
  await fill(product, client, { nodes: 24, hosts: 120, users: 60, groups: 8, permissions: 12 })
  return { product, client }
}
