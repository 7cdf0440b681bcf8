import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defineTestJob } from '../../testing/jobs.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { type ConcurrencyKey, releaseUnitKeys, takeKeys, type Unit } from './keys.ts'
import { isFinal } from './states.ts'
import { JobWorker } from './worker.ts'

// Two servers on one database, as on two machines or in two programs.
let servers: TestServer[]
const workers: JobWorker[] = []
beforeAll(async () => {
  const first = await startServer()
  servers = [first, await startServer({ beside: first })]
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
})
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close()
})

const first = () => servers[0] as TestServer
const reader = () => first().application.services.database.reader

async function startWorkers(): Promise<void> {
  for (const { application } of servers) {
    const worker = new JobWorker(application.services, () => undefined, { pollMs: 50 })
    workers.push(worker)
    await worker.start()
  }
}

const allEnded = (ids: readonly string[]) =>
  expect
    .poll(
      async () => {
        const rows = await reader()
          .selectFrom('kernel_job')
          .select('state')
          .where('id', 'in', [...ids])
          .execute()
        return rows.every(({ state }) => isFinal(state))
      },
      { timeout: 25_000, interval: 20 },
    )
    .toBe(true)

/** Counts how many work on something at once. */
class Gauge {
  readonly #now = new Map<string, number>()
  readonly most = new Map<string, number>()

