/** The company of the demo: people, assets of every kind, permissions and rules, as an installation has them after a while. */
import { roleIds } from '../../packages/contract/src/ids.ts'
import type { AnyRow, Client } from '../../packages/testing/src/client.ts'
import { sequence } from '../../packages/testing/src/sequence.ts'

export interface Colleague {
  name: string
  username: string
  team: string
}

const teams: Readonly<Record<string, readonly string[]>> = {
  'Linux platform': ['Marta Kowalczyk', 'Jonas Weber', 'Priya Nair', 'Luca Romano', '佐藤 健', '王 磊'],
  Databases: ['Elena Petrova', 'Samuel Osei', '高橋 美咲', '陈 静', 'Freya Lindqvist'],
  Network: ['Diego Fernández', 'Aisha Rahman', 'Tom Becker', '李 娜'],
  Applications: [
    'Chloé Martin',
    'Noah Jensen',
    '鈴木 大輔',
    'Amara Okafor',
    'Ivan Horvat',
    'Grace Kim',
    '张 伟',
    'Sara Lopes',
  ],
  Windows: ['Peter Novák', 'Hannah Schmidt', 'Omar Haddad', '田中 由美'],
  Support: ['Lily Chen', 'Mateo Silva', 'Ruth Adler', 'Kofi Mensah', '刘 洋'],
  Contractors: ['Viktor Sokolov', 'Maya Patel', 'Ethan Clarke', '山本 翔'],
}

/** Everybody beside the people who are printed at the start. Names in other scripts sign in by team and number. */
export const colleagues: readonly Colleague[] = Object.entries(teams).flatMap(([team, names]) =>
  names.map((name, at) => {
    const plain = name
      .normalize('NFD')
      .replace(/[^\p{ASCII}]/gu, '')
      .trim()
      .toLowerCase()
      .replace(/\s+/g, '.')
    return { name, team, username: plain || `${team.split(' ')[0]?.toLowerCase()}${at + 1}` }
  }),
)

/** Assets of one kind: its path in the API, its platform, its names, and where it stands in the tree. */
interface Fleet {
  path: string
  platform: string
  count: number
  name: string
  nodes: readonly string[]
  team: string
  /** Where it is reached; `{}` is its number. */
  address: string
  accounts: readonly string[]
  more?: object
}

const sites = ['Frankfurt', 'Tokyo', 'Shanghai', 'São Paulo']
const inSites = (below: string) => sites.map((site) => `/Default/Data centers/${site}/${below}`)

