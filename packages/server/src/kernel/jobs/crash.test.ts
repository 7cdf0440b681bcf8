import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sampled } from '@castellan/testing/sample'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CrashPlan, crashKinds } from '../../testing/jobs.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { commitsOfThisRun } from '../../testing/this-run.ts'
import { listItems } from './item-rows.ts'
import { readLog } from './log.ts'
import { isFinal } from './states.ts'
import { JobWorker } from './worker.ts'

let server: TestServer
let successor: JobWorker
beforeAll(async () => {
  server = await startServer()
  successor = new JobWorker(server.application.services, () => undefined, { pollMs: 100 })
  await successor.start()
})
afterAll(async () => {
  await successor.stop()
  await server.close()
})

const program = fileURLToPath(new URL('../../testing/worker.ts', import.meta.url))
const reader = () => server.application.services.database.reader
/** Processes at the same time. */
const atOnce = 4

/**
 * One that is killed is known to be dead, and its lease is ended then: until that, no slow machine takes it for dead. One
 * that stalls has to find by its own clock that its lease has ended. Milliseconds.
 */
const leases = { SIGKILL: 60_000, SIGSTOP: 2000 }

interface Scenario extends CrashPlan {
  jobId: string
}

const effectsOf = ({ effects }: CrashPlan) =>
  existsSync(effects) ? readFileSync(effects, 'utf8').trim().split('\n') : []

async function queued(plan: Pick<CrashPlan, 'kind' | 'transaction' | 'timestamp' | 'signal'>): Promise<Scenario> {
  const name = `crash.${plan.kind}.${randomUUID()}`
  const jobId = await server.context().enqueue({ name, run: async () => undefined }, {})
  const { dataDir, application } = server
  const { databaseUrl } = application.services.config
  return {
    ...plan,
    name,
    jobId,
    dataDir,
    databaseUrl,
    effects: join(dataDir, `${name}.txt`),
    leaseMs: leases[plan.signal],
  }
}

function spawned(plan: CrashPlan): ChildProcess {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: join(server.dataDir, 'compiled'),
    CASTELLAN_TEST_CRASH: JSON.stringify(plan),
  }
  return spawn(process.execPath, [program], { env, stdio: 'inherit' })
}

/** Runs a worker until it is killed or its job has ended; says whether it was killed. */
async function struck(plan: Scenario): Promise<boolean> {
  const child = spawned(plan)
  const [, signal] = await once(child, 'exit')
  await server.application.services.database.writer
    .updateTable('kernel_job')
    .set({ date_lease: 0 })
    .where('id', '=', plan.jobId)
    .where('state', '=', 'RUNNING')
    .execute()
  return signal === 'SIGKILL'
}

const jobOf = ({ jobId }: Scenario) =>
  reader().selectFrom('kernel_job').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()

/** Lets the worker of this process know the kind, and waits until the job has ended. */
async function ended(scenario: Scenario) {
  crashKinds[scenario.kind](scenario.name, scenario.effects)
  await expect.poll(async () => isFinal((await jobOf(scenario)).state), { timeout: 20_000, interval: 50 }).toBe(true)
  const items = await listItems(reader(), scenario.jobId, { limit: 10 })
  const keys = await reader().selectFrom('kernel_job_key').selectAll().where('job_id', '=', scenario.jobId).execute()
  const { text } = await readLog(reader(), scenario.jobId, 0)
  return { job: await jobOf(scenario), items, keys, text, effects: effectsOf(scenario) }
}

const countOf = (list: readonly string[], one: string) => list.filter((entry) => entry === one).length

