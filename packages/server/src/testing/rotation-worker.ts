import { AsyncLocalStorage } from 'node:async_hooks'
import { isFinal } from '../kernel/jobs/states.ts'
import { JobWorker } from '../kernel/jobs/worker.ts'
import type { Context } from '../kernel/module/context.ts'
import { changeSecrets } from '../modules/accounts/rotation/automations.ts'
import type { RotationCrash } from './rotation.ts'
import { startServer, type TestServer } from './server.ts'

/**
 * A worker in a process of its own that changes secrets and kills itself before the commit of one of the transactions of
 * its execution, for tests.
 */
const plan = JSON.parse(process.env.CASTELLAN_TEST_CRASH ?? '{}') as RotationCrash
const { dataDir, databaseUrl } = plan
const server = await startServer({
  beside: { dataDir, application: { services: { config: { databaseUrl } } } } as TestServer,
})
const { services } = server.application
const { database } = services

/** Only what the execution itself does counts: other jobs may be due as well. */
const inExecution = new AsyncLocalStorage<true>()
const kind = changeSecrets.job
const { run } = kind
Object.assign(kind, {
  run: (...given: [Context, Parameters<typeof run>[1], Parameters<typeof run>[2]]) =>
    inExecution.run(true, () => run(...given)),
})

let count = 0
const { transaction } = database
Object.assign(database, {
  transaction: ((work) =>
    transaction(async (db) => {
      const done = await work(db)
      if (inExecution.getStore() && ++count === plan.transaction) {
        process.kill(process.pid, 'SIGKILL')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
      }
      return done
    })) satisfies typeof transaction,
})

const worker = new JobWorker(services, () => undefined, { pollMs: 50 })
await worker.start()
for (;;) {
  const job = await database.reader
    .selectFrom('kernel_job')
    .select('state')
    .where('id', '=', plan.task)
    .executeTakeFirst()
  if (job && isFinal(job.state)) break
  await new Promise((settle) => setTimeout(settle, 20))
}
await worker.stop()
process.exit(0)
