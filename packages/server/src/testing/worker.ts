import { writeFileSync } from 'node:fs'
import { openDatabase } from '../db/database.ts'
import { Events } from '../kernel/events/events.ts'
import { JobQueue } from '../kernel/jobs/queue.ts'
import { isFinal } from '../kernel/jobs/states.ts'
import { JobWorker } from '../kernel/jobs/worker.ts'
import type { Services } from '../kernel/module/context.ts'
import { type CrashPlan, crashKinds } from './jobs.ts'

/**
 * A worker in a process of its own that kills or stalls itself around the commit of one of its transactions, for tests.
 * It has the parts that jobs use, without the modules, so that many of them start quickly.
 */

const plan = JSON.parse(process.env.CASTELLAN_TEST_CRASH ?? '{}') as CrashPlan
const database = await openDatabase({ url: plan.databaseUrl, dataDir: plan.dataDir })
const events = new Events(database, () => undefined)
let count = 0
let active = 0

const tick = () => new Promise<void>((settle) => setImmediate(settle))

/** Ends or stalls this process at once: nothing runs any more until the signal has its effect. */
function strike(): void {
  writeFileSync(`${plan.effects}.struck`, '')
  process.kill(process.pid, plan.signal)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
}

const transaction: typeof database.transaction = async (work) => {
  count++
  const isChosen = count === plan.transaction
  active++
  const result = await database
    .transaction(async (db) => {
      const done = await work(db)
      if (isChosen && plan.timestamp === 'before') strike()
      return done
    })
    .finally(() => active--)
  if (isChosen && plan.timestamp === 'after') {
    // One that stalls while it holds the lock of SQLite stalls everybody.
    while (active > 0) await tick()
    strike()
  }
  return result
}

const services = {
  database: { ...database, transaction },
  events,
  jobs: new JobQueue(database.dialect, events),
} as unknown as Services
const { name } = crashKinds[plan.kind](plan.name, plan.effects)
await events.start()
const worker = new JobWorker(services, () => undefined, { leaseMs: plan.leaseMs, pollMs: 50, stopMs: 1000 })
await worker.start()

async function leave(): Promise<void> {
  await worker.stop()
  process.exit(0)
}
process.on('SIGTERM', () => void leave())

// One that is not struck ends when its job has.
for (;;) {
  const job = await database.reader.selectFrom('kernel_job').select('state').where('name', '=', name).executeTakeFirst()
  if (job && isFinal(job.state)) break
  await new Promise((settle) => setTimeout(settle, 20))
}
if (plan.signal === 'SIGKILL') await leave()
