import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import type { Context, Services } from '../module/context.ts'
import type { RecordedChange } from '../resource/changes.ts'
import { allResources } from '../resource/resource.ts'
import { nextRuns, serverZone, type Timing } from './crontab.ts'
import { findJobKind, type JobKind, jobKinds } from './kinds.ts'
import type { Queueable } from './queue.ts'
import type { ScheduleRow } from './tables.ts'

/** The row a schedule belongs to: its resource, such as `accounts.changesecretautomation`, and its id. */
export interface ScheduleOwner {
  readonly type: string
  readonly id: string
}

/** What is queued and when. */
export interface ScheduleSpec<P> extends Timing {
  readonly job: Queueable<P>
  readonly payload: P
  /** A disabled schedule remains stored, with its last run. */
  readonly enabled: boolean
  /** The user its executions are started for; the caller when it is not given. */
  readonly creator?: string
}

/** Schedules that are queued at a time. */
const dueAtOnce = 50
/** What repeats by intervals longer than this waits as long after the start of a worker. Milliseconds. */
const settling = 60_000
/** The owner of schedules that kinds of jobs declare. */
const kindOwner = 'kernel.job'

/** The earliest next run; null when there is none. */
const nextOf = (timing: Timing, after: number) => nextRuns(timing, 1, after)[0] ?? null

/** The run after one that is due: an interval keeps its rhythm, unless runs were missed. */
function following(schedule: ScheduleRow, now: number): number | null {
  const timing = timingOf(schedule)
  const inRhythm = nextOf(timing, Number(schedule.date_next))
  return inRhythm !== null && inRhythm > now ? inRhythm : nextOf(timing, now)
}

const timingOf = (row: Pick<ScheduleRow, 'crontab' | 'interval_seconds' | 'zone'>): Timing => ({
  crontab: row.crontab,
  intervalSeconds: row.interval_seconds === null ? null : Number(row.interval_seconds),
  zone: row.zone,
})

/**
 * Makes or changes the schedule of a row, in the transaction that writes the row. A crontab has to be checked before
 * (`crontabProblem`). The next run is computed only when the timing changes.
 */
export async function setSchedule<P>(ctx: Context, owner: ScheduleOwner, spec: ScheduleSpec<P>): Promise<void> {
  await store(ctx.rawDb, owner, {
    job_name: spec.job.name,
    payload: JSON.stringify(spec.payload),
    crontab: spec.crontab || null,
    interval_seconds: spec.crontab ? null : (spec.intervalSeconds ?? null),
    zone: spec.zone ?? ctx.zone,
    enabled: spec.enabled,
    org_id: ctx.orgId,
    created_by: spec.creator ?? ctx.caller?.id ?? null,
    language: ctx.language,
  })
}

/** What a schedule says, apart from its owner and its runs. */
type NewSchedule = Omit<
  ScheduleRow,
  'id' | 'owner_type' | 'owner_id' | 'date_created' | 'date_last' | 'date_next' | 'enabled'
> & { enabled: boolean }

/** Whether a stored schedule already has this timing. */
function isSameTiming(row: ScheduleRow | undefined, wanted: NewSchedule): boolean {
  if (!row || Boolean(row.enabled) !== wanted.enabled || row.zone !== wanted.zone) return false
  const { crontab, intervalSeconds } = timingOf(row)
  return crontab === wanted.crontab && intervalSeconds === wanted.interval_seconds
}

async function store(db: Db, owner: ScheduleOwner, values: NewSchedule): Promise<void> {
  const now = Date.now()
  const known = await db
    .selectFrom('kernel_schedule')
    .selectAll()
    .$castTo<ScheduleRow>()
    .where('owner_type', '=', owner.type)
    .where('owner_id', '=', owner.id)
    .executeTakeFirst()
  const date_next = isSameTiming(known, values)
    ? known?.date_next
    : values.enabled
      ? nextOf(timingOf(values), now)
      : null
  const changed = { ...values, date_next }
  await db
    .insertInto('kernel_schedule')
    .values({ id: randomUUID(), owner_type: owner.type, owner_id: owner.id, ...changed, date_created: now })
    .onConflict((conflict) => conflict.columns(['owner_type', 'owner_id']).doUpdateSet(changed))
    .execute()
}

/** Removes the schedules of rows. Rows of resources need no call: their schedules leave with them. */
export async function removeSchedule(ctx: Context, type: string, ids: readonly string[]): Promise<void> {
  const known = await ctx.acrossOrganizations
    .selectFrom('kernel_schedule')
    .select('id')
    .where('owner_type', '=', type)
    .where('owner_id', 'in', [...ids])
    .execute()
  if (known.length === 0) return
  await ctx.acrossOrganizations
    .deleteFrom('kernel_schedule')
    .where(
      'id',
      'in',
      known.map(({ id }) => id),
    )
    .execute()
}

/** The schedules of rows, by the id of their owner. */
export async function schedulesOf(
  ctx: Context,
  type: string,
  ids: readonly string[],
): Promise<Map<string, { enabled: boolean; last: number | null; next: number | null }>> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('kernel_schedule')
    .select(['owner_id', 'enabled', 'date_last', 'date_next'])
    .where('owner_type', '=', type)
    .where('owner_id', 'in', [...ids])
    .execute()
  const timestamp = (value: unknown) => (value === null ? null : Number(value))
  return new Map(
    rows.map((row) => [
      row.owner_id as string,
      { enabled: Boolean(row.enabled), last: timestamp(row.date_last), next: timestamp(row.date_next) },
    ]),
  )
}

