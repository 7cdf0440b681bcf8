// Logged writes through the API on PostgreSQL, which waits for its disk as installed: one writer and eight at once.
import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { type Client, signIn } from '@castellan/testing/client'
import { startPostgres } from '@castellan/testing/postgres'
import { startProduct } from '@castellan/testing/product'
import { machineTime, percentile, report } from './results.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    /** Programs that answer requests: one keeps one processor busy. */
    servers: { type: 'string', default: String(Math.min(availableParallelism(), 3)) },
  },
})
const seconds = Number(values.seconds)
const writers = 8
const rounds = 3
const agent = new Agent({ keepAlive: true, maxSockets: writers })

function patch(client: Client, path: string, values: object): Promise<void> {
  const body = JSON.stringify(values)
  const headers = { ...client.proof('PATCH', path), 'content-type': 'application/json' }
  return new Promise((settle, fail) => {
    request(new URL(path, client.url), { agent, method: 'PATCH', headers }, (answer) => {
      answer.resume()
      answer.on('end', () => (answer.statusCode === 200 ? settle() : fail(new Error(`answered ${answer.statusCode}`))))
    })
      .on('error', fail)
      .end(body)
  })
}

const postgres = await startPostgres(undefined, { durable: true })
const product = await startProduct({
  env: { DATABASE_URL: postgres.createDatabase(), CASTELLAN_SERVERS: values.servers },
})
const client = await signIn(product.url, 'admin', product.adminPassword)
const groups = await Promise.all(
  Array.from({ length: writers }, (_, at) =>
    client.collection<{ id: string }, object>('users/groups').create({ name: `writer ${at}` }),
  ),
)

interface Throughput {
  perSecond: number
  /** Processor time of the whole machine for each. Milliseconds. */
  processor: number
}

/** Several writers, each on a row of its own. */
async function throughput(count: number): Promise<Throughput> {
  let done = 0
  const before = machineTime()
  const begin = performance.now()
  const end = begin + seconds * 1000
  await Promise.all(
    groups.slice(0, count).map(async ({ id }) => {
      for (let turn = 0; performance.now() < end; turn++) {
        await patch(client, `/api/v1/users/groups/${id}/`, { comment: `${count} ${begin} ${turn}` })
        done++
      }
    }),
  )
  return { perSecond: (done / (performance.now() - begin)) * 1000, processor: (machineTime() - before) / done }
}

await throughput(writers)
const [one, many]: [Throughput[], Throughput[]] = [[], []]
for (let round = 0; round < rounds; round++) {
  one.push(await throughput(1))
  many.push(await throughput(writers))
}
const middle = (of: Throughput[], what: keyof Throughput) =>
  percentile(
    of.map((each) => each[what]),
    0.5,
  )
const busy = (of: Throughput[]) => ((middle(of, 'perSecond') * middle(of, 'processor')) / 1000).toFixed(2)
const processors = availableParallelism()
for (const [name, of] of [
  ['one writer', one],
  [`${writers} writers`, many],
] as const)
  console.log(
    `${name}: ${middle(of, 'perSecond').toFixed(0)}/s, ${middle(of, 'processor').toFixed(1)} ms of processor each, ` +
      `${busy(of)} of ${processors} processors busy`,
  )
const most = (processors * 1000) / middle(many, 'processor') / middle(one, 'perSecond')
console.log(`servers: ${values.servers}`)
console.log(`with all processors busy, ${writers} writers would have ${most.toFixed(1)} × the throughput of one`)
report([
  {
    what: `${writers} writers at once, of the throughput of one`,
    value: middle(many, 'perSecond') / middle(one, 'perSecond'),
    unit: '×',
    limit: { least: 3 },
  },
])
await product.stop()
postgres.stop()
