// Pages of the large lists at 100,000 rows (commands: a million): processor time of a request, compared with the bare
// query. Filling the database takes about a quarter of an hour on two cores; `--data <folder>` reuses it.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { type Client, signIn } from '@castellan/testing/client'
import { startProduct } from '@castellan/testing/product'
import { fillOnce, type Sizes } from './large-site.ts'
import { percentile, processorTime, type Result, report } from './results.ts'

const { values } = parseArgs({
  options: {
    // A data folder to reuse, so that the next run need not fill it again.
    data: { type: 'string' },
    // A fraction of the full sizes, for a quick check.
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
/** Warm-up requests per query before measuring. */
const warmUp = 150
const pageSize = 15
/** Target processor time of one request, milliseconds. */
const aim = 3

interface List {
  name: string
  path: string
  /** The bare query, with the order of the API's page. */
  sql: string
  search: string
  /** Terms that match very many rows. */
  broad: string
}

interface Question {
  what: string
  path: string
  /** The bare query. */
  bareQuery?: string
  /** Duration of the first response. Milliseconds. */
  first?: number
  /** Runs before each request. */
  before?: () => void
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

/** Milliseconds until the response. */
async function ask(client: Client, path: string): Promise<number> {
  const asked = performance.now()
  await client.request('GET', path)
  return performance.now() - asked
}

async function measure(client: Client, pid: number, { path, before: happens }: Question) {
  // Warms the caches again.
  for (let at = 0; at < 20; at++) await ask(client, path)
  const times: number[] = []
  const before = processorTime(pid)
  for (let at = 0; at < requests; at++) {
    happens?.()
    times.push(await ask(client, path))
  }
  return { processor: (processorTime(pid) - before) / requests, median: percentile(times, 0.5) }
}

function bare(database: DatabaseSync, sql: string): number {
  const query = database.prepare(sql)
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
  const writer = new DatabaseSync(join(product.dataDir, 'castellan.db'))
  writer.exec('create temp table one as select * from terminal_command order by timestamp desc limit 1')
  const addCommand = () => {
    writer.exec('update one set id = lower(hex(randomblob(16))), timestamp = timestamp + 1')
    writer.exec('insert into terminal_command select * from one')
  }
  const results: Result[] = []
  const storage = (await client.collection('terminal/command-storages').all()).find((one) => one.name === 'default')
  const questions: Question[] = []
  for (const list of lists) questions.push(...(await questionsOf(client, list, storage?.id)))
  // First responses, with cold caches.
  for (const question of questions) question.first = await ask(client, question.path)
  for (let at = 0; at < warmUp; at++) for (const { path } of questions) await client.request('GET', path)
  const grown = questions.filter(({ path }) => path.includes('terminal/commands') && path.includes('search='))
  questions.push(
    ...grown.map((question) => ({ ...question, what: `${question.what}, a new one each time`, before: addCommand })),
  )
  for (const question of questions) {
    const { what, first, bareQuery } = question
    const { processor, median } = await measure(client, pid, question)
    const direct = bareQuery ? `; the bare query ${bare(database, bareQuery).toFixed(2)} ms` : ''
    results.push({
      what: `${what} (answered in ${median.toFixed(1)} ms, first in ${first?.toFixed(0)} ms${direct})`,
      value: processor,
      unit: 'ms',
      limit: { most: aim },
    })
    report(results.slice(-1))
  }
  database.close()
  writer.close()
} finally {
  await product.stop()
}

/** The pages and searches of one list. Commands are listed by storage. */
async function questionsOf(client: Client, list: List, storage: unknown): Promise<Question[]> {
  const { name, path, sql, search, broad } = list
  const address = `/api/v1/${path}/?${name === 'commands' ? `command_storage_id=${storage}&` : ''}limit=`
  const { count } = await client.request<{ count: number }>('GET', `${address}1`)
  const page = (what: string, offset: number): Question => ({
    what,
    path: `${address}${pageSize}&offset=${offset}`,
    bareQuery: `${sql} limit ${pageSize} offset ${offset}`,
  })
  const searching = (words: string): Question => ({
    what: `${name}: search ${words}`,
    path: `${address}${pageSize}&search=${encodeURIComponent(words)}`,
  })
  const deep = Math.max(0, count - pageSize * 10)
  const middle = Math.floor(count / 2)
  return [
    page(`${name}, ${count} rows: first page`, 0),
    page(`${name}: page at ${middle}`, middle),
    page(`${name}: page at ${deep}`, deep),
    searching(search),
    searching(broad),
  ]
}
