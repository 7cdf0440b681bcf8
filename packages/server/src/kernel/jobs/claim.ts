import { type AnyRow, announceInOrder, type Db } from '../../db/database.ts'
import type { Services } from '../context.ts'
import { abandoned, writeEnding } from './endings.ts'
import { lockJob } from './fence.ts'
import { takeKeys, type Unit } from './keys.ts'
import { findJobKind, jobKinds } from './kinds.ts'

/** Jobs that are looked at beyond those that can start, when the first ones wait for their keys. */
const lookAhead = 100
/** Expired attempts that are ended at a time. */
const expiredAtOnce = 20

/** Due jobs of every kind that has room, the oldest of each kind. Needs no lock and writes nothing. */
async function dueJobs(db: Db, room: ReadonlyMap<string, number>, now: number): Promise<string[]> {
  const [first, ...more] = jobKinds().map((kind) => {
    const free = room.get(kind.name) ?? 0
    return db
      .selectFrom((eb) =>
        eb
          .selectFrom('kernel_job')
          .select(['id', 'date_due'])
          .where('state', '=', 'PENDING')
          .where('name', '=', kind.name)
          .where('date_due', '<=', now)
          .orderBy('date_due')
          .limit(kind.keys && free > 0 ? free + lookAhead : free)
          .as('due'),
      )
      .select(['id', 'date_due'])
  })
  if (!first) return []
  const rows = await more.reduce((query, one) => query.unionAll(one), first).execute()
  return rows.toSorted((a, b) => Number(a.date_due) - Number(b.date_due)).map(({ id }) => id as string)
}

/** The unit whose keys a job needs; they are given back when its attempt ends. */
const unitOf = (job: AnyRow): Unit => ({
  id: job.id,
  jobId: job.id,
  keys: findJobKind(job.name)?.keys?.(JSON.parse(job.payload) as never) ?? [],
})

/**
 * Claims due jobs for a worker: at most `room` of each kind, and only those whose keys are free. Several workers share
 * what is due. A claim is a new attempt.
 */
export async function claimJobs(
  { database }: Services,
  worker: string,
  room: ReadonlyMap<string, number>,
  leaseMs: number,
): Promise<{ claimed: AnyRow[]; isWaiting: boolean }> {
  const due = await dueJobs(database.reader, room, Date.now())
  if (due.length === 0) return { claimed: [], isWaiting: false }
  return database.transaction(async (db) => {
    const now = Date.now()
    const query = db
      .selectFrom('kernel_job')
      .selectAll()
      .where('id', 'in', due)
      .where('state', '=', 'PENDING')
      .orderBy('date_due')
    const rows: AnyRow[] = await (database.dialect === 'postgres' ? query.forUpdate().skipLocked() : query).execute()
    const chosen: AnyRow[] = []
    let isWaiting = false
    for (const [name, jobs] of Map.groupBy(rows, (job) => job.name as string)) {
      const most = room.get(name) ?? 0
      const granted = await takeKeys(db, database.dialect, jobs.map(unitOf), { now, most })
      chosen.push(...jobs.filter(({ id }) => granted.has(id)))
      isWaiting ||= granted.size < Math.min(most, jobs.length)
    }
    if (chosen.length > 0)
      await db
        .updateTable('kernel_job')
        .set((eb) => ({
          state: 'RUNNING',
          worker,
          attempts: eb('attempts', '+', 1),
          date_start: now,
          date_lease: now + leaseMs,
        }))
        .where(
          'id',
          'in',
          chosen.map(({ id }) => id),
        )
        .execute()
    const claimed = chosen.map((job) => ({ ...job, attempts: Number(job.attempts) + 1 }))
    return { claimed, isWaiting }
  })
}

/**
 * Ends attempts whose lease has expired: their worker died, or has been silent for as long as a dead one.
 * @param except executions of our own: when the clock is set ahead, every lease expires at once
 */
export async function endExpired(services: Services, except: readonly string[]): Promise<void> {
  const { database } = services
  const expired: AnyRow[] = await database.reader
    .selectFrom('kernel_job')
    .select(['id', 'name', 'worker', 'attempts'])
    .where('state', '=', 'RUNNING')
    .where('date_lease', '<', Date.now())
    .where('id', 'not in', [...except])
    .orderBy('date_lease')
    .limit(expiredAtOnce)
    .execute()
  for (const { id, name, worker, attempts } of expired) {
    const kind = findJobKind(name)
    // A newer version declares it.
    if (!kind) continue
    await database.transaction(async (db) => {
      await announceInOrder(db, database.dialect)
      const now = Date.now()
      const job = await lockJob(db, database.dialect, (eb) =>
        eb.and([eb.and({ id, worker, attempts, state: 'RUNNING' }), eb('date_lease', '<', now)]),
      )
      if (job) await writeEnding(db, services, job, kind, abandoned(job, kind, now))
    })
  }
}
