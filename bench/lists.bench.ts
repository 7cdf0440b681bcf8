// Pages of the large lists at 100,000 rows (commands: a million): processor time of a request, beside the bare query.
// Filling the database takes about a quarter of an hour on two cores; `--data <folder>` keeps it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { type Client, signIn } from '@castellan/testing/client'
import { startProduct } from '@castellan/testing/product'
import { fillOnce, type Sizes } from './large-site.ts'
import { percentile, type Result, report } from './results.ts'

const { values } = parseArgs({
  options: {
    // A folder that is kept, so that the next run need not fill it again.
    data: { type: 'string' },
    // A fraction of the full sizes, for a quick look.
    scale: { type: 'string', default: '1' },
  },
})
const scale = Number(values.scale)
const full: Sizes = {
  hosts: 100_000,
  nodes: 10_000,
  users: 100_000,
  permissions: 5_000,
  sessions: 100_000,
  commands: 1_000_000,
}
const sizes = Object.fromEntries(
  Object.entries(full).map(([name, count]) => [name, Math.ceil(count * scale)]),
) as unknown as Sizes
const requests = 200
/** Requests before measuring: the server has been answering for a while. */
const warmUp = 200
const pageSize = 15
/** Processor time of one request, milliseconds. */
const aim = 3

interface List {
  name: string
  path: string
  /** What the bare query reads, with the order of the API's own page. */
  sql: string
  search: string
  /** Words that very many rows hold. */
  broad: string
}

const lists: readonly List[] = [
  {
    name: 'hosts',
    path: 'assets/hosts',
    sql: 'select * from assets_asset order by name',
    search: 'host-0500',
    broad: 'host',
  },
  {
    name: 'users',
    path: 'users/users',
    sql: 'select * from users_user order by name',
    search: 'person050',
    broad: 'person',
  },
  {
    name: 'sessions',
    path: 'terminal/sessions',
    sql: 'select * from terminal_session order by date_start desc',
    search: 'host-0500',
    broad: 'host',
  },
  {
    name: 'operate log',
    path: 'audits/operate-logs',
    sql: 'select * from audits_operatelog order by datetime desc',
    search: 'host-0500',
    broad: 'host-05',
  },
  {
    name: 'commands',
    path: 'terminal/commands',
    sql: 'select * from terminal_command order by timestamp desc',
    search: 'rm -rf / 12',
    broad: 'rm -rf',
  },
]

/** Processor time a process has used so far, milliseconds (Linux counts in hundredths of a second). */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** `first`: how long the first answer takes, when nothing is known of the list yet. */
async function measure(client: Client, pid: number, path: string) {
  const asked = performance.now()
  await client.request('GET', path)
  const first = performance.now() - asked
  for (let at = 0; at < warmUp; at++) await client.request('GET', path)
  const times: number[] = []
  const before = processorTime(pid)
  for (let at = 0; at < requests; at++) {
    const began = performance.now()
    await client.request('GET', path)
    times.push(performance.now() - began)
  }
  return { processor: (processorTime(pid) - before) / requests, median: percentile(times, 0.5), first }
}

function bare(database: DatabaseSync, sql: string, offset: number): number {
  const query = database.prepare(`${sql} limit ${pageSize} offset ${offset}`)
  const times: number[] = []
  for (let at = 0; at < 20; at++) {
    const began = performance.now()
    query.all()
    times.push(performance.now() - began)
  }
  return percentile(times, 0.5)
}

const product = await startProduct(values.data ? { dataDir: values.data, adminPassword: 'Bench-1-password' } : {})
try {
  await fillOnce(product, sizes)
  const client = await signIn(product.url, 'admin', product.adminPassword)
  const pid = (await product.status()).programs.server.pid ?? 0
  const database = new DatabaseSync(join(product.dataDir, 'castellan.db'), { readOnly: true })
  const results: Result[] = []
  const storage = (await client.collection('terminal/command-storages').all()).find((one) => one.name === 'default')
  for (const { name, path, sql, search, broad } of lists) {
    // Commands are asked for in a storage.
    const where = name === 'commands' ? `command_storage_id=${storage?.id}&` : ''
    const { count } = await client.request<{ count: number }>('GET', `/api/v1/${path}/?${where}limit=1`)
    const deep = Math.max(0, count - pageSize * 10)
    const middle = Math.floor(count / 2)
    const searching = (words: string) => `limit=${pageSize}&search=${encodeURIComponent(words)}`
    const variants = [
      { what: `${name}, ${count} rows: first page`, query: `limit=${pageSize}`, offset: 0 },
      { what: `${name}: page at ${middle}`, query: `limit=${pageSize}&offset=${middle}`, offset: middle },
      { what: `${name}: page at ${deep}`, query: `limit=${pageSize}&offset=${deep}`, offset: deep },
      { what: `${name}: search ${search}`, query: searching(search), offset: undefined },
      { what: `${name}: search ${broad}`, query: searching(broad), offset: undefined },
    ]
    for (const { what, query, offset } of variants) {
      const { processor, median, first } = await measure(client, pid, `/api/v1/${path}/?${where}${query}`)
      const direct = offset === undefined ? '' : `; the bare query ${bare(database, sql, offset).toFixed(2)} ms`
      results.push({
        what: `${what} (answered in ${median.toFixed(1)} ms, first in ${first.toFixed(0)} ms${direct})`,
        value: processor,
        unit: 'ms',
        limit: { most: aim },
      })
      report(results.slice(-1))
    }
  }
  database.close()
} finally {
  await product.stop()
}
