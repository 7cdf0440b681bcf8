// Pages of the large lists at 100,000 rows (commands: a million): processor time of a request, compared with the bare
// query, and the time of a request right after a row of its list was changed. Filling the database takes several minutes
// on two cores; `--data <folder>` reuses it. `--database postgresql` measures PostgreSQL.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { type Client, signIn } from '@castellan/testing/client'
import { startPostgres } from '@castellan/testing/postgres'
import { startProduct } from '@castellan/testing/product'
import { fillOnce, type Sizes } from './large-site.ts'
import { manyTickets } from './many-tickets.ts'
import { percentile, processorTime, type Result, report } from './results.ts'

const { values } = parseArgs({
  options: {
    // A data folder to reuse, so that the next run need not fill it again.
    data: { type: 'string' },
    // A fraction of the full sizes, for a quick check.
    scale: { type: 'string', default: '1' },
    database: { type: 'string', default: 'sqlite' },
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
/** Changes of a row, each followed by a request. */
const edits = 40
/** Target time of a request after a change: for the first page and a narrow search, and for the rest. Milliseconds. */
const aimsAfterEdit = { near: 5, far: 20 }

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
  /** A first page or a narrow search. */
  isNear?: boolean
  /** Duration of the first response. Milliseconds. */
  first?: number
  /** Writes a row of the list before each request. */
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
  {
    name: 'tickets',
    path: 'tickets/tickets',
    sql: 'select * from tickets_ticket order by date_created desc',
    search: 'project 4711',
    broad: 'project',
  },
]
/** Copied within seconds, so always as many. */
const tickets = 100_000

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

/** Median of requests, each right after a row of the list was changed. Milliseconds. */
async function afterEdits(client: Client, path: string, rows: readonly string[], question: Question): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < edits; at++) {
    await client.collection(path).change(rows[at % rows.length] ?? '', { comment: `change ${at} ${Date.now()}` })
    times.push(await ask(client, question.path))
  }
  // The first ones find nothing to follow yet.
  return percentile(times.slice(5), 0.5)
}

const isPostgres = values.database === 'postgresql'
const postgres = isPostgres ? await startPostgres() : undefined
const url = postgres?.createDatabase()
const product = await startProduct({
  ...(values.data ? { dataDir: values.data, adminPassword: 'Bench-1-password' } : {}),
  ...(url ? { env: { DATABASE_URL: url } } : {}),
})
try {
  await fillOnce(product, sizes)
  // What PostgreSQL does by itself within minutes: until then it takes the new tables for small ones.
  if (url) postgres?.tidyUp(url)
  const client = await signIn(product.url, 'admin', product.adminPassword)
  const pid = (await product.status()).programs.server.pid ?? 0
  const file = join(product.dataDir, 'castellan.db')
  const database = isPostgres ? undefined : new DatabaseSync(file, { readOnly: true })
  const writer = isPostgres ? undefined : new DatabaseSync(file)
  writer?.exec('pragma busy_timeout = 5000')
  writer?.exec('create temp table one as select * from terminal_command order by timestamp desc limit 1')
  const addCommand = () => {
    writer?.exec('update one set id = lower(hex(randomblob(16))), timestamp = timestamp + 1')
    writer?.exec('insert into terminal_command select * from one')
  }
  if (writer) await manyTickets(product, client, writer, tickets)
  const results: Result[] = []
  const storage = (await client.collection('terminal/command-storages').all()).find((one) => one.name === 'default')
  const questions: Question[] = []
  for (const list of lists.filter(({ name }) => writer || name !== 'tickets'))
    questions.push(...(await questionsOf(client, list, storage?.id)))
  // First responses, with cold caches.
  for (const question of questions) question.first = await ask(client, question.path)
  for (let at = 0; at < warmUp; at++) for (const { path } of questions) await client.request('GET', path)
  const grown = isPostgres
    ? []
    : questions.filter(({ path }) => path.includes('terminal/commands') && path.includes('search='))
  questions.push(
    ...grown.map((question) => ({ ...question, what: `${question.what}, a new one each time`, before: addCommand })),
  )
  for (const question of questions) {
    const { what, first, bareQuery, before, isNear } = question
    const afterWrite = isNear ? aimsAfterEdit.near : aimsAfterEdit.far
    const { processor, median } = await measure(client, pid, question)
    const direct = bareQuery && database ? `; the bare query ${bare(database, bareQuery).toFixed(2)} ms` : ''
    results.push({
      what: `${what} (answered in ${median.toFixed(1)} ms, first in ${first?.toFixed(0)} ms${direct})`,
      value: processor,
      unit: 'ms',
      limit: { most: before ? afterWrite : aim },
    })
    report(results.slice(-1))
  }
  for (const { path } of lists.filter(({ path }) => ['assets/hosts', 'users/users'].includes(path))) {
    const { results: some } = await client.request<{ results: { id: string }[] }>(
      'GET',
      `/api/v1/${path}/?limit=20&offset=300`,
    )
    const rows = some.map(({ id }) => id)
    for (const question of questions.filter((one) => one.path.startsWith(`/api/v1/${path}/`)))
      report([
        {
          what: `${question.what}, after a change of a row`,
          value: await afterEdits(client, path, rows, question),
          unit: 'ms',
          limit: { most: question.isNear ? aimsAfterEdit.near : aimsAfterEdit.far },
        },
      ])
  }
  database?.close()
  writer?.close()
} finally {
  await product.stop()
  await postgres?.stop()
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
    isNear: offset === 0,
  })
  const searching = (words: string, isNear: boolean): Question => ({
    isNear,
    what: `${name}: search ${words}`,
    path: `${address}${pageSize}&search=${encodeURIComponent(words)}`,
  })
  const deep = Math.max(0, count - pageSize * 10)
  const middle = Math.floor(count / 2)
  return [
    page(`${name}, ${count} rows: first page`, 0),
    page(`${name}: page at ${middle}`, middle),
    page(`${name}: page at ${deep}`, deep),
    searching(search, true),
    searching(broad, false),
  ]
}
