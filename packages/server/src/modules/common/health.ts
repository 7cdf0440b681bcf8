import { statfs } from 'node:fs/promises'
import { outageOf } from '../../db/errors.ts'
import { defineRoute, Reply } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'

/** Time after which a database that does not answer counts as unavailable. Milliseconds. */
const patience = 3000
/** Minimum free space in the data folder for recording sessions. Bytes. */
const leastRoom = 4 * 1024 * 1024

/** Duration of a check in seconds, or its error. */
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
    // The caller is anonymous, so details are in the log only.
    ctx.services.log.warn({ err: error }, 'not healthy')
    return { ok: false, time: outageOf(error) === 'full' ? 'disk full' : 'unavailable' }
  } finally {
    clearTimeout(timer)
  }
}

/** Whether there is space for recordings, files and logs in addition to the database. */
async function hasRoom(ctx: Context): Promise<boolean> {
  const { bavail, bsize } = await statfs(ctx.services.dataDir)
  if (bavail * bsize >= leastRoom) return true
  ctx.services.log.warn({ folder: ctx.services.dataDir, bytes: bavail * bsize }, 'not healthy: the disk is full')
  return false
}

/**
 * Health check: 200 or 503, so that a load balancer need not read the body. The contract's second service is a cache;
 * ours is the TTL store, which is written and read, so that a read-only database does not count as healthy.
 * `disk_status` is our extension.
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
    summary: 'Health of the server',
    handle: ({ ctx }) => health(ctx),
  }),
)
