import { statfs } from 'node:fs/promises'
import { outageOf } from '../../db/errors.ts'
import type { Context } from '../../kernel/context.ts'
import { defineRoute, Reply } from '../../kernel/route.ts'

/** A database that has not answered by then does not serve anybody. Milliseconds. */
const patience = 3000
/** With less room in the data folder no session can be recorded for long. Bytes. */
const leastRoom = 4 * 1024 * 1024

/** Seconds a check took, or what went wrong. */
async function timed(ctx: Context, check: () => Promise<unknown>): Promise<{ ok: boolean; time: number | string }> {
  const start = performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), patience)
  })
  try {
    await Promise.race([check(), late])
    return { ok: true, time: (performance.now() - start) / 1000 }
  } catch (error) {
    // Whoever asks is not known; the log has the details.
    ctx.services.log.warn({ err: error }, 'not healthy')
    return { ok: false, time: outageOf(error) === 'full' ? 'disk full' : 'unavailable' }
  } finally {
    clearTimeout(timer)
  }
}

/** Whether recordings, files and logs can be written beside whatever the database needs. */
async function hasRoom(ctx: Context): Promise<boolean> {
  const { bavail, bsize } = await statfs(ctx.services.dataDir)
  if (bavail * bsize >= leastRoom) return true
  ctx.services.log.warn({ folder: ctx.services.dataDir, bytes: bavail * bsize }, 'not healthy: the disk is full')
  return false
}

/**
 * Whether the server can do its work: 200 when it can, 503 when not, so that whatever stands in front need not read
 * the body. The contract's second service is a cache; ours is the TTL store, which is written to and read from, so
 * that a database that only reads does not count as healthy. `disk_status` is ours.
 */
async function health(ctx: Context) {
  const database = await timed(ctx, () =>
    ctx.services.database.reader.selectFrom('kernel_migration').select('name').execute(),
  )
  const kv = await timed(ctx, async () => {
    await ctx.services.kv.set('health', ctx.now, 60)
    await ctx.services.kv.get('health')
  })
  const room = await hasRoom(ctx)
  const status = database.ok && kv.ok && room
  return new Reply(status ? 200 : 503, {
    status,
    db_status: database.ok,
    db_time: database.time,
    redis_status: kv.ok,
    redis_time: kv.time,
    disk_status: room,
    time: Math.floor(ctx.now / 1000),
  })
}

export const healthRoutes = ['/api/health/', '/api/v1/health/'].map((path) =>
  defineRoute({
    method: 'GET',
    path,
    requires: 'public',
    summary: 'Whether the server can do its work',
    handle: ({ ctx }) => health(ctx),
  }),
)
