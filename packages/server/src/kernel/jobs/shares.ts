import { errors } from '@castellan/contract/messages/errors'
import type { Db } from '../../db/database.ts'
import { distinctValues } from '../../db/distinct-values.ts'
import { failure, text } from '../module/errors.ts'

/**
 * Fair shares of the workers. A job is done for somebody: for the user who started it, or, by a schedule, for its
 * organization. A slot that is free goes to whom fewest jobs of this kind run for, and one of them never has all slots
 * of a worker, so that others find one whatever they have queued.
 */
export type Share = string | null

/** Users whose jobs are considered at once. */
const mostShares = 200

/** Executions of one user that may wait. A console starts one at a time, so more are a program's. */
export const mostWaiting = 100

/** Throws 429 when enough of a user's executions wait. Nothing bounds the system's, nor those of schedules. */
export async function demandRoomInQueue(db: Db, share: Share): Promise<void> {
  if (share === null || share.startsWith('org:')) return
  const rows = await db
    .selectFrom('kernel_job')
    .select('id')
    .where('share', '=', share)
    .where('state', '=', 'PENDING')
    .limit(mostWaiting)
    .execute()
  if (rows.length === mostWaiting)
    throw failure(429, 'too_many_executions', text(errors.too_many_executions, { most: mostWaiting }))
}

/** Whose share a job takes; null for the system's own work and for what follows from other work: it is not bounded. */
export function shareOf(job: {
  creator?: string | undefined
  scheduleId?: string | undefined
  orgId?: string | undefined
}): Share {
  if (job.scheduleId) return job.orgId ? `org:${job.orgId}` : null
  return job.creator && job.creator !== 'System' ? job.creator : null
}

/** Most runs of a kind that one share has in a worker that runs `concurrency` of them at once. */
export const mostOfShare = (share: Share, concurrency: number): number =>
  share === null ? concurrency : Math.max(1, concurrency - 1)

/** Whose due jobs of a kind wait. */
async function waitingShares(db: Db, name: string): Promise<Share[]> {
  const where = { state: 'PENDING', name }
  return [null, ...(await distinctValues(db, { table: 'kernel_job', column: 'share', where, most: mostShares }))]
}

interface Due {
  id: string
  share: Share
  org: string | null
  due: number
}

/** How many run, for each share and each organization. */
class Running {
  readonly #counts = new Map<string, number>()

  of(kind: 'share' | 'org', who: string | null): number {
    return this.#counts.get(`${kind} ${who}`) ?? 0
  }

  add(share: Share, org: string | null, count: number): void {
    for (const key of [`share ${share}`, `org ${org}`]) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
  }

  /** Negative when the first comes before the other: by what runs for its user, then for its organization, then by age. */
  compare(one: Due, other: Due): number {
    return (
      this.of('share', one.share) - this.of('share', other.share) ||
      this.of('org', one.org) - this.of('org', other.org) ||
      one.due - other.due
    )
  }
}

async function runningOf(db: Db, name: string): Promise<Running> {
  const running = new Running()
  const rows = await db
    .selectFrom('kernel_job')
    .select(['share', 'org_id', (eb) => eb.fn.countAll().as('n')])
    .where('state', '=', 'RUNNING')
    .where('name', '=', name)
    .groupBy(['share', 'org_id'])
    .execute()
  for (const { share, org_id, n } of rows) running.add(share as Share, org_id as string | null, Number(n))
  return running
}

/**
 * Due jobs of a kind in the order in which they get slots.
 * @param roomOf how many more the worker may run for a share
 */
export async function dueInTurn(
  db: Db,
  name: string,
  { most, now, roomOf }: { most: number; now: number; roomOf: (share: Share) => number },
): Promise<string[]> {
  const running = await runningOf(db, name)
  const queues: Due[][] = []
  for (const share of await waitingShares(db, name)) {
    if (roomOf(share) <= 0) continue
    const rows = await db
      .selectFrom('kernel_job')
      .select(['id', 'org_id', 'date_due'])
      .where('state', '=', 'PENDING')
      .where('name', '=', name)
      .where('share', share === null ? 'is' : '=', share)
      .where('date_due', '<=', now)
      .orderBy('date_due')
      .limit(most)
      .execute()
    const queue = rows.map((row) => ({
      id: String(row.id),
      share,
      org: row.org_id as string | null,
      due: Number(row.date_due),
    }))
    if (queue.length > 0) queues.push(queue)
  }
  const chosen: string[] = []
  while (chosen.length < most) {
    const next = queues
      .filter((queue) => queue.length > 0)
      .toSorted((a, b) => running.compare(a[0] as Due, b[0] as Due))
    const job = next[0]?.shift()
    if (!job) break
    running.add(job.share, job.org, 1)
    chosen.push(job.id)
  }
  return chosen
}