// Addresses are those reserved for documentation, or private: connecting to them disturbs nobody.
const fleets: readonly Fleet[] = [
  {
    path: 'hosts',
    platform: 'Linux',
    count: 48,
    name: 'web',
    nodes: inSites('Web'),
    team: 'Linux platform',
    address: '10.20.1.{}',
    accounts: ['root', 'deploy'],
  },
  {
    path: 'hosts',
    platform: 'Linux',
    count: 32,
    name: 'app',
    nodes: inSites('Applications'),
    team: 'Applications',
    address: '10.20.2.{}',
    accounts: ['root', 'deploy'],
  },
  {
    path: 'hosts',
    platform: 'Linux',
    count: 14,
    name: 'build',
    nodes: ['/Default/Engineering/Build'],
    team: 'Applications',
    address: '10.20.3.{}',
    accounts: ['root', 'ci'],
  },
  {
    path: 'hosts',
    platform: 'AIX',
    count: 3,
    name: 'ledger',
    nodes: ['/Default/Finance'],
    team: 'Linux platform',
    address: '10.20.4.{}',
    accounts: ['root'],
  },
  {
    path: 'hosts',
    platform: 'BSD',
    count: 4,
    name: 'edge',
    nodes: inSites('Edge'),
    team: 'Network',
    address: '10.20.5.{}',
    accounts: ['root'],
  },
  {
    path: 'hosts',
    platform: 'Windows2016',
    count: 20,
    name: 'win',
    nodes: ['/Default/Office/Windows'],
    team: 'Windows',
    address: '10.20.6.{}',
    accounts: ['Administrator', 'service'],
  },
  {
    path: 'hosts',
    platform: 'macOS',
    count: 3,
    name: 'mac-build',
    nodes: ['/Default/Engineering/Build'],
    team: 'Applications',
    address: '10.20.7.{}',
    accounts: ['ci'],
  },
  {
    path: 'devices',
    platform: 'Cisco',
    count: 9,
    name: 'core-switch',
    nodes: inSites('Network'),
    team: 'Network',
    address: '10.20.8.{}',
    accounts: ['admin'],
  },
  {
    path: 'devices',
    platform: 'Huawei',
    count: 5,
    name: 'router',
    nodes: inSites('Network'),
    team: 'Network',
    address: '10.20.9.{}',
    accounts: ['admin'],
  },
  {
    path: 'devices',
    platform: 'H3C',
    count: 3,
    name: 'firewall',
    nodes: inSites('Network'),
    team: 'Network',
    address: '10.20.10.{}',
    accounts: ['admin'],
  },
  {
    path: 'databases',
    platform: 'PostgreSQL',
    count: 10,
    name: 'orders-pg',
    nodes: inSites('Databases'),
    team: 'Databases',
    address: '10.20.11.{}',
    accounts: ['postgres', 'orders'],
    more: { db_name: 'orders' },
  },
  {
    path: 'databases',
    platform: 'MySQL',
    count: 10,
    name: 'shop-mysql',
    nodes: inSites('Databases'),
    team: 'Databases',
    address: '10.20.12.{}',
    accounts: ['root', 'shop'],
    more: { db_name: 'shop' },
  },
  {
    path: 'databases',
    platform: 'Oracle',
    count: 3,
    name: 'erp-ora',
    nodes: ['/Default/Finance'],
    team: 'Databases',
    address: '10.20.13.{}',
    accounts: ['SYSTEM'],
    more: { db_name: 'ERP' },
  },
  {
    path: 'databases',
    platform: 'SQLServer',
    count: 4,
    name: 'crm-sql',
    nodes: ['/Default/Office/Databases'],
    team: 'Databases',
    address: '10.20.14.{}',
    accounts: ['sa'],
    more: { db_name: 'crm' },
  },
  {
    path: 'databases',
    platform: 'MongoDB',
    count: 3,
    name: 'catalog-mongo',
    nodes: inSites('Databases'),
    team: 'Databases',
    address: '10.20.15.{}',
    accounts: ['root'],
    more: { db_name: 'admin' },
  },
  {
    path: 'databases',
    platform: 'Redis6+',
    count: 5,
    name: 'cache',
    nodes: inSites('Databases'),
    team: 'Applications',
    address: '10.20.16.{}',
    accounts: ['default'],
    more: { db_name: '0' },
  },
  {
    path: 'clouds',
    platform: 'Kubernetes',
    count: 4,
    name: 'cluster',
    nodes: ['/Default/Clouds'],
    team: 'Applications',
    address: 'https://k8s-{}.example.com:6443',
    accounts: ['operator'],
  },
  {
    path: 'webs',
    platform: 'Website',
    count: 8,
    name: 'back-office',
    nodes: ['/Default/Office/Web'],
    team: 'Support',
    address: 'https://tool-{}.example.com/',
    accounts: ['support'],
  },
  {
    path: 'gpts',
    platform: 'ChatGPT',
    count: 1,
    name: 'assistant',
    nodes: ['/Default/Office/Web'],
    team: 'Support',
    address: 'https://api.example.com/v1/',
    accounts: ['team'],
  },
]

/** An asset that sessions lead to. */
export interface Workplace {
  id: string
  name: string
  address: string
  team: string
  path: string
  accounts: readonly { id: string; name: string; username: string }[]
}

const twoDigits = (at: number) => String(at).padStart(2, '0')

async function createUsers(client: Client, password: string): Promise<Map<string, AnyRow>> {
  const rows = await client.collection('users/users').createMany(
    colleagues.map(({ name, username }) => ({
      name,
      username,
      email: `${username}@example.com`,
      password_strategy: 'custom',
      password,
      need_update_password: false,
      source: 'local',
      mfa_level: 0,
      system_roles: [roleIds.user],
      org_roles: [roleIds.orgUser],
    })),
  )
  const byName = new Map(rows.map((row) => [String(row.username), row]))
  await client.collection('users/groups').createMany(
    Object.keys(teams).map((team) => ({
      name: team,
      users: colleagues.filter((one) => one.team === team).map(({ username }) => byName.get(username)?.id),
    })),
  )
  return byName
}

