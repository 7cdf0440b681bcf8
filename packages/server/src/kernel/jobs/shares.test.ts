import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineTestJob } from '../../testing/jobs.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { claimJobs, type Room } from './claim.ts'
import { mostWaiting, type Share } from './shares.ts'
import { JobWorker } from './worker.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const run = async () => undefined
const keyed = defineTestJob<{ key: string }>({
  name: 'test.keyed-shares',
  delivery: 'idempotent',
  concurrency: 4,
  keys: ({ key }) => [key],
  run,
})
const ended = defineTestJob<object>({ name: 'test.consequence', delivery: 'idempotent', isConsequence: true, run })
const [ann, bob, eve] = [randomUUID(), randomUUID(), randomUUID()]
/** Each is due later than the one before: jobs of one millisecond have no order. */
let age = Date.now() - 60_000
const [here, there] = [randomUUID(), randomUUID()]

/** Queues jobs of a kind that no other test has, and claims them as a worker with four slots does. */
function kindOfFour() {
  const kind = defineTestJob<object>({ name: `test.${randomUUID()}`, delivery: 'idempotent', concurrency: 4, run })
  const { services } = server.application
  const owners = new Map<string, string>()
  return {
    async queue(who: string, count: number, options: { creator?: string; scheduleId?: string; orgId?: string } = {}) {
      for (let at = 0; at < count; at++)
        owners.set(await server.context().enqueue(kind, {}, { creator: who, notBefore: age++, ...options }), who)
    },
    async claim(worker: string, held: ReadonlyMap<Share, number> = new Map()) {
      const used = [...held.values()].reduce((sum, one) => sum + one, 0)
      const room: Room = { free: 4 - used, concurrency: 4, held }
      const { claimed } = await claimJobs(services, worker, new Map([[kind.name, room]]), 60_000)
      return claimed.map(({ id }) => owners.get(id))
    },
  }
}

describe('slots of workers', () => {
  it('are never all one user’s, and the last one is for whoever comes', async () => {
    const { queue, claim } = kindOfFour()
    await queue(eve, 8)
    expect(await claim('one')).toEqual([eve, eve, eve])
    expect(await claim('one', new Map([[eve, 3]]))).toEqual([])
    await queue(ann, 1)
    expect(await claim('one', new Map([[eve, 3]]))).toEqual([ann])
    // Another worker has slots of its own, of which the same holds.
    expect(await claim('two')).toEqual([eve, eve, eve])
  })

  it('go to whom fewest run for, then by age', async () => {
    const { queue, claim } = kindOfFour()
    await queue(eve, 3)
    await queue(ann, 2)
    await queue(bob, 1)
    expect(await claim('one')).toEqual([eve, ann, bob, eve])
    expect(await claim('two')).toEqual([ann, eve])
  })

  it('go to the organization for which fewest run, between users for whom equally many do', async () => {
    const { queue, claim } = kindOfFour()
    await queue(eve, 1, { orgId: here })
    await queue(ann, 1, { orgId: here })
    await queue(bob, 1, { orgId: there })
    expect(await claim('one')).toEqual([eve, bob, ann])
  })

  it('are not all taken by the schedules of one organization, either', async () => {
    const { queue, claim } = kindOfFour()
    await queue('schedules', 8, { scheduleId: randomUUID(), orgId: here })
    await queue(ann, 1)
    expect(await claim('one')).toEqual(['schedules', ann, 'schedules', 'schedules'])
  })

  it('are not bounded for the system', async () => {
    const { queue, claim } = kindOfFour()
    await queue('System', 5)
    expect(await claim('one')).toHaveLength(4)
  })

  it('keep one free for others where jobs wait for keys', async () => {
    const queue = (creator: string, key: string) => server.context().enqueue(keyed, { key }, { creator })
    for (const key of ['a', 'a', 'b', 'c', 'd']) await queue(eve, key)
    const other = await queue(ann, 'e')
    const room: Room = { free: 4, concurrency: 4, held: new Map() }
    const { claimed } = await claimJobs(server.application.services, 'one', new Map([[keyed.name, room]]), 60_000)
    expect(claimed).toHaveLength(4)
    expect(claimed.map(({ id }) => id)).toContain(other)
  })

  it('let a job of another user run while one user’s fill the worker', async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    const done: string[] = []
    const kind = defineTestJob<{ who: string }>({
      name: 'test.fill',
      delivery: 'idempotent',
      concurrency: 4,
      run: async (_ctx, { who }) => {
        if (who === eve) await gate
        done.push(who)
      },
    })
    for (let at = 0; at < 5; at++) await server.context().enqueue(kind, { who: eve }, { creator: eve })
    const worker = new JobWorker(server.application.services, () => {}, { pollMs: 20 })
    await worker.start()
    await server.context().enqueue(kind, { who: ann }, { creator: ann })
    await expect.poll(() => done, { timeout: 10_000 }).toEqual([ann])
    release()
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(6)
    await worker.stop()
  })
})

describe('the queue', () => {
  it('takes no more of a user of whom enough waits, and says so; others are not refused', async () => {
    const { queue } = kindOfFour()
    const user = randomUUID()
    await queue(user, mostWaiting)
    await expect(queue(user, 1)).rejects.toMatchObject({ status: 429 })
    await queue(ann, 1)
    await queue(user, 1, { scheduleId: randomUUID(), orgId: here })
    await server.context().enqueue(ended, {}, { creator: user })
  })
})
