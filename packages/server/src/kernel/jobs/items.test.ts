import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defineTestJob } from '../../testing/jobs.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { listItems, type NewItem, progressOf, unfinishedItems } from './item-rows.ts'
import type { JobItem } from './kinds.ts'
import { readLog } from './log.ts'
import { ItemSkipped, isFinal, JobFailure, unsuccessfulStates } from './states.ts'
import type { JobRow } from './tables.ts'
import { JobWorker, type WorkerTimes } from './worker.ts'

let server: TestServer
const workers: JobWorker[] = []
beforeAll(async () => {
  server = await startServer()
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
})
afterAll(() => server.close())

const services = () => server.application.services
const reader = () => services().database.reader
const target = (id: string): NewItem => ({ target: { type: 'test', id, label: id } })
const targets = (count: number) => Array.from({ length: count }, (_, index) => target(String(index)))

async function worker(times: Partial<WorkerTimes> = {}): Promise<JobWorker> {
  const made = new JobWorker(services(), () => undefined, { pollMs: 50, abandonMs: 200, ...times })
  await made.start()
  workers.push(made)
  return made
}

const jobOf = (id: string) =>
  reader().selectFrom('kernel_job').selectAll().$castTo<JobRow>().where('id', '=', id).executeTakeFirstOrThrow()
const itemsOf = (id: string) => listItems(reader(), id, { limit: 10_000 })
const logOf = async (id: string) => (await readLog(reader(), id, 0)).text

async function ended(id: string) {
  await expect.poll(async () => isFinal((await jobOf(id)).state), { timeout: 20_000, interval: 20 }).toBe(true)
  return jobOf(id)
}

/** A kind with the work of one test. */
function kindOf(work: (item: JobItem<unknown, unknown>) => Promise<void>, more: object = {}, options: object = {}) {
  return defineTestJob<object>({
    name: `test.${randomUUID()}`,
    delivery: 'idempotent',
    run: (_ctx, _payload, job) => job.eachItem<unknown, unknown>({ concurrency: 4, ...options }, work),
    ...more,
  })
}

const queue = (kind: ReturnType<typeof kindOf>, items: readonly NewItem[]) =>
  server.context().enqueue(kind, {}, { items })

/** Something that happens once, and whoever waits for it. */
function signal() {
  let happen = () => {}
  const happened = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { happen, happened }
}

const never = ({ signal: aborted }: { signal: AbortSignal }) =>
  new Promise<void>((_done, fail) => aborted.addEventListener('abort', () => fail(aborted.reason)))