async function createAssets(client: Client): Promise<Workplace[]> {
  const platforms = await client.collection<{ id: number; name: string }>('assets/platforms').all()
  const next = sequence(7)
  const labels = ['production', 'production', 'production', 'staging', 'test']
  const made: Workplace[] = []
  for (const { path, platform, count, name, nodes, team, address, accounts, more } of fleets) {
    const rows = await client.collection(`assets/${path}`).createMany(
      Array.from({ length: count }, (_, at) => ({
        name: `${name}-${twoDigits(at + 1)}`,
        address: address.replace('{}', `${at + 11}`),
        platform: platforms.find((one) => one.name === platform)?.id,
        nodes_display: [nodes[at % nodes.length]],
        labels: [
          { name: 'env', value: labels[Math.floor(next() * labels.length)] },
          { name: 'team', value: team },
        ],
        is_active: at % 23 !== 22,
        accounts: accounts.map((username, index) => ({
          name: username,
          username,
          privileged: index === 0,
          secret_type: 'password',
          secret: `of-nobody-${at}`,
          is_active: true,
        })),
        ...more,
      })),
    )
    for (const row of rows)
      made.push({ id: row.id, name: String(row.name), address: String(row.address), team, path, accounts: [] })
  }
  const found = await client
    .collection<{ id: string; name: string; username: string; asset: { id: string } }, object>('accounts/accounts')
    .all()
  return made.map((asset) => ({ ...asset, accounts: found.filter((one) => one.asset.id === asset.id) }))
}

async function createPermissions(client: Client): Promise<void> {
  const groups = await client.collection<{ id: string; name: string }>('users/groups').all()
  const nodes = await client.collection<{ id: string; full_value: string }>('assets/nodes').all()
  const node = (path: string) => nodes.find(({ full_value }) => full_value === path)?.id
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  const grants: readonly [name: string, team: string, nodes: readonly string[], more?: object][] = [
    ['Linux platform: web and edge', 'Linux platform', [...inSites('Web'), ...inSites('Edge'), '/Default/Finance']],
    ['Databases: all of them', 'Databases', [...inSites('Databases'), '/Default/Office/Databases', '/Default/Finance']],
    ['Network: devices and edge', 'Network', [...inSites('Network'), ...inSites('Edge')]],
    [
      'Applications: servers and builds',
      'Applications',
      [...inSites('Applications'), '/Default/Engineering/Build', '/Default/Clouds'],
    ],
    [
      'Applications: read the databases',
      'Applications',
      inSites('Databases'),
      { accounts: ['orders', 'shop'], actions: ['connect'] },
    ],
    ['Windows: office', 'Windows', ['/Default/Office/Windows']],
    ['Support: back office', 'Support', ['/Default/Office/Web']],
    [
      'Contractors: staging until the end of the year',
      'Contractors',
      [inSites('Web')[0] ?? ''],
      { actions: ['connect'], date_expired: days(45) },
    ],
  ]
  await client.collection('perms/asset-permissions').createMany(
    grants.map(([name, team, places, more]) => ({
      name,
      users: [],
      user_groups: [groups.find((group) => group.name === team)?.id],
      assets: [],
      nodes: places.map(node).filter(Boolean),
      accounts: ['@ALL'],
      protocols: ['all'],
      actions: ['all'],
      is_active: true,
      date_start: days(-1),
      date_expired: days(365),
      ...more,
    })),
  )
}

/** Rules, templates, a domain and plans. */
async function createRest(client: Client, reviewers: readonly string[]): Promise<void> {
  const everything = { type: 'all' }
  await client.collection('acls/login-acls').create({
    name: 'Contractors sign in at work only',
    action: 'reject',
    users: everything,
    rules: { ip_group: ['203.0.113.0/24'], time_period: [] },
    priority: 40,
  })
  const rule = { users: everything, accounts: ['@ALL'], rules: { ip_group: ['*'], time_period: [] } }
  await client.collection('acls/login-asset-acls').create({
    ...rule,
    name: 'Finance is told of every connection',
    action: 'notice',
    reviewers,
    assets: { type: 'attrs', attrs: [{ name: 'name', match: 'startswith', value: 'ledger' }] },
    priority: 30,
  })
  const templates = client.collection('accounts/account-templates')
  await templates.create({ name: 'Deployment', username: 'deploy', secret: 'of-nobody', auto_push: false })
  await templates.create({ name: 'Monitoring', username: 'monitor', secret_strategy: 'random' })
  await client.collection('assets/domains').create({ name: 'São Paulo', comment: 'Reached over the leased line' })
}

/** Creates the company. Returns the assets that people work on. */
export async function foundCompany(client: Client, password: string): Promise<Workplace[]> {
  const users = await createUsers(client, password)
  const workplaces = await createAssets(client)
  await createPermissions(client)
  const reviewers = colleagues.filter(({ team }) => team === 'Linux platform').slice(0, 2)
  await createRest(
    client,
    reviewers.map(({ username }) => users.get(username)?.id ?? ''),
  )
  return workplaces
}
