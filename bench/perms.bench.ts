// Access queries through the API at sites of 1,000 to 100,000 assets, on SQLite and on PostgreSQL.
import { mkdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Client, signIn } from '@castellan/testing/client'
import { startPostgres } from '@castellan/testing/postgres'
import { type Product, startProduct } from '@castellan/testing/product'
import { addAssets, buildReachSite, type ReachSite } from './reach-site.ts'
import { type Growth, percentile, processorTime, reportGrowth } from './results.ts'

const { values } = parseArgs({
  options: {
    // A data folder to reuse, so that the next run on SQLite need not fill it again.
    data: { type: 'string' },
    sizes: { type: 'string', default: '1000,10000,100000' },
    database: { type: 'string', default: 'sqlite,postgresql' },
    // Only queries whose name matches.
    only: { type: 'string', default: '' },
  },
})

const asked = new RegExp(values.only)
const adminPassword = 'Bench-1-password'

interface Question {
  what: string
  who: 'admin' | 'everything' | 'third' | 'quarter' | 'few'
  /** Milliseconds at the 95th percentile. */
  limit: number
  times: number
  ask(client: Client, site: ReachSite, at: number): Promise<unknown>
}

const agent = new Agent({ keepAlive: true })

/** Sends a request and counts the bytes of the response without parsing it, because parsing is the caller's time. */
function bytesOf(client: Client, method: 'GET' | 'POST', address: string, sent?: object): Promise<number> {
  const body = sent && JSON.stringify(sent)
  const headers = { ...client.proof(method, address), ...(body ? { 'content-type': 'application/json' } : {}) }
  return new Promise((settle, fail) => {
    const asked = request(new URL(address, client.url), { agent, method, headers }, (answer) => {
      let bytes = 0
      answer.on('data', (part: Buffer) => {
        bytes += part.length
      })
      answer.on('end', () =>
        (answer.statusCode ?? 0) < 300 ? settle(bytes) : fail(new Error(`${address} answered ${answer.statusCode}`)),
      )
    })
    asked.on('error', fail)
    asked.end(body)
  })
}

const get = (path: (site: ReachSite) => string) => (client: Client, site: ReachSite) =>
  bytesOf(client, 'GET', path(site))

const mine = '/api/v1/perms/users/self'
const each = (who: Question['who'], limit = 10): Question[] => [
  {
    what: `${who}: a page of my assets`,
    who,
    limit,
    times: 200,
    ask: get(() => `${mine}/assets/?limit=15`),
  },
  {
    what: `${who}: first level of my tree with counts`,
    who,
    limit,
    times: 200,
    ask: get(() => `${mine}/nodes/children/tree/`),
  },
]

const questions: readonly Question[] = [
  ...each('everything'),
  ...each('third'),
  ...each('few'),
  {
    what: 'everything: permitted accounts of one asset',
    who: 'everything',
    limit: 10,
    times: 200,
    ask: get((site) => `${mine}/assets/${site.asset}/`),
  },
  {
    what: 'everything: validation at connect time',
    who: 'everything',
    limit: 10,
    times: 200,
    ask: (client, site) =>
      bytesOf(client, 'POST', '/api/v1/authentication/connection-token/', {
        asset: site.asset,
        account: 'root',
        protocol: 'ssh',
        connect_method: 'web_cli',
      }),
  },
  {
    what: 'everything: why',
    who: 'admin',
    limit: 10,
    times: 200,
    ask: get(
      (site) => `/api/v1/perms/why/?username=${site.everything}&asset=${site.asset}&account=root&action=connect`,
    ),
  },
  {
    what: 'few: why not',
    who: 'admin',
    limit: 10,
    times: 200,
    ask: get((site) => `/api/v1/perms/why/?username=${site.few}&asset=${site.far}&account=root&action=connect`),
  },
  {
    what: 'administrator: permissions worth a look, first page',
    who: 'admin',
    limit: 1000,
    times: 10,
    ask: get(() => '/api/v1/perms/findings/?limit=15'),
  },
  {
    what: 'quarter: full tree with assets',
    who: 'quarter',
    limit: 150,
    times: 20,
    ask: get(() => `${mine}/nodes/all-with-assets/tree/`),
  },
  {
    what: 'administrator: all nodes with counts',
    who: 'admin',
    limit: 100,
    times: 20,
    ask: get(() => '/api/v1/assets/nodes/children/tree/?all=all'),
  },
  {
    what: 'administrator: move a node with a tenth of all assets, and see it',
    who: 'admin',
    limit: 200,
    times: 10,
    async ask(client, site, at) {
      const target = site.targets[at % 2] as string
      await client.request('PUT', `/api/v1/assets/nodes/${target}/children/add/`, { nodes: [site.heavy] })
      return get(() => '/api/v1/assets/nodes/children/tree/')(client, site)
    },
  },
]

