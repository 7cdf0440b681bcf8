import { isObject } from '../../../../kernel/fields/safe-lookup.ts'
import { StorageFailure, shortReason } from './object-store.ts'
import { askSearchServer, type SearchDetails } from './search-server.ts'

/** A command as it is stored, here and in the database. Timestamps are unix seconds. */
export interface StoredCommand {
  id: string
  user: string
  asset: string
  account: string
  input: string
  output: string
  session: string
  risk_level: number
  org_id: string
  timestamp: number
}

/** Results that a search server returns beyond which paging ends, as its own limit. */
export const mostResults = 10_000
/** Longest value that is shown of a field, whatever a server sends. Characters. */
const longestValue = 4096

/** What is asked for; the names are those of the list's parameters. */
export interface CommandQuery {
  org_id?: string | undefined
  session?: string | undefined
  asset?: string | undefined
  account?: string | undefined
  user?: string | undefined
  input?: string | undefined
  search?: string | undefined
  risk_level?: number | undefined
  /** Unix seconds, both included. */
  from?: number | undefined
  to?: number | undefined
  order: { by: 'timestamp' | 'risk_level'; descending: boolean }
}

const textOf = (longest: number) => ({
  type: 'text',
  fields: { keyword: { type: 'keyword', ignore_above: longest } },
})
const words = textOf(256)
/** The fields of the contract, and the id as a stable order. Output is not searched. */
const mappings = {
  properties: {
    id: { type: 'keyword' },
    session: { type: 'keyword' },
    org_id: { type: 'keyword' },
    timestamp: { type: 'long' },
    risk_level: { type: 'long' },
    user: words,
    asset: words,
    account: words,
    // As long as commands may be, or a long one would escape every search. Code units; a character has up to two.
    input: textOf(2 * 2048),
    output: { type: 'text', index: false },
    date: { type: 'date' },
  },
}

const aliasOf = ({ INDEX }: SearchDetails) => `${INDEX}-alias`
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
const indexOf = (details: SearchDetails, seconds: number) =>
  details.INDEX_BY_DATE ? `${details.INDEX}-${dayOf(seconds)}` : details.INDEX
const addressOf = ({ HOSTS }: SearchDetails) => (HOSTS[0] ? new URL(HOSTS[0]).host : '-')

const wrong = (details: SearchDetails, reason: unknown) =>
  new StorageFailure('bad_answer', { address: addressOf(details), reason: shortReason(reason) })

/** The type of the error in an answer; the rest of an answer is not shown to anybody. */
const reasonOf = (status: number, body: Readonly<Record<string, unknown>>) => {
  const { error } = body
  return isObject(error) && typeof error.type === 'string' ? error.type : `HTTP ${status}`
}

/** Whether it is a search server of a kind that is supported. @throws StorageFailure */
export async function testIndex(details: SearchDetails, signal: AbortSignal): Promise<void> {
  const { status, body } = await askSearchServer(details, { method: 'GET', path: '/', signal })
  const number = isObject(body.version) ? String(body.version.number ?? '') : ''
  const isOpenSearch = isObject(body.version) && body.version.distribution === 'opensearch'
  const major = Number(number.split('.')[0])
  if (status !== 200 || !(isOpenSearch ? major >= 1 && major <= 3 : major === 7 || major === 8))
    throw wrong(details, number === '' ? `HTTP ${status}` : number)
  await ensureIndex(details, Math.floor(Date.now() / 1000), signal)
}

/** Creates the index for commands of a time unless it is there. Unix seconds. @throws StorageFailure */
export async function ensureIndex(details: SearchDetails, seconds: number, signal: AbortSignal): Promise<void> {
  const index = indexOf(details, seconds)
  const found = await askSearchServer(details, { method: 'HEAD', path: `/${index}`, signal })
  if (found.status === 200) return
  const aliases = details.INDEX_BY_DATE ? { aliases: { [aliasOf(details)]: {} } } : {}
  const made = await askSearchServer(details, {
    method: 'PUT',
    path: `/${index}`,
    body: { mappings, ...aliases },
    signal,
  })
  const reason = reasonOf(made.status, made.body)
  // Another program was faster.
  if (made.status >= 300 && reason !== 'resource_already_exists_exception') throw wrong(details, reason)
}

/**
 * Stores commands under their ids, so that sending them again changes nothing. Returns the ids that the server has not
 * accepted, with its reason. @throws StorageFailure
 */