/** Hears of rows that were deleted: their schedules leave in the same transaction. */
export async function removeSchedulesOfDeleted(ctx: Context, changes: readonly RecordedChange[]): Promise<void> {
  const gone = changes.filter(({ action }) => action === 'delete')
  for (const [type, some] of Map.groupBy(gone, ({ resource }) => resource.key))
    await removeSchedule(
      ctx,
      type,
      some.map(({ id }) => id),
    )
}

/** What a kind of job declares, as its row holds it. */
const declared = (kind: JobKind<never>) => ({
  job_name: kind.name,
  payload: '{}',
  crontab: kind.schedule ?? null,
  interval_seconds: kind.schedule || !kind.every ? null : Math.max(1, Math.round(kind.every / 1000)),
  zone: serverZone,
  enabled: true,
  org_id: null,
  created_by: null,
  language: null,
})

/** The schedules that kinds of jobs declare, by the name of the kind. */
export async function declaredSchedules(ctx: Context): Promise<Map<string, ScheduleRow>> {
  const rows = await ctx.rawDb
    .selectFrom('kernel_schedule')
    .selectAll()
    .$castTo<ScheduleRow>()
    .where('owner_type', '=', kindOwner)
    .execute()
  return new Map(rows.map((row) => [row.owner_id, row]))
}

/** Switches a schedule off or on; it then runs at its next regular time. */
export async function enableSchedule(ctx: Context, row: ScheduleRow, enabled: boolean): Promise<void> {
  const date_next = enabled ? nextOf(timingOf(row), Date.now()) : null
  await ctx.rawDb.updateTable('kernel_schedule').set({ enabled, date_next }).where('id', '=', row.id).execute()
}

/**
 * Gives every kind of job that repeats its schedule, and takes it from those that do not any more. Kinds that only
 * another version declares keep theirs.
 */
export async function seedSchedules({ database }: Pick<Services, 'database'>): Promise<void> {
  const rows = await database.reader
    .selectFrom('kernel_schedule')
    .selectAll()
    .$castTo<ScheduleRow>()
    .where('owner_type', '=', kindOwner)
    .execute()
  const known = new Map(rows.map((row) => [row.owner_id, row]))
  const repeating = jobKinds().filter(({ schedule, every }) => schedule || every)
  const names = new Set(repeating.map(({ name }) => name))
  // An administrator may have switched one off.
  const wanted = (kind: JobKind<never>) => ({
    ...declared(kind),
    enabled: Boolean(known.get(kind.name)?.enabled ?? true),
  })
  const changed = repeating.filter((kind) => !isSameTiming(known.get(kind.name), wanted(kind)))
  const gone = jobKinds().filter(({ name }) => known.has(name) && !names.has(name))
  const soon = Date.now() + settling
  // After a downtime components report first: what looks for the silent ones must not be quicker.
  const early = rows.filter((row) => Number(row.interval_seconds) * 1000 > settling && Number(row.date_next) < soon)
  if (changed.length + gone.length + early.length === 0) return
  await database.transaction(async (db) => {
    await db
      .updateTable('kernel_schedule')
      .set({ date_next: soon })
      .where(
        'id',
        'in',
        early.map(({ id }) => id),
      )
      .execute()
    for (const kind of changed) await store(db, { type: kindOwner, id: kind.name }, wanted(kind))
    await db
      .deleteFrom('kernel_schedule')
      .where('owner_type', '=', kindOwner)
      .where(
        'owner_id',
        'in',
        gone.map(({ name }) => name),
      )
      .execute()
  })
}

/** Removes a schedule whose owner was deleted without an event, for example by a statement. */
async function isOrphan(db: Db, { id, owner_type, owner_id }: ScheduleRow): Promise<boolean> {
  const resource = allResources().find(({ key }) => key === owner_type)
  if (!resource) return false
  const owner = await db.selectFrom(resource.table).select('id').where('id', '=', owner_id).executeTakeFirst()
  if (!owner) await db.deleteFrom('kernel_schedule').where('id', '=', id).execute()
  return !owner
}

/**
 * Queues what is due. One worker of all wins a run, by moving the schedule to its next one. Runs that were missed while
 * nothing was running are made up for by one; while the last run still waits or runs, a further one is left out.
 */
export async function queueDue(services: Services): Promise<void> {
  const { database, jobs } = services
  // Others are declared by another version.
  const names = jobKinds().map(({ name }) => name)
  const due = await database.reader
    .selectFrom('kernel_schedule')
    .selectAll()
    .$castTo<ScheduleRow>()
    .where('date_next', '<=', Date.now())
    .where('job_name', 'in', names)
    .orderBy('date_next')
    .limit(dueAtOnce)
    .execute()
  for (const schedule of due) {
    const kind = findJobKind(schedule.job_name)
    if (!kind) continue
    await database.transaction(async (db) => {
      const now = Date.now()
      const { numUpdatedRows } = await db
        .updateTable('kernel_schedule')
        .set({ date_last: now, date_next: following(schedule, now) })
        .where('id', '=', schedule.id)
        .where('date_next', '=', schedule.date_next)
        .executeTakeFirst()
      if (!numUpdatedRows || (await isOrphan(db, schedule))) return
      await jobs.enqueue(db, kind as Queueable<unknown>, JSON.parse(schedule.payload), {
        uniqueKey: `schedule:${schedule.id}`,
        scheduleId: schedule.id,
        ...(schedule.org_id ? { orgId: schedule.org_id } : {}),
        ...(schedule.created_by ? { creator: schedule.created_by } : {}),
        ...(schedule.language ? { language: schedule.language } : {}),
      })
    })
  }
}