  async during(names: readonly string[]): Promise<void> {
    for (const name of names) {
      this.#now.set(name, (this.#now.get(name) ?? 0) + 1)
      this.most.set(name, Math.max(this.most.get(name) ?? 0, this.#now.get(name) ?? 0))
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
    for (const name of names) this.#now.set(name, (this.#now.get(name) ?? 0) - 1)
  }
}

describe('concurrency keys', () => {
  it('let no two jobs work on one asset at once, whichever worker has them', async () => {
    const gauge = new Gauge()
    const kind = defineTestJob<{ asset: string }>({
      name: `test.${randomUUID()}`,
      delivery: 'idempotent',
      concurrency: 5,
      keys: ({ asset }) => [`asset:${asset}`],
      run: (_ctx, { asset }) => gauge.during([asset]),
    })
    const ids: string[] = []
    for (let job = 0; job < 12; job++)
      ids.push(
        await first()
          .context()
          .enqueue(kind, { asset: job % 4 ? 'busy' : `a${job}` }),
      )
    await startWorkers()
    await allEnded(ids)
    expect(Math.max(...gauge.most.values())).toBe(1)
  })

  it('hold for the items of several executions, with a limit for each key', async () => {
    const gauge = new Gauge()
    const kind = defineTestJob<object>({
      name: `test.${randomUUID()}`,
      delivery: 'idempotent',
      run: (_ctx, _payload, job) =>
        job.eachItem<{ gateway: string }>(
          {
            concurrency: 10,
            keys: ({ target, payload }) => [`asset:${target.id}`, { key: `gateway:${payload.gateway}`, limit: 3 }],
          },
          ({ target, payload }) =>
            gauge.during([`asset:${target.id}`, `gateway:${(payload as { gateway: string }).gateway}`]),
        ),
    })
    const items = Array.from({ length: 30 }, (_, index) => ({
      target: { type: 'test', id: String(index % 8), label: '' },
      payload: { gateway: index % 3 ? 'one' : 'two' },
    }))
    const ids = [
      await first().context().enqueue(kind, {}, { items }),
      await first().context().enqueue(kind, {}, { items: items.toReversed() }),
    ]
    await startWorkers()
    await allEnded(ids)
    for (const [name, most] of gauge.most) expect(most, name).toBeLessThanOrEqual(name.startsWith('asset:') ? 1 : 3)
    expect(await reader().selectFrom('kernel_job_key').selectAll().execute()).toEqual([])
    const done = await reader()
      .selectFrom('kernel_job')
      .select(['items_done', 'items_failed'])
      .where('id', 'in', ids)
      .execute()
    expect(done.map((row) => [Number(row.items_done), Number(row.items_failed)])).toEqual([
      [30, 0],
      [30, 0],
    ])
  })

  it('that cannot be told fail their job alone', async () => {
    const wrong = defineTestJob<{ assets: string[] }>({
      name: `test.${randomUUID()}`,
      delivery: 'at-most-once',
      keys: ({ assets }) => assets.map((id) => `asset:${id}`),
      run: async () => undefined,
    })
    const other = defineTestJob<object>({
      name: `test.${randomUUID()}`,
      delivery: 'idempotent',
      run: async () => undefined,
    })
    const id = await first()
      .context()
      .enqueue(wrong, {} as never)
    const good = await first().context().enqueue(other, {})
    await startWorkers()
    await allEnded([id, good])
    expect(await reader().selectFrom('kernel_job').select('state').where('id', '=', id).execute()).toEqual([
      { state: 'FAILURE' },
    ])
  })

  it('that one kind of job waits for do not hold up other kinds, nor jobs with other keys behind them', async () => {
    const key = `asset:${randomUUID()}`
    const holder = { id: randomUUID(), jobId: randomUUID(), keys: [key] }
    const { database } = first().application.services
    await database.transaction((db) => takeKeys(db, database.dialect, [holder], { now: Date.now(), most: 1 }))
    const blocked = defineTestJob<{ key: string }>({
      name: `test.${randomUUID()}`,
      delivery: 'idempotent',
      keys: (payload) => [payload.key],
      run: async () => undefined,
    })
    const other = defineTestJob<object>({
      name: `test.${randomUUID()}`,
      delivery: 'idempotent',
      run: async () => undefined,
    })
    const waiting: string[] = []
    for (let job = 0; job < 10; job++) waiting.push(await first().context().enqueue(blocked, { key }))
    await startWorkers()
    await allEnded([
      await first().context().enqueue(other, {}),
      await first().context().enqueue(blocked, { key: 'free' }),
    ])
    const states = () => reader().selectFrom('kernel_job').select('state').where('id', 'in', waiting).execute()
    expect((await states()).every(({ state }) => state === 'PENDING')).toBe(true)
    await releaseUnitKeys(database.writer, holder.jobId, [holder.id])
    await allEnded(waiting)
  })
})

describe('keys', () => {
  const unit = (...keys: ConcurrencyKey[]): Unit => ({ id: randomUUID(), jobId: randomUUID(), keys })
  const take = (units: readonly Unit[], now = Date.now(), most = 10) => {
    const { database } = first().application.services
    return database.transaction((db) => takeKeys(db, database.dialect, units, { now, most }))
  }
  const free = (one: Unit) => releaseUnitKeys(first().application.services.database.writer, one.jobId, [one.id])

  it('are given all at once or not at all, and whoever waits longer is not overtaken', async () => {
    const [a, b] = [`a:${randomUUID()}`, `b:${randomUUID()}`]
    const [holdsA, wantsBoth, wantsB] = [unit(a), unit(a, b), unit(b)]
    expect(await take([holdsA])).toEqual(new Set([holdsA.id]))
    expect(await take([wantsBoth])).toEqual(new Set())
    // The second key is free, and would never be free together with the first if younger ones always took it.
    expect(await take([wantsB], Date.now() + 1)).toEqual(new Set())
    await free(holdsA)
    expect(await take([wantsB, wantsBoth])).toEqual(new Set([wantsBoth.id]))
    await free(wantsBoth)
    expect(await take([wantsB])).toEqual(new Set([wantsB.id]))
    await free(wantsB)
  })

  it('are not kept from others by a unit that does not ask any more', async () => {
    const key = `a:${randomUUID()}`
    const [holder, gone, next] = [unit(key), unit(key), unit(key)]
    const now = Date.now()
    await take([holder], now)
    await take([gone], now)
    await free(holder)
    expect(await take([next], now + 5000)).toEqual(new Set())
    expect(await take([next], now + 11_000)).toEqual(new Set([next.id]))
    await free(next)
    await free(gone)
  })

  it('are taken by one of many that ask at the same moment', async () => {
    const key = `a:${randomUUID()}`
    const units = Array.from({ length: 8 }, () => unit(key))
    const granted = await Promise.all(units.map((one) => take([one])))
    expect(granted.filter(({ size }) => size > 0)).toHaveLength(1)
    await Promise.all(units.map(free))
  })

  it('of limit n are held by n', async () => {
    const key = { key: `gateway:${randomUUID()}`, limit: 2 }
    const units = Array.from({ length: 3 }, () => unit(key))
    expect((await take(units)).size).toBe(2)
    await Promise.all(units.map(free))
  })
})
