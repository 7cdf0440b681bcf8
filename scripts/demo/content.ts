import { roleIds } from '../../packages/contract/src/ids.ts'
import { type Client, signIn } from '../../packages/testing/src/client.ts'
import { platformId } from '../../packages/testing/src/site.ts'

/** A real host to connect to. */
export interface Target {
  host: string
  port: number
  username: string
  password?: string | undefined
  privateKey: string
}

export interface Person {
  username: string
  name: string
  /** Purpose of this user. */
  about: string
}

interface DemoPerson extends Person {
  systemRole: string
  orgRole: string
}

/** Users in addition to `admin`. */
export const people: readonly DemoPerson[] = [
  {
    username: 'olivia',
    name: 'Olivia Operator',
    about: 'in the group Operators: the host, all actions, rm -rf refused',
    systemRole: roleIds.user,
    orgRole: roleIds.orgUser,
  },
  {
    username: 'daichi',
    name: '大地 デベロッパー',
    about: 'in the group Developers: the host, connecting only',
    systemRole: roleIds.user,
    orgRole: roleIds.orgUser,
  },
  {
    username: 'auditor',
    name: '审计员',
    about: 'sees sessions, recordings and logs of everybody',
    systemRole: roleIds.systemAuditor,
    orgRole: roleIds.orgAuditor,
  },
  {
    username: 'newcomer',
    name: 'Nora Newcomer',
    about: 'may reach nothing yet',
    systemRole: roleIds.user,
    orgRole: roleIds.orgUser,
  },
]

/** The reachable host in the tree. */
export const hostName = 'demo-linux'

/** Addresses reserved for documentation, so that connection attempts disturb no one. */
const others: readonly { name: string; address: string; node: string }[] = [
  ...['web-1', 'web-2', 'web-3'].map((name, at) => ({
    name,
    address: `192.0.2.${11 + at}`,
    node: '/Default/Production/Web',
  })),
  ...['db-1', 'db-2'].map((name, at) => ({
    name,
    address: `192.0.2.${21 + at}`,
    node: '/Default/Production/Databases',
  })),
  ...['stage-1', 'stage-2'].map((name, at) => ({ name, address: `198.51.100.${11 + at}`, node: '/Default/Staging' })),
  { name: '東京-1', address: '203.0.113.11', node: '/Default/Branches/東京' },
  { name: '上海-1', address: '203.0.113.21', node: '/Default/Branches/上海' },
]

/** Completes all profiles except the newcomer's, who sees the page that asks for the rest of a profile. */
export async function completeProfiles(admin: Client, url: string, password: string): Promise<void> {
  const others = people.filter(({ username }) => username !== 'newcomer')
  const signedIn = await Promise.all(others.map(({ username }) => signIn(url, username, password)))
  for (const client of [admin, ...signedIn])
    await client.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
}

/** Creates users, groups, the tree, hosts with accounts, permissions and command filters through the API. */
export async function fill(client: Client, target: Target, password: string): Promise<void> {
  const users = await client.collection('users/users').createMany(
    people.map(({ username, name, systemRole, orgRole }) => ({
      username,
      name,
      email: `${username}@example.com`,
      password_strategy: 'custom',
      password,
      need_update_password: false,
      source: 'local',
      mfa_level: 0,
      system_roles: [systemRole],
      org_roles: [orgRole],
    })),
  )
  const [olivia, daichi] = users
  const groups = client.collection('users/groups')
  const operators = await groups.create({ name: 'Operators', users: [olivia?.id], comment: 'Run the machines' })
  const developers = await groups.create({ name: 'Developers', users: [daichi?.id], comment: 'Look at the machines' })

  const platform = await platformId(client, 'Linux')
  const protocols = (port: number) => [
    { name: 'ssh', port },
    { name: 'sftp', port },
  ]
  const account = target.password
    ? { secret_type: 'password', secret: target.password }
    : { secret_type: 'ssh_key', secret: target.privateKey }
  const hosts = client.collection('assets/hosts')
  const host = await hosts.create({
    name: hostName,
    address: target.host,
    platform,
    protocols: protocols(target.port),
    nodes_display: ['/Default/Demo'],
    accounts: [{ name: target.username, username: target.username, privileged: false, is_active: true, ...account }],
    comment: 'Really there: it runs as long as this demo does',
  })
  await hosts.createMany(
    others.map(({ name, address, node }) => ({
      name,
      address,
      platform,
      protocols: protocols(22),
      nodes_display: [node],
      accounts: [{ name: 'root', username: 'root', secret_type: 'password', privileged: true, is_active: true }],
      comment: 'Not there: for looking at lists and trees',
    })),
  )
  const nodes = await client.collection<{ id: string; full_value: string }>('assets/nodes').all()
  const node = (path: string) => nodes.find((one) => one.full_value === path)?.id

  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  const permission = {
    assets: [],
    nodes: [],
    users: [],
    accounts: ['@ALL'],
    protocols: ['all'],
    is_active: true,
    date_start: days(-1),
    date_expired: days(365),
  }
  await client.collection('perms/asset-permissions').createMany([
    {
      ...permission,
      name: 'Operators: everything',
      user_groups: [operators.id],
      nodes: [node('/Default')],
      actions: ['all'],
    },
    {
      ...permission,
      name: 'Developers: look at the demo host',
      user_groups: [developers.id],
      assets: [host.id],
      actions: ['connect'],
    },
  ])

  const commands = client.collection('acls/command-groups')
  const destructive = await commands.create({
    name: 'Destructive',
    type: 'command',
    content: 'rm -rf\nshutdown',
    ignore_case: true,
  })
  const disturbing = await commands.create({
    name: 'Disturbing',
    type: 'command',
    content: 'reboot',
    ignore_case: true,
  })
  const filter = { users: { type: 'all' }, assets: { type: 'all' }, accounts: ['@ALL'], is_active: true, reviewers: [] }
  await client.collection('acls/command-filter-acls').createMany([
    { ...filter, name: 'Refuse what destroys', priority: 60, action: 'reject', command_groups: [destructive.id] },
    { ...filter, name: 'Warn about what disturbs', priority: 50, action: 'warning', command_groups: [disturbing.id] },
  ])
}
