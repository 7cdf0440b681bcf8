import { batches } from '../../../db/batches.ts'
import { clockDrift, readClocks } from '../../../kernel/events/clock-drift.ts'
import { defineJob } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { activeSessions, sessionActiveFor } from '../components/heartbeat.ts'
import { closeSharings } from '../sharing/join-record.ts'
import { sessionsFinished } from './session.ts'

/** Minimum age of a session before it must be named by a heartbeat. Milliseconds. */
const youth = 30_000
/** After a clock change or sleep of this length, old heartbeats are meaningless. Milliseconds. */
const farSet = 60_000
let lastLook = readClocks()

interface OpenSession {
  id: string
  terminal_id: string | null
  date_start: unknown
}

/** Ends orphaned sessions, each at the time of its last heartbeat; those with the same time together. */
async function end(ctx: Context, rows: readonly OpenSession[], seen: ReadonlyMap<string, number>) {
  if (rows.length === 0) return
  await ctx.transaction(async (inside) => {
    const ends = Map.groupBy(rows, ({ id, date_start }) => seen.get(id) ?? Math.max(Number(date_start), inside.now))
    for (const [date_end, some] of ends)
      for (const part of batches(some))
        await inside.acrossOrganizations
          .updateTable('terminal_session')
          .set({ is_finished: true, locked: false, date_end, date_updated: inside.now })
          .where(
            'id',
            'in',
            part.map(({ id }) => id),
          )
          .where('is_finished', '=', false)
          .execute()
    await closeSharings(
      inside,
      rows.map(({ id }) => id),
    )
    await inside.publish(sessionsFinished, { ids: rows.map(({ id }) => id) })
  })
}

/** Ends sessions that a restarted component no longer knows: they were cut when it stopped. */
export async function endForgotten(ctx: Context, component: string, live: readonly string[]): Promise<void> {
  const rows = await ctx.services.database.reader
    .selectFrom('terminal_session')
    .select(['id', 'terminal_id', 'date_start'])
    .where('is_finished', '=', false)
    .where('terminal_id', '=', component)
    .where('date_created', '<', Date.now() - youth)
    .execute()
  const known = new Set(live)
  const gone = rows.filter(({ id }) => !known.has(id)) as OpenSession[]
  await end(ctx, gone, await activeSessions(ctx.services, gone))
}

/** Every ten minutes, over all organizations: ends sessions without a heartbeat, and their tasks. */
export const cleanOrphans = defineJob<object>({
  name: 'terminal.clean-orphan-sessions',
  delivery: 'idempotent',
  every: 600_000,
  async run(ctx) {
    const set = clockDrift(lastLook)
    lastLook = readClocks()
    // All components appear silent after such a jump, so this run is skipped.
    if (Math.abs(set) > farSet) return
    const open = await ctx.services.database.reader
      .selectFrom('terminal_session')
      .select(['id', 'terminal_id', 'date_start', 'date_created'])
      .where('is_finished', '=', false)
      .execute()
    const active = await activeSessions(ctx.services, open as unknown as OpenSession[])
    const old = Date.now() - sessionActiveFor * 1000
    const gone = open.filter((row) => !active.has(row.id) && Number(row.date_created) < old)
    await end(ctx, gone as unknown as OpenSession[], active)
    if (gone.length === 0) return
    await ctx.transaction(async (inside) => {
      const ids = gone.map(({ id }) => id as string)
      for (const some of batches(ids))
        await inside.rawDb
          .updateTable('terminal_task')
          .set({ is_finished: true, date_finished: inside.now })
          .where('args', 'in', some)
          .where('is_finished', '=', false)
          .execute()
    })
  },
})