export async function storeCommandsIn(
  details: SearchDetails,
  commands: readonly StoredCommand[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  for (const [, [first]] of Map.groupBy(commands, ({ timestamp }) => indexOf(details, timestamp)))
    if (first) await ensureIndex(details, first.timestamp, signal)
  const lines = commands.flatMap((command) => [
    JSON.stringify({ index: { _index: indexOf(details, command.timestamp), _id: command.id } }),
    JSON.stringify({ ...command, date: new Date(command.timestamp * 1000).toISOString() }),
  ])
  const path = '/_bulk?refresh=wait_for'
  const { status, body } = await askSearchServer(details, {
    method: 'POST',
    path,
    body: `${lines.join('\n')}\n`,
    signal,
  })
  if (status !== 200 || !Array.isArray(body.items)) throw wrong(details, reasonOf(status, body))
  const accepted = new Map<string, string>()
  for (const item of body.items as unknown[]) {
    const result = isObject(item) && isObject(item.index) ? item.index : {}
    const isStored = typeof result.status === 'number' && result.status < 300
    accepted.set(String(result._id), isStored ? '' : reasonOf(Number(result.status), result))
  }
  // A command that the answer does not name was not stored.
  return new Map(
    commands.flatMap(({ id }) => {
      const reason = accepted.get(id) ?? 'missing'
      return reason === '' ? [] : [[id, shortReason(reason)]]
    }),
  )
}

/** Text of a wildcard query that matches literally. */
const literal = (text: string) => text.replace(/[\\*?]/g, (character) => `\\${character}`)

function conditions(query: CommandQuery): object[] {
  const contains = (field: string, text: string) => ({
    wildcard: { [`${field}.keyword`]: { value: `*${literal(text)}*`, case_insensitive: true } },
  })
  const found: object[] = []
  const { org_id, session, asset, account, user, input, search, risk_level, from, to } = query
  if (org_id) found.push({ term: { org_id } })
  if (session) found.push({ term: { session } })
  if (asset) found.push(contains('asset', asset))
  if (account) found.push({ term: { 'account.keyword': account } })
  if (user) found.push({ prefix: { 'user.keyword': { value: user } } })
  for (const text of [input, ...(search ?? '').split(/[,\s]+/)]) if (text) found.push(contains('input', text))
  if (risk_level !== undefined) found.push({ term: { risk_level } })
  if (from !== undefined) found.push({ range: { timestamp: { gte: from } } })
  if (to !== undefined) found.push({ range: { timestamp: { lte: to } } })
  return found
}

/** Commands that match, from a position on, and how many there are. @throws StorageFailure */
export async function findCommandsIn(
  details: SearchDetails,
  query: CommandQuery,
  page: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<{ count: number; rows: StoredCommand[] }> {
  const from = Math.min(page.offset, mostResults)
  const size = Math.min(page.limit, mostResults - from)
  const direction = query.order.descending ? 'desc' : 'asc'
  const body = {
    from,
    size,
    track_total_hits: true,
    query: { bool: { filter: conditions(query) } },
    sort: [
      { [query.order.by]: { order: direction, unmapped_type: 'long' } },
      { id: { order: direction, unmapped_type: 'keyword' } },
    ],
  }
  const target = details.INDEX_BY_DATE ? aliasOf(details) : details.INDEX
  const path = `/${target}/_search?ignore_unavailable=true&allow_no_indices=true`
  const { status, body: answer } = await askSearchServer(details, { method: 'POST', path, body, signal })
  // Without any command there is no index yet.
  if (status === 404) return { count: 0, rows: [] }
  const { hits } = answer
  if (status !== 200 || !isObject(hits) || !Array.isArray(hits.hits)) throw wrong(details, reasonOf(status, answer))
  const total = isObject(hits.total) ? hits.total.value : hits.total
  const count = typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : hits.hits.length
  const rows = (hits.hits as unknown[]).slice(0, size).flatMap((hit) => commandOf(hit) ?? [])
  // What a server sends in spite of the condition is not shown.
  return { count, rows: rows.filter((row) => !query.org_id || row.org_id === query.org_id) }
}

/** A result as a command; undefined when it is none. */
function commandOf(hit: unknown): StoredCommand | undefined {
  if (!isObject(hit) || !isObject(hit._source)) return undefined
  const source = hit._source
  const text = (name: string) => (typeof source[name] === 'string' ? source[name].slice(0, longestValue) : '')
  const number = (name: string) => (Number.isSafeInteger(source[name]) ? Number(source[name]) : 0)
  return {
    id: String(hit._id ?? '').slice(0, 64),
    user: text('user'),
    asset: text('asset'),
    account: text('account'),
    input: text('input'),
    output: text('output'),
    session: text('session'),
    risk_level: number('risk_level'),
    org_id: text('org_id'),
    timestamp: Math.min(Math.max(number('timestamp'), 0), 253_402_300_799),
  }
}
