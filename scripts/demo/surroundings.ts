/** What stands around the assets of the company, and runs on its own: gateways, clouds, plans, remote applications. */
import type { Client } from '../../packages/testing/src/client.ts'
import type { Going } from './month.ts'
import { ownThings } from './own-things.ts'
import { idOf, type Place } from './place.ts'
import { makeReviews } from './reviews.ts'

/** Two gateways of the domain. Their addresses are reserved for documentation. */
async function placeGateways(client: Client): Promise<void> {
  const domain = await idOf(client, 'assets/domains', 'São Paulo')
  for (const number of [1, 2])
    await client.collection('assets/gateways').create({
      ...{ name: `sao-paulo-gw-${number}`, address: `203.0.113.${200 + number}`, domain },
      protocols: [{ name: 'ssh', port: 22 }],
      accounts: [{ name: 'jump', username: 'jump', secret_type: 'password', secret: 'of-nobody' }],
    })
}

/** An asset of a kind that the company has defined by itself. */
async function defineOwnKind(client: Client): Promise<void> {
  const platform = await client.collection('assets/platforms').create({
    ...{ name: 'CRM', category: 'custom', type: 'crm', new_type: true },
    protocols: [{ name: 'crm', port: 9000, primary: true }],
    custom_fields: [
      { name: 'region', label: 'Region', type: 'choice', choices: ['north', 'south'], default: 'north' },
      { name: 'tenant', label: 'Tenant', type: 'str' },
    ],
  })
  for (const region of ['north', 'south'])
    await client.collection('assets/customs').create({
      ...{ name: `customers-${region}`, address: `crm-${region}.example.com`, platform: platform.id },
      custom_info: { region, tenant: `shop-${region}` },
      nodes_display: ['/Default/Office/Web'],
    })
}

/** What the administrator is on call for: favorites, commands and jobs. Returns what runs the job. */
async function beOnCall(client: Client, { host, account }: Place): Promise<string> {
  const me = await client.request<{ id: string }>('GET', '/api/v1/users/profile/')
  await client.collection('perms/asset-permissions').create({
    ...{ name: 'Administrator: on call', users: [me.id], user_groups: [], assets: [host], nodes: [] },
    ...{ accounts: ['@ALL'], protocols: ['all'], actions: ['all'], is_active: true },
  })
  await client.request('POST', '/api/v1/assets/favorite-assets/', { asset: host })
  const command = { name: 'Free memory', module: 'shell', args: 'head -3 /proc/meminfo' }
  await client.collection('ops/adhocs').create({ ...command, comment: '' })
  await client.collection('ops/playbooks').create({ name: 'Base packages', comment: 'On every new host' })
  const { id } = await client.collection('ops/jobs').create({
    ...{ ...command, type: 'adhoc', assets: [host], nodes: [], runas: account, runas_policy: 'skip' },
    ...{ is_periodic: false, timeout: 60 },
  })
  return id
}

/** Plans that back up, change and push secrets. Returns what runs each of them. */
async function planSecrets(client: Client, host: string): Promise<Readonly<Record<string, object>>> {
  const me = await client.request<{ id: string }>('GET', '/api/v1/users/profile/')
  const backup = await client.collection('accounts/account-backup-plans').create({
    ...{ name: 'Every week', types: ['linux', 'mysql', 'postgresql'], crontab: '0 3 * * 0', is_periodic: true },
    recipients_part_one: [me.id],
  })
  const plan = { assets: [host], secret_type: 'password', secret_strategy: 'random', password_rules: { length: 24 } }
  const change = await client
    .collection('accounts/change-secret-automations')
    .create({ ...plan, name: 'Every month', accounts: ['deploy'], crontab: '0 4 1 * *', is_periodic: true })
  const push = await client
    .collection('accounts/push-account-automations')
    .create({ ...plan, name: 'Monitoring on new hosts', accounts: ['monitor'], is_periodic: false })
  return {
    'account-backup-plan': { plan: backup.id },
    'change-secret': { automation: change.id },
    'push-account': { automation: push.id },
  }
}

/** A network whose addresses become hosts. Nothing is sent to them. Returns the task. */
async function connectNetwork(client: Client): Promise<string> {
  const path = (name: string) => client.collection(`xpack/cloud/${name}`)
  const attrs = { ip_group: ['198.51.100.130-198.51.100.136'], test_port: 0, test_timeout: 1, hostname_prefix: 'lab-' }
  const account = await path('accounts').create({ name: 'Laboratory', provider: 'lan', attrs })
  const node = await client.collection('assets/nodes').create({ value: 'Laboratory' })
  const strategy = await path('strategies').create({
    ...{ name: 'Hosts of the laboratory', priority: 60 },
    strategy_rules: [{ attr: 'instance_name', match: 'startswith', value: 'lab-' }],
    strategy_actions: [{ attr: 'node', value: node.id }],
  })
  const task = await path('sync-instance-tasks').create({
    ...{ name: 'Laboratory, every night', account: account.id, regions: ['default'], crontab: '0 3 * * *' },
    ...{ hostname_strategy: 'instance_name', strategy: [strategy.id] },
  })
  return task.id
}

/** Remote applications with a host on which they are to be deployed, and an endpoint for one site. */
async function prepareApplets(client: Client): Promise<string> {
  const common = { version: '1.0', author: 'Castellan', tags: ['Web'] }
  const applets = [
    { ...common, name: 'browser', display_name: 'Browser', type: 'web', protocols: ['http'] },
    { ...common, name: 'dbeaver', display_name: 'DBeaver', type: 'general', protocols: ['mysql', 'postgresql'] },
  ]
  for (const applet of applets) await client.collection('terminal/applets').create(applet)
  const host = await client.collection('terminal/applet-hosts').create({
    ...{ name: 'apps-frankfurt-1', address: '127.0.0.1', auto_create_accounts: false },
    // Nothing listens there, so that its deployment ends at once.
    protocols: [
      { name: 'rdp', port: 3389 },
      { name: 'ssh', port: 1 },
    ],
    accounts: [{ name: 'Administrator', username: 'Administrator', secret: 'of-nobody', privileged: true }],
  })
  const endpoint = await client.collection('terminal/endpoints').create({ name: 'Tokyo', host: 'tokyo.example.com' })
  await client
    .collection('terminal/endpoint-rules')
    .create({ name: 'Assets in Tokyo', ip_group: ['10.20.5.0/24'], priority: 10, endpoint: endpoint.id })
  return host.id
}

/** Creates all of it. Returns what happens on a day, by the number of days until today. */
export async function surround(place: Place): Promise<(ago: number, going: Going) => Promise<void>> {
  const client = await place.admin()
  await placeGateways(client)
  await defineOwnKind(client)
  const review = await makeReviews(place)
  const job = await beOnCall(client, place)
  const plans = await planSecrets(client, place.host)
  const task = await connectNetwork(client)
  const appletHost = await prepareApplets(client)
  return async (ago, going) => {
    const today = await place.admin()
    const post = (path: string, body: object) => today.request('POST', `/api/v1/${path}/`, body)
    if (ago % 7 === 3) for (const [name, body] of Object.entries(plans)) await post(`accounts/${name}-executions`, body)
    if (ago % 7 === 4) await today.request('GET', `/api/v1/xpack/cloud/sync-instance-tasks/${task}/run/`)
    if (ago % 7 === 5) await post('ops/job-executions', { job })
    if (ago % 14 === 6) await post('terminal/applet-host-deployments', { host: appletHost })
    await review(ago, going)
    if (ago === 1) await ownThings(place)
  }
}
