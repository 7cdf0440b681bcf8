import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client } from './client.ts'
import { sequence } from './sequence.ts'

/** Size of a site. The same seed and sizes give the same site. */
export interface SiteSize {
  seed: number
  /** Nodes below the root, down to depth 8. */
  nodes: number
  hosts: number
  users: number
  groups: number
  permissions: number
}

export interface PlannedHost {
  name: string
  address: string
  /** Full paths of one to three nodes. */
  nodes: string[]
  accounts: string[]
}

export interface PlannedPermission {
  name: string
  /** Indices of users, groups and hosts; full paths of nodes. */
  users: number[]
  groups: number[]
  hosts: number[]
  nodes: string[]
  accounts: string[]
  actions: string[]
  protocols: string[]
  /** Days from now; negative ones are in the past. */
  from: number
  until: number
  active: boolean
}

/** A planned site: plain data, deterministic for a seed. */
export interface SitePlan {
  nodes: string[]
  hosts: PlannedHost[]
  users: { name: string; username: string; email: string }[]
  groups: { name: string; users: number[] }[]
  permissions: PlannedPermission[]
}

const deepest = 8
/** Rows per request: large enough to be fast, small enough for the body limit. */
const rowsPerRequest = 500
const day = 86_400_000

const places = ['Amsterdam', 'Berlin', 'Chengdu', 'Dublin', 'Kyoto', 'Osaka', 'Shanghai', 'Tokyo', '大阪', '上海']
const tiers = ['Web', 'Database', 'Cache', 'Queue', 'Build', 'Edge', 'Batch', 'Monitoring', '備份', 'ログ']