/** What holds whenever the worker died. */
async function check(scenario: Scenario): Promise<string> {
  const { job, items, keys, text, effects } = await ended(scenario)
  const where = JSON.stringify({ scenario, job, items, effects, text })
  expect(keys, where).toEqual([])
  expect(job.date_lease, where).toBeNull()
  if (scenario.kind === 'once') {
    // Never twice; where it was begun and not known to have ended, it is lost and says so.
    expect(countOf(effects, 'done'), where).toBeLessThanOrEqual(1)
    expect(['SUCCESS', 'LOST'], where).toContain(job.state)
    if (job.state === 'LOST') expect(text, where).toContain('Lost: the worker ended')
    else expect(effects, where).toEqual(['done'])
    return job.state
  }
  expect(job.state, where).toBe('SUCCESS')
  const lost = items.filter(({ state }) => state === 'LOST')
  expect(
    { total: Number(job.items_total), done: Number(job.items_done), failed: Number(job.items_failed) },
    where,
  ).toEqual({
    total: 2,
    done: 2,
    failed: lost.length,
  })
  if (Number(job.attempts) > 1) expect(text, where).toContain('Another worker continues: attempt 2 of 6')
  for (const { target_id: id, state, checkpoint } of items) {
    const [one, two] = [countOf(effects, `${id} one`), countOf(effects, `${id} two`)]
    if (scenario.kind === 'items') {
      // Done again from its checkpoint, and not after its end is stored.
      expect([state, checkpoint], where).toEqual(['SUCCESS', '"one"'])
      expect(one, where).toBeGreaterThanOrEqual(1)
      expect(two, where).toBeGreaterThanOrEqual(1)
      expect(one + two, where).toBeLessThanOrEqual(3)
    } else {
      expect(one, where).toBeLessThanOrEqual(1)
      expect(two, where).toBeLessThanOrEqual(1)
      if (state === 'SUCCESS') expect([one, two], where).toEqual([1, 1])
      else expect(state, where).toBe('LOST')
    }
  }
  return lost.length > 0 ? 'LOST' : 'SUCCESS'
}

/** A job without items has two commits, which are always both struck. */
function* allCommits(): Generator<number, never> {
  for (let commit = 1; ; commit++) yield commit
}
const commitsFor = (kind: CrashPlan['kind'], about: string) =>
  kind === 'once' ? allCommits() : commitsOfThisRun(`${about} ${kind}`)

/** How many of these commits are there where a job has `most`. */
function amountUpTo(most: number, commits: Generator<number, never>): number {
  let amount = 0
  while (commits.next().value <= most) amount++
  return amount
}

describe('a worker that is killed', () => {
  it.each([
    ['idempotent items', 'items', 9, ['SUCCESS']],
    ['items that are done at most once', 'itemsOnce', 9, ['LOST', 'SUCCESS']],
    ['a job that is done at most once', 'once', 2, ['LOST', 'SUCCESS']],
  ] as const)(
    sampled('at any of its commits leaves %s in order'),
    { timeout: 180_000 },
    async (_name, kind, least, outcomes) => {
      const found = new Set<string>()
      const checks: Promise<unknown>[] = []
      const commits = commitsFor(kind, 'killed')
      let isOver = false
      let kills = 0
      const one = async () => {
        while (!isOver) {
          const transaction = commits.next().value
          for (const timestamp of ['before', 'after'] as const) {
            const scenario = await queued({ kind, transaction, timestamp, signal: 'SIGKILL' })
            if (await struck(scenario)) kills++
            else isOver = true
            checks.push(check(scenario).then((outcome) => found.add(outcome)))
          }
        }
      }
      await Promise.all(Array.from({ length: atOnce }, one))
      await Promise.all(checks)
      expect(kills).toBeGreaterThanOrEqual(2 * amountUpTo(least, commitsFor(kind, 'killed')))
      expect([...found].sort()).toEqual(outcomes)
    },
  )
})

describe('a worker that stalls and comes back', () => {
  it.each(['items', 'itemsOnce', 'once'] as const)(
    sampled('changes nothing of what its successor did (%s)'),
    { timeout: 180_000 },
    async (kind) => {
      const commits = commitsFor(kind, 'stalled')
      let isOver = false
      let aborted = 0
      const one = async () => {
        while (!isOver) {
          const scenario = await queued({
            kind,
            transaction: commits.next().value,
            timestamp: 'after',
            signal: 'SIGSTOP',
          })
          const child = spawned(scenario)
          const exit = once(child, 'exit')
          const isStalled = () => existsSync(`${scenario.effects}.struck`)
          await expect
            .poll(async () => isStalled() || isFinal((await jobOf(scenario)).state), { timeout: 20_000, interval: 50 })
            .toBe(true)
          isOver ||= !isStalled()
          await check(scenario)
          const before = await ended(scenario)
          child.kill('SIGTERM')
          // One that had not stopped itself when its job was seen at its end may do so only now.
          const wakes = setInterval(() => child.kill('SIGCONT'), 50)
          await exit
          clearInterval(wakes)
          const { effects, ...after } = await ended(scenario)
          const isAborted = (effect: string) => effect.endsWith('aborted')
          if (effects.some(isAborted)) aborted++
          // It did nothing more to the targets either.
          expect({ ...after, effects: effects.filter((effect) => !isAborted(effect)) }).toEqual(before)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, one))
      // Work that was under way heard of it by its signal.
      if (kind !== 'once') expect(aborted).toBeGreaterThan(0)
    },
  )
})