describe('the items of an execution', () => {
  it('end each for itself, with a code and a text, and are counted', async () => {
    const kind = kindOf(async ({ target: { id } }) => {
      if (id === '1') throw new JobFailure('auth_failed', 'The password is wrong.')
      if (id === '2') throw new ItemSkipped('disabled', 'The asset is disabled.')
      if (id === '3') throw new Error('boom')
    })
    const id = await queue(kind, targets(5))
    await worker()
    const job = await ended(id)
    expect(job.state).toBe('SUCCESS')
    expect(progressOf(job)).toEqual({ total: 5, done: 5, failed: 2 })
    expect(JSON.parse(String(job.result))).toEqual({ total: 5, done: 5, failed: 2 })
    expect((await itemsOf(id)).map(({ state, error_code, error }) => [state, error_code, error])).toEqual([
      ['SUCCESS', null, null],
      ['FAILURE', 'auth_failed', 'The password is wrong.'],
      ['SKIPPED', 'disabled', 'The asset is disabled.'],
      ['FAILURE', 'failed', 'boom'],
      ['SUCCESS', null, null],
    ])
  })

  it('that failed are repeated by another execution, from their checkpoints', async () => {
    const reached: unknown[] = []
    const kind = kindOf(async (item) => {
      reached.push(item.reached)
      if (item.reached) return
      await item.checkpoint({ step: 1 })
      throw new Error('not yet')
    })
    const first = await queue(kind, targets(1))
    await worker()
    await ended(first)
    const second = await queue(kind, await unfinishedItems(reader(), first, unsuccessfulStates))
    expect(progressOf(await ended(second))).toEqual({ total: 1, done: 1, failed: 0 })
    expect(reached).toEqual([undefined, { step: 1 }])
  })

  it('take a checkpoint together with what else a transaction changes, or neither', async () => {
    const { database } = services()
    const kind = kindOf(async (item) => {
      const ctx = server.context()
      await ctx
        .transaction(async (inside) => {
          await item.checkpoint('lost', inside)
          throw new Error('rolled back')
        })
        .catch(() => undefined)
      await ctx.transaction(async (inside) => {
        await inside.kv.set(`test:${item.id}`, 1, 60)
        await item.checkpoint('kept', inside)
      })
    })
    const id = await queue(kind, targets(1))
    await worker()
    await ended(id)
    const [item] = await itemsOf(id)
    expect(item?.checkpoint).toBe('"kept"')
    expect(
      await database.reader.selectFrom('kernel_memory').select('value').where('key', '=', `test:${item?.id}`).execute(),
    ).toHaveLength(1)
  })

  it('that hang end by their own limit, also when they do not listen, and the others go on', async () => {
    const kind = kindOf(
      async (item) => {
        if (item.target.id === '0') await never(item)
        if (item.target.id === '1') await new Promise(() => {})
      },
      {},
      { timeout: 100, concurrency: 2 },
    )
    const id = await queue(kind, targets(6))
    await worker()
    expect(progressOf(await ended(id))).toEqual({ total: 6, done: 6, failed: 2 })
    expect((await itemsOf(id)).slice(0, 2).map(({ error_code, error }) => [error_code, error])).toEqual([
      ['timeout', 'This target exceeded its time limit.'],
      ['timeout', 'This target exceeded its time limit.'],
    ])
  })

  it('are cancelled with their execution: those under way by their signal, the others without being begun', async () => {
    const begun = signal()
    const kind = kindOf(
      async (item) => {
        if (item.target.id === '0') return
        begun.happen()
        await never(item)
      },
      {},
      { concurrency: 1 },
    )
    const id = await queue(kind, targets(4))
    await worker()
    await begun.happened
    await services().jobs.cancel(server.context().rawDb, id)
    const job = await ended(id)
    expect([job.state, job.error_code]).toEqual(['CANCELED', 'canceled'])
    expect((await itemsOf(id)).map(({ state }) => state)).toEqual(['SUCCESS', 'CANCELED', 'CANCELED', 'CANCELED'])
    expect(progressOf(job)).toEqual({ total: 4, done: 4, failed: 0 })
    expect(await logOf(id)).toContain('Stopped before it finished.')
  })

  it('are cancelled with an execution that has not begun', async () => {
    const id = await server.context().enqueue(
      kindOf(async () => {}),
      {},
      { items: targets(2), notBefore: Date.now() + 3_600_000 },
    )
    await services().jobs.cancel(server.context().rawDb, id)
    expect((await itemsOf(id)).map(({ state }) => state)).toEqual(['CANCELED', 'CANCELED'])
    expect(progressOf(await jobOf(id))).toEqual({ total: 2, done: 2, failed: 0 })
  })

  it('are cancelled with an execution that begins to wait at that moment', async () => {
    const kind = kindOf(async () => {})
    const id = await server.context().enqueue(kind, {}, { items: targets(2), notBefore: Date.now() + 3_600_000 })
    const jobs = () => server.context().rawDb.updateTable('kernel_job').where('id', '=', id)
    await jobs().set({ state: 'RUNNING' }).execute()
    const waits = signal()
    const waiting = server.context().transaction(async (inside) => {
      await inside.rawDb.updateTable('kernel_job').set({ state: 'PENDING' }).where('id', '=', id).execute()
      waits.happen()
      await new Promise((settle) => setTimeout(settle, 200))
    })
    await waits.happened
    await services().jobs.cancel(server.context().rawDb, id)
    await waiting
    expect((await jobOf(id)).state).toBe('CANCELED')
  })

  it('that are under way when their execution takes too long have failed for that reason', async () => {
    const id = await queue(kindOf(never, { timeout: 200 }, { concurrency: 1 }), targets(2))
    await worker()
    expect(await ended(id)).toMatchObject({ state: 'FAILURE', error_code: 'timeout' })
    expect((await itemsOf(id)).map(({ state, error_code }) => [state, error_code])).toEqual([
      ['FAILURE', 'timeout'],
      ['CANCELED', 'canceled'],
    ])
  })

  it('are planned once: a further attempt goes on with what the first one planned', async () => {
    let plans = 0
    const kind = defineTestJob<object>({
      name: `test.${randomUUID()}`,
      delivery: 'idempotent',
      async run(_ctx, _payload, job) {
        await job.planItems(async () => targets(++plans))
        await job.eachItem({ concurrency: 1 }, async () => {})
        if (job.attempt === 1) throw new Error('once more')
      },
    })
    const id = await server.context().enqueue(kind, {})
    await worker()
    const put = async () => {
      const { state, attempts } = await jobOf(id)
      return [state, Number(attempts)]
    }
    await expect.poll(put, { timeout: 10_000 }).toEqual(['PENDING', 1])
    await services().database.writer.updateTable('kernel_job').set({ date_due: 0 }).where('id', '=', id).execute()
    expect(progressOf(await ended(id))).toEqual({ total: 1, done: 1, failed: 0 })
    expect(await logOf(id)).toContain('once more\r\nRetrying in 10 seconds: attempt 2 of 3.')
  })

  it('are cheap: 5,000 of them are done with few transactions', async () => {
    let transactions = 0
    const { database } = services()
    const counted = {
      ...services(),
      database: {
        ...database,
        transaction: ((work) => {
          transactions++
          return database.transaction(work)
        }) as typeof database.transaction,
      },
    }
    const kind = kindOf(async () => {}, {}, { concurrency: 100 })
    const id = await queue(kind, targets(5000))
    const counting = new JobWorker(counted, () => undefined, { pollMs: 50 })
    await counting.start()
    workers.push(counting)
    expect(progressOf(await ended(id))).toEqual({ total: 5000, done: 5000, failed: 0 })
    expect(transactions).toBeLessThan(1000)
  })
})

