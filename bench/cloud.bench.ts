// Synchronizing 10,000 machines of the AWS simulator, or --nodes of Kubernetes: time, idempotence, memory of the worker.
import { readFileSync } from 'node:fs'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { signIn } from '@castellan/testing/client'
import { startMoto } from '@castellan/testing/cloud-simulators'
import { startPostgres } from '@castellan/testing/postgres'
import { startProduct } from '@castellan/testing/product'
import { report } from './results.ts'

const { values } = parseArgs({
  options: {
    machines: { type: 'string', default: '10000' },
    nodes: { type: 'boolean', default: false },
    /** Regions of AWS among which the machines are. */
    regions: { type: 'string', default: '2' },
    postgres: { type: 'boolean', default: false },
  },
})
const machines = Number(values.machines)
const regions = ['us-east-1', 'eu-west-1', 'ap-south-1', 'sa-east-1'].slice(0, Number(values.regions))
/** Machines of one reservation: moto counts these when it makes pages, 500 on each. */
const perReservation = 5
const writers = 8

/** Where machines come from, and the attributes of its account. */
interface Source {
  provider: string
  regions: string[]
  attrs: object
  env: Record<string, string>
  /** Reads all pages as plainly as possible: no synchronization can be faster. */
  readAll(): Promise<void>
  stop(): Promise<unknown>
}

/** The address of each region behind one, because the SDK takes one for all: the signature says whose a call is. */
async function byRegion(addresses: ReadonlyMap<string, string>) {
  const server = createServer((call, answer) => {
    const [, region = ''] = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(call.headers.authorization ?? '') ?? []
    const { method = '', headers } = call
    const onward = ask(`${addresses.get(region)}${call.url}`, { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    call.pipe(onward)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** AWS: each region is a service of its own there, and a program of its own here. */
async function amazon(): Promise<Source> {
  const motos = await Promise.all(regions.map(() => startMoto()))
  const router = await byRegion(new Map(motos.map(({ url }, at) => [regions[at] ?? '', url])))
  /** A call of the EC2 query API; the simulator does not check signatures. */
  const ec2 = async (region: string, parameters: Record<string, string>): Promise<string> => {
    const answer = await fetch(router.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `AWS4-HMAC-SHA256 Credential=x/20260101/${region}/ec2/aws4_request, SignedHeaders=host, Signature=x`,
      },
      body: new URLSearchParams({ Version: '2016-11-15', ...parameters }),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return answer.text()
  }
  console.log(`making ${machines} machines in ${regions.length} regions`)
  const image = { ImageId: 'ami-12c6146b', MinCount: String(perReservation), MaxCount: String(perReservation) }
  let left = Math.ceil(machines / perReservation)
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (left-- > 0) await ec2(regions[left % regions.length] ?? '', { Action: 'RunInstances', ...image })
    }),
  )
  return {
    provider: 'aws_international',
    regions,
    attrs: { access_key_id: 'AKIAEXAMPLE', access_key_secret: 'example' },
    env: { AWS_ENDPOINT_URL_EC2: router.url },
    async readAll() {
      await Promise.all(
        regions.map(async (region) => {
          for (let next: string | undefined = ''; next !== undefined; ) {
            const token: Record<string, string> = next ? { NextToken: next } : {}
            const text = await ec2(region, { Action: 'DescribeInstances', MaxResults: '500', ...token })
            next = /<nextToken>([^<]+)</.exec(text)?.[1]
          }
        }),
      )
    },
    async stop() {
      router.server.close()
      await Promise.all(motos.map((moto) => moto.stop()))
    },
  }
}

/** An API of Kubernetes with many nodes, which takes hardly any time itself. */
async function kubernetes(): Promise<Source> {
  const node = (at: number) => ({
    metadata: { name: `node-${at}`, uid: `uid-${at}`, labels: {} },
    status: { addresses: [{ type: 'InternalIP', address: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}` }] },
  })
  const server = createServer((request, answer) => {
    const query = new URL(request.url ?? '/', 'http://x').searchParams
    const from = Number(query.get('continue') ?? 0)
    const count = Math.min(Number(query.get('limit') ?? 500), machines - from)
    const next = from + count < machines ? String(from + count) : ''
    const items = Array.from({ length: count }, (_, at) => node(from + at))
    answer.end(JSON.stringify({ kind: 'NodeList', metadata: { continue: next }, items }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    provider: 'k8s',
    regions: ['default'],
    attrs: { api_endpoint: url, token: 'example' },
    env: {},
    async readAll() {
      for (let from = 0; from < machines; from += 500)
        await fetch(`${url}/api/v1/nodes?limit=500&continue=${from}`).then((answer) => answer.arrayBuffer())
    },
    stop: async () => server.close(),
  }
}

/** The memory of a process now. MiB. */
const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const source = values.nodes ? await kubernetes() : await amazon()
const postgres = values.postgres ? await startPostgres() : undefined
const product = await startProduct({
  env: { ...source.env, ...(postgres ? { DATABASE_URL: postgres.createDatabase() } : {}) },
})
const client = await signIn(product.url, 'admin', product.adminPassword)
const cloud = (name: string) => client.collection<{ id: string }, object>(`xpack/cloud/${name}`)
const account = await cloud('accounts').create({ name: 'simulator', provider: source.provider, attrs: source.attrs })
const task = await cloud('sync-instance-tasks').create({
  name: 'all',
  account: account.id,
  regions: source.regions,
  hostname_strategy: 'instance_name_partial_ip',
  is_periodic: false,
})
const worker = (await product.status()).programs.worker.pid ?? 0

/** Seconds a synchronization takes, what it did, and how much the memory of the worker grew meanwhile. */
async function synchronize() {
  const before = residentOf(worker)
  const begin = performance.now()
  const path = `/api/v1/xpack/cloud/sync-instance-tasks/${task.id}/run/`
  const { task: id } = await client.request<{ task: string }>('GET', path)
  let most = before
  for (;;) {
    const row = await client.request<{ date_sync: string | null; status: number; summary: Record<string, number> }>(
      'GET',
      `/api/v1/xpack/cloud/sync-instance-task-executions/${id}/`,
    )
    most = Math.max(most, residentOf(worker))
    if (row.date_sync) {
      const seconds = (performance.now() - begin) / 1000
      console.log(`${seconds.toFixed(1)} s, worker from ${before.toFixed(0)} to ${most.toFixed(0)} MiB`, row.summary)
      return { seconds, growth: most - before, status: row.status, summary: row.summary }
    }
    await delay(100)
  }
}

const first = await synchronize()
const second = await synchronize()
const third = await synchronize()
const simulator = performance.now()
await source.readAll()
console.log(`the simulator alone takes ${((performance.now() - simulator) / 1000).toFixed(1)} s`)
report([
  { what: `${machines} machines`, value: first.seconds, unit: 's', limit: { most: (30 * machines) / 10_000 } },
  { what: 'added', value: first.summary.new ?? 0, unit: '', limit: { least: machines } },
  { what: 'once more', value: second.seconds, unit: 's', limit: { most: (30 * machines) / 10_000 } },
  {
    what: 'changes of the second run',
    value: (second.summary.new ?? 0) + (second.summary.updated ?? 0) + (second.summary.released ?? 0),
    unit: '',
    limit: { most: 0 },
  },
  { what: 'memory of the first run', value: first.growth, unit: 'MiB', limit: { most: 250 } },
  { what: 'memory of the third run', value: third.growth, unit: 'MiB', limit: { most: 100 } },
])
await product.stop()
postgres?.stop()
await source.stop()
