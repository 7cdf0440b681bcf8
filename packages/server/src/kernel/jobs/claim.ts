import type { Database, Db } from '../../db/database.ts'
import type { Services } from '../module/context.ts'
import { abandoned, writeEnding } from './endings.ts'
import { lockJob } from './fence.ts'
import { takeKeys, type Unit } from './keys.ts'
import { findJobKind } from './kinds.ts'
import { dueInTurn, mostOfShare, type Share } from './shares.ts'
import type { JobRow } from './tables.ts'

/** How many more runs of a kind a worker takes, and for whom those are that it has. */
export interface Room {
  free: number
  concurrency: number
  held: ReadonlyMap<Share, number>
}

/** How many more of a share. */
const roomOf = (room: Room, share: Share) => mostOfShare(share, room.concurrency) - (room.held.get(share) ?? 0)

/** Jobs that are looked at beyond those that can start, when the first ones wait for their keys. */
const lookAhead = 100
/** Expired attempts that are ended at a time. */
const expiredAtOnce = 20

/** Some of the kinds that have due jobs: one cheap look, which writes nothing, and is all that idle workers do. */
async function dueKinds(db: Db, names: readonly string[], now: number): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('kernel_job')
    .select('name')
    .where('state', '=', 'PENDING')
    .where('name', 'in', [...names])
    .where('date_due', '<=', now)
    .limit(50)
    .execute()
  return [...new Set(rows.map(({ name }) => name as string))]
}

/** The unit whose keys a job needs; they are given back when its attempt ends. */
function unitOf(job: JobRow): Unit {
  try {
    const keys = findJobKind(job.name)?.keys?.(JSON.parse(job.payload) as never) ?? []
    return { id: job.id, jobId: job.id, keys }
  } catch {
    // Its run fails with the same error; other jobs must not wait for it.
    return { id: job.id, jobId: job.id, keys: [] }
  }
}

/**
 * Claims due jobs for a worker: at most `room` of each kind, in turn for everybody (shares.ts), and only those whose keys
 * are free. Several workers share what is due. A claim is a new attempt.
 * @returns the rows, and whether others wait for their keys
 */
export async function claimJobs(
  { database }: Services,
  worker: string,
  room: ReadonlyMap<string, Room>,
  leaseMs: number,
): Promise<{ claimed: JobRow[]; isWaiting: boolean }> {
  const claimed: JobRow[] = []
  let isWaiting = false
  let names = [...room].filter(([, { free }]) => free > 0).map(([name]) => name)
  for (;;) {
    const due = await dueKinds(database.reader, names, Date.now())
    if (due.length === 0) return { claimed, isWaiting }
    for (const name of due) {
      const own = room.get(name)
      if (!own) continue
      const hasKeys = findJobKind(name)?.keys !== undefined
      const ids = await dueInTurn(database.reader, name, {
        most: hasKeys ? own.free + lookAhead : own.free,
        now: Date.now(),
        roomOf: (share) => roomOf(own, share),
      })
      const some = await claimSome(database, ids, own, worker, leaseMs)
      claimed.push(...some)
      isWaiting ||= hasKeys && some.length < Math.min(own.free, ids.length)
    }
    // A kind whose jobs wait for their keys does not hide the others.
    names = names.filter((name) => !due.includes(name))
  }
}

async function claimSome(
  { dialect, transaction }: Database,
  ids: readonly string[],
  room: Room,
  worker: string,
  leaseMs: number,
): Promise<JobRow[]> {
  if (ids.length === 0) return []
  return transaction(async (db) => {
    const now = Date.now()
    const query = db
      .selectFrom('kernel_job')
      .selectAll()
      .$castTo<JobRow>()
      .where('id', 'in', [...ids])
      .where('state', '=', 'PENDING')
    const found = await (dialect === 'postgres' ? query.forUpdate().skipLocked() : query).execute()
    const place = new Map(ids.map((id, at) => [id, at]))
    const rows = found.toSorted((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0))
    const shares = new Map(rows.map(({ id, share }) => [id, share as Share]))
    const taken = new Map<Share, number>()
    const granted = await takeKeys(db, dialect, rows.map(unitOf), {
      now,
      most: room.free,
      mayTake: ({ id }) => (taken.get(shares.get(id) ?? null) ?? 0) < roomOf(room, shares.get(id) ?? null),
      took: ({ id }) => {
        const share = shares.get(id) ?? null
        taken.set(share, (taken.get(share) ?? 0) + 1)
      },
    })
    const chosen = rows.filter(({ id }) => granted.has(id))
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
        .where('id', 'in', [...granted])
        .execute()
    return chosen.map((job) => ({ ...job, attempts: Number(job.attempts) + 1 }))
  })
}

/**
 * Ends attempts whose lease has expired: their worker died, or has been silent for as long as a dead one.
 * @param except executions of our own: when the clock is set ahead, every lease expires at once
 */
export async function endExpired(services: Services, except: readonly string[]): Promise<void> {
  const { database } = services
  const expired: Pick<JobRow, 'id' | 'name' | 'worker' | 'attempts'>[] = await database.reader
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
      const now = Date.now()
      const job = await lockJob(db, database.dialect, (eb) =>
        eb.and([eb.and({ id, worker, attempts, state: 'RUNNING' }), eb('date_lease', '<', now)]),
      )
      if (job) await writeEnding(db, services, job, kind, abandoned(job, kind, now))
    })
  }
}
