import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { databaseOfThisRun, emptyPostgres } from '../../testing/databases.ts'
import { defineTestJob } from '../../testing/jobs.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { isFinal } from './states.ts'
import { JobWorker } from './worker.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const database = () => server.application.services.database

/** The same database, with every statement that does not only read counted. */
function counting(): { counted: Database; writes: string[] } {
  const writes: string[] = []
  const { writer, transaction, ...rest } = database()
  const counted: Database = {
    ...rest,
    get writer() {
      writes.push('writer')
      return writer
    },
    transaction(work) {
      writes.push('transaction')
      return transaction(work)
    },
  }
  return { counted, writes }
}

const doNothing = defineTestJob<object>({ name: 'test.nothing', delivery: 'idempotent', run: async () => undefined })

describe('an idle worker', () => {
  it('writes nothing', async () => {
    const { counted, writes } = counting()
    let looks = 0
    const reader = counted.reader
    const services = {
      ...server.application.services,
      database: {
        ...counted,
        transaction: counted.transaction,
        get reader() {
          looks++
          return reader
        },
      },
    }
    const worker = new JobWorker(services, () => undefined, { pollMs: 20, leaseMs: 100 })
    await worker.start()
    const id = await server.context().enqueue(doNothing, {})
    const state = async () =>
      (await reader.selectFrom('kernel_job').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
    await expect.poll(async () => isFinal(await state()), { timeout: 20_000 }).toBe(true)
    // Whatever followed the end of the job is over when it has looked several times more.
    const settled = looks + 10
    await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(settled)
    writes.length = 0
    const later = looks + 30
    await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(later)
    expect(writes).toEqual([])
    await worker.stop()
  })
})

describe('the statements of workers', () => {
  it('find what they look for by an index among many executions', async () => {
    const now = Date.now()
    const rows = Array.from({ length: 3000 }, (_, index) => ({
      id: randomUUID(),
      name: `test.many-${index % 3}`,
      payload: '{}',
      state: 'SUCCESS',
      attempts: 1,
      cancel_requested: false,
      unique_key: index % 2 ? `key-${index}` : null,
      date_created: now,
      date_due: now + index,
      date_finished: now,
    }))
    const { writer } = database()
    for (let at = 0; at < rows.length; at += 500)
      await writer
        .insertInto('kernel_job')
        .values(rows.slice(at, at + 500))
        .execute()
    const items = Array.from({ length: 3000 }, (_, position) => ({
      id: randomUUID(),
      job_id: rows[position % 10]?.id,
      position,
      target_type: 'test',
      target_id: 'x',
      target_label: 'x',
      state: position % 2 ? 'PENDING' : 'SUCCESS',
      attempts: 0,
    }))
    for (let at = 0; at < items.length; at += 500)
      await writer
        .insertInto('kernel_job_item')
        .values(items.slice(at, at + 500))
        .execute()
    if (databaseOfThisRun() === 'postgresql') await sql`analyze`.execute(writer)
    const statements = {
      claim: `select name from kernel_job where state = 'PENDING' and name in ('a', 'b', 'c') and date_due <= 1 limit 50`,
      due: `select id from kernel_job where state = 'PENDING' and name = 'a' and date_due <= 1 order by date_due limit 5`,
      lease: `select id from kernel_job where state = 'RUNNING' and date_lease < 1 order by date_lease limit 20`,
      unique: `select id from kernel_job where unique_key = 'x' and state in ('PENDING', 'RUNNING')`,
      schedules: `select id from kernel_schedule where date_next <= 1 and job_name in ('a') order by date_next limit 50`,
      items: `select * from kernel_job_item where job_id = '${rows[0]?.id}' and position >= 5 order by position limit 10`,
      pending: `select * from kernel_job_item where job_id = '${rows[0]?.id}' and state = 'PENDING' and position >= 5 order by position limit 10`,
    }
    const plans: Record<string, string> = {}
    for (const [name, statement] of Object.entries(statements)) {
      if (databaseOfThisRun() === 'sqlite') {
        const { rows: plan } = await sql<{ detail: string }>`explain query plan ${sql.raw(statement)}`.execute(writer)
        plans[name] = plan.map(({ detail }) => detail).join('; ')
      } else
        plans[name] = await database().transaction(async (db) => {
          // A table with few rows is read whole otherwise, whatever indexes there are.
          await sql`set local enable_seqscan = off`.execute(db)
          const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(statement)}`.execute(db)
          return plan.map((line) => line['QUERY PLAN']).join('; ')
        })
    }
    for (const [name, plan] of Object.entries(plans)) {
      expect(plan, name).toMatch(/index/i)
      expect(plan, name).not.toMatch(/^scan|seq scan/i)
    }
    // In the order in which they are wanted, or sorted after few were found.
    for (const name of ['due', 'lease', 'items', 'pending']) expect(plans[name], name).not.toMatch(/sort|temp b-tree/i)
  })
})

describe('jobs of the version before', () => {
  it('have all of their retries after the migration, however often they were begun', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-jobs-'))
    const postgres = databaseOfThisRun() === 'postgresql' ? await emptyPostgres() : undefined
    const old = await openDatabase({ url: postgres?.url, dataDir: folder })
    try {
      const last = migrations.findIndex(({ name }) => name.endsWith('-executions'))
      await migrate(old, migrations.slice(0, last))
      const row = (id: string, state: string, attempts: number) => ({
        ...{ id, name: 'x', payload: '{}', state, attempts, cancel_requested: false, date_created: 1, date_due: 1 },
      })
      await old.writer
        .insertInto('kernel_job')
        .values([
          row('waits', 'PENDING', 0),
          row('again', 'PENDING', 4),
          row('runs', 'RUNNING', 7),
          row('over', 'SUCCESS', 2),
        ])
        .execute()
      await migrate(old)
      const rows = await old.reader
        .selectFrom('kernel_job')
        .select(['id', 'attempts', 'attempts_returned', 'items_total'])
        .orderBy('id')
        .execute()
      expect(
        rows.map((one) => [one.id, Number(one.attempts) - Number(one.attempts_returned ?? 0), one.items_total]),
      ).toEqual([
        ['again', 0, null],
        ['over', 2, null],
        ['runs', 1, null],
        ['waits', 0, null],
      ])
    } finally {
      await old.close()
      await postgres?.drop()
      rmSync(folder, { recursive: true })
    }
  })
})
