// Logged writes through the API on PostgreSQL, which waits for its disk as installed: one writer and eight at once.
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { type Client, signIn } from '@castellan/testing/client'
import { startPostgres } from '@castellan/testing/postgres'
import { startProduct } from '@castellan/testing/product'
import { percentile, processorTime, report } from './results.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
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
  env: { DATABASE_URL: postgres.createDatabase() },
})
const client = await signIn(product.url, 'admin', product.adminPassword)
const groups = await Promise.all(
  Array.from({ length: writers }, (_, at) =>
    client.collection<{ id: string }, object>('users/groups').create({ name: `writer ${at}` }),
  ),
)

/** Writes per second of several writers, each on a row of its own. */
async function throughput(count: number): Promise<number> {
  let done = 0
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
  return (done / (performance.now() - begin)) * 1000
}

const server = (await product.status()).programs.server.pid ?? 0
await throughput(writers)
const [one, many]: [number[], number[]] = [[], []]
const before = { processor: processorTime(server), time: performance.now() }
for (let round = 0; round < rounds; round++) {
  one.push(await throughput(1))
  many.push(await throughput(writers))
}
const busy = (processorTime(server) - before.processor) / (performance.now() - before.time)
console.log(`one writer ${percentile(one, 0.5).toFixed(0)}/s, ${writers} writers ${percentile(many, 0.5).toFixed(0)}/s`)
console.log(`the server used ${(busy * 100).toFixed(0)} % of a processor on average`)
report([
  {
    what: `${writers} writers at once, of the throughput of one`,
    value: percentile(many, 0.5) / percentile(one, 0.5),
    unit: '×',
    limit: { least: 3 },
  },
])
await product.stop()
postgres.stop()
