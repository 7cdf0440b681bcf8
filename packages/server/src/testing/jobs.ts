import { appendFileSync } from 'node:fs'
import { defineJob, type JobKind, registerJobs } from '../kernel/jobs/kinds.ts'

/** Defines a kind of job of a test, and makes it known to the workers of this process. */
export const defineTestJob: typeof defineJob = (kind) => {
  const defined = defineJob(kind)
  registerJobs([defined])
  return defined
}

/** Instructions for a crashing worker, as JSON in its environment. */
export interface CrashPlan {
  dataDir: string
  /** PostgreSQL, if it is not SQLite in the folder. */
  databaseUrl?: string | undefined
  /** The job kind that only this worker declares. */
  name: string
  kind: keyof typeof crashKinds
  /** The file to which work writes what it does to its targets. */
  effects: string
  /** The transaction around whose commit something happens; the first one is 1. */
  transaction: number
  timestamp: 'before' | 'after'
  signal: 'SIGKILL' | 'SIGSTOP'
  leaseMs: number
}

const targets = ['a', 'b']

const effect = (file: string, text: string) => appendFileSync(file, `${text}\n`)

/** An effect on a target in two steps, with a checkpoint between them. */
function itemsKind(name: string, file: string, itemDelivery: 'idempotent' | 'at-most-once'): JobKind<object> {
  return defineTestJob<object>({
    name,
    delivery: 'idempotent',
    retries: 5,
    itemDelivery,
    async run(_ctx, _payload, job) {
      await job.log(`attempt ${job.attempt}`)
      await job.planItems(async () => targets.map((id) => ({ target: { type: 'test', id, label: id } })))
      const progress = await job.eachItem<unknown, string>(
        { concurrency: 1, keys: ({ target }) => [`${name}:${target.id}`] },
        async (item) => {
          const { id } = item.target
          item.signal.addEventListener('abort', () => effect(file, `${id} aborted`))
          if (item.reached !== 'one') {
            effect(file, `${id} one`)
            await item.checkpoint('one')
          }
          effect(file, `${id} two`)
        },
      )
      await job.log('all done')
      return progress
    },
  })
}

/** Kinds of jobs whose workers are killed at every state change. */
export const crashKinds = {
  items: (name: string, file: string) => itemsKind(name, file, 'idempotent'),
  itemsOnce: (name: string, file: string) => itemsKind(name, file, 'at-most-once'),
  once: (name: string, file: string) =>
    defineTestJob<object>({
      name,
      delivery: 'at-most-once',
      keys: () => [name],
      async run(_ctx, _payload, job) {
        await job.log('begun')
        effect(file, 'done')
        return 'done'
      },
    }),
}