describe('a worker that is stopped', () => {
  it('puts idempotent work back, which does not use up its attempts', async () => {
    const begun = signal()
    const kind = kindOf(
      async (item) => {
        await item.checkpoint('here')
        begun.happen()
        if (item.attempt === 1) await never(item)
      },
      { retries: 0 },
    )
    const id = await queue(kind, targets(1))
    const first = await worker()
    await begun.happened
    await first.stop()
    expect(await jobOf(id)).toMatchObject({ state: 'PENDING', date_lease: null })
    expect(await itemsOf(id)).toMatchObject([{ state: 'PENDING', checkpoint: '"here"' }])
    await worker()
    expect((await ended(id)).state).toBe('SUCCESS')
  })

  it('lets work that is done at most once end, and begins nothing new', async () => {
    const begun = signal()
    const release = signal()
    const kind = kindOf(
      async () => {
        begun.happen()
        await release.happened
      },
      { itemDelivery: 'at-most-once' },
      { concurrency: 1 },
    )
    const id = await queue(kind, targets(2))
    const first = await worker()
    await begun.happened
    const stopped = first.stop()
    release.happen()
    await stopped
    expect((await itemsOf(id)).map(({ state }) => state)).toEqual(['SUCCESS', 'PENDING'])
    await worker()
    expect(progressOf(await ended(id))).toEqual({ total: 2, done: 2, failed: 0 })
  })

  it.each([
    ['en', 'Interrupted: the worker was stopped'],
    ['zh', '已中断'],
    ['ja', '中断：'],
  ] as const)('says in the log of what it had to interrupt that it is lost (%s)', async (language, said) => {
    const begun = signal()
    const kind = defineTestJob<object>({
      name: `test.${randomUUID()}`,
      delivery: 'at-most-once',
      async run(_ctx, _payload, job) {
        await job.log('a last line')
        begun.happen()
        await never(job)
      },
    })
    const id = await server.context().enqueue(kind, {}, { language })
    const first = await worker({ stopMs: 100 })
    await begun.happened
    await first.stop()
    expect(await jobOf(id)).toMatchObject({ state: 'LOST', error_code: 'worker_stopped' })
    expect(await logOf(id)).toMatch(new RegExp(`^a last line\r\n${said}`))
  })
})

describe('attempts', () => {
  /** An execution whose worker has died. */
  async function orphaned(kind: ReturnType<typeof kindOf>, row: object): Promise<string> {
    const id = await server.context().enqueue(kind, {}, { language: 'zh' })
    await services()
      .database.writer.updateTable('kernel_job')
      .set({ state: 'RUNNING', worker: 'gone:1', date_lease: 1, ...row })
      .where('id', '=', id)
      .execute()
    return id
  }
  const none = () => Promise.resolve()

  it('are bounded by the retries of the kind, takeovers included', async () => {
    const kind = kindOf(none, { retries: 1, run: none })
    const id = await orphaned(kind, { attempts: 2 })
    const within = await orphaned(kind, { attempts: 1 })
    await worker()
    expect(await ended(id)).toMatchObject({ state: 'FAILURE', error_code: 'worker_lost', attempts: 2 })
    expect(await logOf(id)).toContain('任务已终止')
    expect(await ended(within)).toMatchObject({ state: 'SUCCESS', attempts: 2 })
  })

  it('of versions before that were not bounded do not count', async () => {
    // As the migration leaves them.
    const id = await orphaned(kindOf(none, { retries: 1, run: none }), { attempts: 7, attempts_returned: 6 })
    await worker()
    expect(await ended(id)).toMatchObject({ state: 'SUCCESS', attempts: 8 })
  })

  it('of an execution that a user cancelled end it as cancelled', async () => {
    const id = await orphaned(kindOf(none, { run: none }), { attempts: 1, cancel_requested: true })
    await worker()
    expect(await ended(id)).toMatchObject({ state: 'CANCELED' })
  })

  it('of work that nobody may do twice are lost, and clients of the v3 contract see a failure', async () => {
    const kind = kindOf(none, { delivery: 'at-most-once', run: none })
    const id = await orphaned(kind, { attempts: 1 })
    await worker()
    expect((await ended(id)).state).toBe('LOST')
    const seen = await server.admin.request('GET', `/api/v1/ops/task-executions/${id}/`)
    expect(seen).toMatchObject({ state: 'FAILURE', is_finished: true, is_success: false })
    const result = await server.admin.request('GET', `/api/v1/ops/celery/task/${id}/task-execution/${id}/result/`)
    expect(result).toMatchObject({ state: 'FAILURE', result: { error: expect.stringContaining('已丢失') } })
  })
})
