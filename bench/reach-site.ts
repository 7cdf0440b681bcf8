import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { roleIds } from '@castellan/contract/ids'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import type { Product } from '@castellan/testing/product'
import { buildSite, planSite, platformId } from '@castellan/testing/site'

/** The users whose queries are measured, and the objects of the queries. */
export interface ReachSite {
  password: string
  /** Has access to everything, by the root. */
  everything: string
  /** Has access to a third of all assets, by many nodes and some assets. */
  third: string
  /** Has access to at most 25,000 assets, by nodes. */
  quarter: string
  /** Has access to 20 assets at any size, which shows the cost of the other assets. */
  few: string
  asset: string
  /** An asset that `few` has no access to. */
  far: string
  /** A node with a tenth of all assets in its subtree, and two others between which it is moved. */
  heavy: string
  targets: [string, string]
  /** Assets created per second by the bulk create. */
  rate: number
}

interface NodeCount {
  id: string
  key: string
  amount: number
}

/** All nodes with their amounts, as in the administrator's tree. */
async function countedNodes(client: Client): Promise<NodeCount[]> {
  const items = await client.request<{ id: string; name: string; meta: { data: { id: string } } }[]>(
    'GET',
    '/api/v1/assets/nodes/children/tree/?all=all',
  )
  return items.map(({ id, name, meta }) => ({
    id: meta.data.id,
    key: id,
    amount: Number(/\((\d+)\)$/.exec(name)?.[1] ?? 0),
  }))
}

/** Disjoint nodes that contain about this many assets together. */
function nodesFor(nodes: readonly NodeCount[], wanted: number, most: number): string[] {
  const chosen: NodeCount[] = []
  let sum = 0
  for (const node of nodes.toSorted((a, b) => b.amount - a.amount)) {
    const overlaps = chosen.some(({ key }) => node.key.startsWith(`${key}:`) || key.startsWith(`${node.key}:`))
    if (!node.key.includes(':') || node.amount > most || sum + node.amount > wanted || overlaps) continue
    chosen.push(node)
    sum += node.amount
  }
  return chosen.map(({ id }) => id)
}

/** Adds assets to an existing site by the bulk create. Returns the rate per second. */
export async function addAssets(client: Client, many: number): Promise<number> {
  const platform = await platformId(client, 'Linux')
  const [root] = await client.request<{ name: string }[]>('GET', '/api/v1/assets/nodes/children/tree/')
  const above = `/${(root?.name ?? '').replace(/ \(\d+\)$/, '')}`
  const now = Date.now()
  const host = (at: number) => ({
    name: `later-${now}-${at}`,
    address: `10.9.${at >> 8}.${at & 255}`,
    platform,
    protocols: [{ name: 'ssh', port: 22 }],
    nodes_display: [`${above}/Later ${at % 20}`],
    accounts: [{ name: 'root', username: 'root', secret_type: 'password', privileged: true }],
  })
  const hosts = client.collection('assets/hosts')
  const work = async (from: number) => {
    for (let at = from; at < many; at += 1000)
      await hosts.createMany(Array.from({ length: 500 }, (_none, index) => host(at + index)))
  }
  // Warm-up, so that the creation of nodes and code compilation are not measured.
  await hosts.createMany(
    Array.from({ length: 500 }, (_none, index) => ({ ...host(index), name: `first-${now}-${index}` })),
  )
  const began = performance.now()
  await Promise.all([work(0), work(500)])
  return (many / (performance.now() - began)) * 1000
}

const person = (client: Client, username: string, password: string): Promise<AnyRow> =>
  makePerson(client, username, password, { system_roles: [roleIds.user], org_roles: [roleIds.orgUser] })

/** Fills a product with a site of this many assets through its API, once per reused data folder. */
export async function buildReachSite(product: Product, hosts: number): Promise<ReachSite> {
  const done = join(product.dataDir, 'reach-site.json')
  if (existsSync(done)) return JSON.parse(readFileSync(done, 'utf8')) as ReachSite
  const client = await signIn(product.url, 'admin', product.adminPassword)
  const part = (share: number) => Math.max(1, Math.ceil(hosts / share))
  const plan = planSite({
    seed: 5,
    hosts,
    nodes: part(10),
    users: part(20),
    groups: part(200),
    permissions: part(20),
  })
  let rate = 0
  await buildSite(client, plan, {
    took(step, rows, milliseconds) {
      if (step === 'hosts') rate = (rows / milliseconds) * 1000
      console.log(`  ${rows} ${step} in ${(milliseconds / 1000).toFixed(1)} s`)
    },
  })
  const password = 'Reach-1-password'
  const [everything, third, quarter, few] = [
    await person(client, 'reach-everything', password),
    await person(client, 'reach-third', password),
    await person(client, 'reach-quarter', password),
    await person(client, 'reach-few', password),
  ]
  const nodes = await countedNodes(client)
  const assets = await client.request<{ results: { id: string }[] }>('GET', '/api/v1/assets/hosts/?limit=50')
  const permissions = client.collection('perms/asset-permissions')
  const give = (name: string, to: AnyRow, nodeIds: string[], some: string[] = []) =>
    permissions.create({ name, users: [to.id], nodes: nodeIds, assets: some, accounts: ['@ALL'], protocols: ['all'] })
  const root = nodes.find(({ key }) => !key.includes(':'))
  await give('Reach everything', everything, root ? [root.id] : [])
  const direct = assets.results.map(({ id }) => id)
  await give('Reach a third', third, nodesFor(nodes, hosts / 3, hosts / 30), direct)
  await give('Reach a quarter', quarter, nodesFor(nodes, Math.min(hosts / 4, 25_000), hosts / 10))
  await give('Reach a few', few, [], direct.slice(0, 20))
  const inner = nodes.filter(({ key }) => key.split(':').length > 1)
  const heavy = inner.toSorted((a, b) => Math.abs(a.amount - hosts / 10) - Math.abs(b.amount - hosts / 10))[0]
  const children = client.collection(`assets/nodes/${root?.id}/children`)
  const site: ReachSite = {
    password,
    everything: everything.username as string,
    third: third.username as string,
    quarter: quarter.username as string,
    few: few.username as string,
    asset: direct[0] ?? '',
    far: direct.at(-1) ?? '',
    heavy: heavy?.id ?? '',
    targets: [
      (await children.create({ value: 'Moved here' })).id,
      (await children.create({ value: 'Moved there' })).id,
    ],
    rate,
  }
  writeFileSync(done, JSON.stringify(site))
  return site
}