/** Plans a site without creating it. @param root full path of the organization's root node */
export function planSite(size: SiteSize, root = '/Default'): SitePlan {
  const next = sequence(size.seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const some = (limit: number, most: number) => [
    ...new Set(Array.from({ length: Math.min(limit, 1 + below(most)) }, () => below(limit))),
  ]

  const nodes: string[] = []
  for (let at = 0; at < size.nodes; at++) {
    // Half of the nodes are below a recent one, which makes some branches deep and most shallow.
    const recent = nodes.slice(-12)
    const parent = nodes.length === 0 || next() < 0.1 ? root : next() < 0.5 ? pick(recent) : pick(nodes)
    const depth = parent.split('/').length - 1
    const above = depth > deepest ? root : parent
    nodes.push(`${above}/${pick(above === root ? places : tiers)} ${at + 1}`)
  }

  const hosts = Array.from({ length: size.hosts }, (_, at): PlannedHost => {
    // Every node gets a host before any gets its second, so that creating the hosts creates the complete tree.
    const first = nodes[at] ?? (nodes.length > 0 ? pick(nodes) : root)
    const more = nodes.length > 0 ? Array.from({ length: below(3) }, () => pick(nodes)) : []
    return {
      name: `host-${String(at + 1).padStart(6, '0')}`,
      address: `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`,
      nodes: [...new Set([first, ...more])],
      accounts: next() < 0.5 ? ['root'] : ['root', 'app'],
    }
  })

  const users = Array.from({ length: size.users }, (_, at) => {
    const username = `person${String(at + 1).padStart(5, '0')}`
    return { name: `Person ${at + 1}`, username, email: `${username}@example.com` }
  })
  const groups = Array.from({ length: size.groups }, (_, at) => ({
    name: `Group ${at + 1}`,
    users: size.users ? some(size.users, 20) : [],
  }))

  const permissions = Array.from({ length: size.permissions }, (_, at): PlannedPermission => {
    const toUsers = size.users > 0 && (size.groups === 0 || next() < 0.5)
    const onNodes = nodes.length > 0 && next() < 0.6
    return {
      name: `Permission ${at + 1}`,
      users: toUsers ? some(size.users, 5) : [],
      groups: !toUsers && size.groups > 0 ? some(size.groups, 3) : [],
      nodes: onNodes ? some(nodes.length, 3).map((which) => nodes[which] ?? root) : [],
      hosts: onNodes || size.hosts === 0 ? [] : some(size.hosts, 20),
      accounts: pick([
        ['@ALL'],
        ['@SPEC', 'root'],
        ['@SPEC', 'app'],
        ['@INPUT'],
        ['@USER'],
        ['@ANON'],
        ['@ALL', '@INPUT', '@USER'],
      ]),
      actions: pick([
        ['all'],
        ['connect'],
        ['connect', 'upload', 'download'],
        ['connect', 'copy', 'paste'],
        ['connect', 'share'],
      ]),
      protocols: pick([['all'], ['ssh'], ['ssh', 'sftp'], ['sftp']]),
      // Most are valid now, some have ended, some start later.
      ...pick([
        { from: -1, until: 365 },
        { from: -1, until: 365 },
        { from: -30, until: -1 },
        { from: 30, until: 60 },
      ]),
      active: next() < 0.95,
    }
  })
  return { nodes, hosts, users, groups, permissions }
}

/** Created objects of `buildSite`; each list in the order of the plan. */
export interface BuiltSite {
  users: AnyRow[]
  groups: AnyRow[]
  hosts: AnyRow[]
  permissions: AnyRow[]
  /** Ids by full path. */
  nodes: Map<string, string>
}

export type SiteStep = 'users' | 'groups' | 'hosts' | 'permissions'

export interface BuildOptions {
  /** Receives the duration of creating the rows of a kind, in milliseconds. */
  took?: (step: SiteStep, rows: number, milliseconds: number) => void
  /** Password of all users. Without one they cannot sign in, which saves hashing time for large sites. */
  password?: string
  /** A platform by name. */
  platform?: string
  /** Receives progress messages. */
  progress?: (text: string) => void
}

const steps: Record<string, SiteStep> = {
  'users/users': 'users',
  'users/groups': 'groups',
  'assets/hosts': 'hosts',
  'perms/asset-permissions': 'permissions',
}

/** The id of a platform, which differs between installations. @throws Error if the name does not exist */
export async function platformId(client: Client, name: string): Promise<number> {
  const found = (await client.collection<{ id: number; name: string }>('assets/platforms').all({ search: name })).find(
    (one) => one.name === name,
  )
  if (!found) throw new Error(`There is no platform ${name}.`)
  return found.id
}

/** Creates a planned site through the API. */
export async function buildSite(client: Client, plan: SitePlan, options: BuildOptions): Promise<BuiltSite> {
  const createAll = async (path: string, rows: readonly Record<string, unknown>[]) => {
    const made: AnyRow[] = []
    const began = performance.now()
    let next = 0
    const work = async (until: number) => {
      while (next < until) {
        const at = next
        next += rowsPerRequest
        const some = await client.collection(path).createMany(rows.slice(at, at + rowsPerRequest))
        for (const [index, row] of some.entries()) made[at + index] = row
        options.progress?.(`${path}: ${next} of ${rows.length}`)
      }
    }
    // The first hosts create the nodes, one request after the other; the rest are sent two at a time.
    await work(Math.min(rows.length, path === 'assets/hosts' ? plan.nodes.length : 0))
    await Promise.all([work(rows.length), work(rows.length)])
    options.took?.(steps[path] ?? 'hosts', rows.length, performance.now() - began)
    return made
  }
  const idsOf = (rows: readonly AnyRow[], indices: readonly number[]) => indices.flatMap((at) => rows[at]?.id ?? [])

  const users = await createAll(
    'users/users',
    plan.users.map((user) => ({
      ...user,
      ...(options.password
        ? { password_strategy: 'custom', password: options.password }
        : { password_strategy: 'email' }),
      need_update_password: false,
      source: 'local',
      mfa_level: 0,
      system_roles: [roleIds.user],
      org_roles: [roleIds.orgUser],
    })),
  )
  const groups = await createAll(
    'users/groups',
    plan.groups.map((group) => ({ name: group.name, users: idsOf(users, group.users) })),
  )
  const platform = await platformId(client, options.platform ?? 'Linux')
  const hosts = await createAll(
    'assets/hosts',
    plan.hosts.map((host) => ({
      name: host.name,
      address: host.address,
      platform,
      protocols: [
        { name: 'ssh', port: 22 },
        { name: 'sftp', port: 22 },
      ],
      nodes_display: host.nodes,
      accounts: host.accounts.map((name) => ({
        name,
        username: name,
        secret_type: 'password',
        privileged: name === 'root',
      })),
    })),
  )
  const rows = await client.collection<{ id: string; full_value: string }>('assets/nodes').all()
  const nodes = new Map(rows.map((row) => [row.full_value, row.id]))
  const now = Date.now()
  const permissions = await createAll(
    'perms/asset-permissions',
    plan.permissions.map((one) => ({
      name: one.name,
      users: idsOf(users, one.users),
      user_groups: idsOf(groups, one.groups),
      assets: idsOf(hosts, one.hosts),
      nodes: one.nodes.flatMap((path) => nodes.get(path) ?? []),
      accounts: one.accounts,
      actions: one.actions,
      protocols: one.protocols,
      is_active: one.active,
      date_start: new Date(now + one.from * day).toISOString(),
      date_expired: new Date(now + one.until * day).toISOString(),
    })),
  )
  return { users, groups, hosts, permissions, nodes }
}