/** The measurements so far, by query: a value per size. */
class Table {
  readonly rows: (Growth & { values: number[]; processor?: number[] })[] = []

  add(what: string, unit: string, limit: Growth['limit'], value: number, processor?: number): void {
    let row = this.rows.find((one) => one.what === what)
    if (!row) {
      row = { what, unit, limit, values: [], ...(processor === undefined ? {} : { processor: [] }) }
      this.rows.push(row)
    }
    row.values.push(value)
    if (processor !== undefined) row.processor?.push(processor)
  }
}

async function measure(product: Product, size: number, table: Table, tidyUp: () => void): Promise<void> {
  const site = await buildReachSite(product, size)
  // Background work of a database after filling is not part of the measurement.
  tidyUp()
  const people = {
    admin: await signIn(product.url, 'admin', adminPassword),
    everything: await signIn(product.url, site.everything, site.password),
    third: await signIn(product.url, site.third, site.password),
    quarter: await signIn(product.url, site.quarter, site.password),
    few: await signIn(product.url, site.few, site.password),
  }
  await product.kill('server', 'SIGTERM')
  await product.ready()
  const began = performance.now()
  await get(() => `${mine}/nodes/children/tree/`)(people.everything, site)
  table.add('first question after a restart', 'ms', { most: 1000 }, performance.now() - began)
  for (const { what, who, limit, times, ask } of questions.filter((one) => asked.test(one.what))) {
    // As many warm-up runs as measured ones: PostgreSQL caches the plan of a statement, per connection, after a few
    // runs.
    for (let at = 0; at < times; at++) await ask(people[who], site, at)
    const pid = (await product.status()).programs.server.pid ?? 0
    const taken: number[] = []
    const before = processorTime(pid)
    for (let at = 0; at < times; at++) {
      const start = performance.now()
      await ask(people[who], site, at)
      taken.push(performance.now() - start)
    }
    const processor = (processorTime(pid) - before) / times
    table.add(what, 'ms', { most: limit }, percentile(taken, 0.95), processor)
    const [half, most] = [percentile(taken, 0.5), percentile(taken, 0.95)]
    console.log(
      `  ${what}: ${half.toFixed(2)} ms median, ${most.toFixed(2)} ms p95, ${processor.toFixed(2)} ms processor time`,
    )
  }
  table.add('assets made by bulk create, from nothing to all', '/s', { least: 2000 }, site.rate)
  const later = Math.min(4000, size)
  table.add('assets made by bulk create, beside all these', '/s', { least: 2000 }, await addAssets(people.admin, later))
}

const sizes = values.sizes.split(',').map(Number)
for (const kind of values.database.split(',')) {
  const postgres = kind === 'postgresql' ? await startPostgres() : undefined
  const table = new Table()
  for (const size of sizes) {
    console.log(`\n${kind}, ${size} assets`)
    const dataDir = values.data && !postgres ? join(values.data, String(size)) : undefined
    if (dataDir) mkdirSync(dataDir, { recursive: true })
    const database = postgres?.createDatabase()
    const product = await startProduct({
      adminPassword,
      ...(dataDir ? { dataDir } : {}),
      ...(database ? { env: { DATABASE_URL: database } } : {}),
    })
    try {
      await measure(product, size, table, () => database && postgres?.tidyUp(database))
    } finally {
      await product.stop()
    }
  }
  await postgres?.stop()
  console.log(`\n${kind}, by assets: milliseconds at the 95th percentile (average processor time), and the limit`)
  reportGrowth(sizes, table.rows)
}
