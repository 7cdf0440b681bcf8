import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basic } from '../../modules/settings/groups.ts'
import { databaseOfThisRun } from '../../testing/databases.ts'
import { defineTestJob } from '../../testing/jobs.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { readLog } from './log.ts'
import { JobWorker } from './worker.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ worker: true })
})
afterAll(() => server.close())

const untilAborted = (signal: AbortSignal) => new Promise((done) => signal.addEventListener('abort', done))
const slow = defineTestJob<object>({
  name: 'test.slow',
  delivery: 'idempotent',
  timeout: 50,
  run: (_ctx, _payload, job) => untilAborted(job.signal),
})
const patient = defineTestJob<object>({
  name: 'test.patient',
  delivery: 'idempotent',
  run: (_ctx, _payload, job) => untilAborted(job.signal),
})
const idle = defineTestJob<object>({ name: 'test.idle', delivery: 'idempotent', run: async () => 'done' })

const stateOf = async (id: string) =>
  (
    await server.application.services.database.reader
      .selectFrom('kernel_job')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirst()
  )?.state

describe('a job', () => {
  it('sees the settings that were saved before it was started, however late its worker hears of them', async () => {
    await using api = await startServer()
    await using other = await startServer({ beside: api })
    const { services } = other.application
    // Nothing tells this process of commits any more.
    services.events.stop()
    const seen: unknown[] = []
    const reading = defineTestJob<object>({
      name: 'test.reading-settings',
      delivery: 'idempotent',
      run: async (ctx) => void seen.push(basic.of(ctx).SITE_URL),
    })
    const SITE_URL = 'https://saved.example.com'
    await api.changeSettings('basic', { SITE_URL })
    await api.context().enqueue(reading, {})
    const worker = new JobWorker(services, () => {}, { pollMs: 20 })
    await worker.start()
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual([SITE_URL])
    await worker.stop()
  })

  it('has failed when it took too long, and its log says so', async () => {
    const id = await server.context().enqueue(slow, {})
    await expect.poll(() => stateOf(id), { timeout: 10_000 }).toBe('FAILURE')
    const { text } = await readLog(server.application.services.database.reader, id, 0)
    expect(text).toContain('exceeded its time limit')
  })

  it('goes on after the next start when its worker stops in the middle, and nobody cancelled it', async () => {
    await using alone = await startServer()
    const { services } = alone.application
    const id = await alone.context().enqueue(patient, {})
    const job = () =>
      services.database.reader
        .selectFrom('kernel_job')
        .select(['state', 'attempts'])
        .where('id', '=', id)
        .executeTakeFirst()
    for (const attempts of [1, 2]) {
      const worker = new JobWorker(services, () => {})
      await worker.start()
      await expect.poll(job, { timeout: 10_000 }).toMatchObject({ state: 'RUNNING', attempts })
      await worker.stop()
      expect(await job()).toMatchObject({ state: 'PENDING' })
    }
  })

  it('is queued once for one key, however many ask at the same moment', async () => {
    const later = { uniqueKey: 'test', notBefore: Date.now() + 3_600_000 }
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => server.context().transaction((ctx) => ctx.enqueue(idle, {}, later))),
    )
    expect(new Set(ids).size).toBe(1)
  })
})

describe('a transaction', () => {
  it('does not wait for itself where there is one connection to write with', async () => {
    const { database } = server.application.services
    const write = () => database.writer.deleteFrom('kernel_memory').where('key', '=', 'nothing').execute()
    const within = server.context().transaction(write)
    if (databaseOfThisRun() === 'sqlite') await expect(within).rejects.toThrow('Within a transaction')
    else await within
    await write()
  })
})
