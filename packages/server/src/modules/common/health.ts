import type { Context } from '../../kernel/context.ts'
import { defineRoute } from '../../kernel/route.ts'

/** Seconds a check took, or what went wrong. */
async function timed(check: () => Promise<unknown>): Promise<{ ok: boolean; time: number | string }> {
  const start = performance.now()
  try {
    await check()
    return { ok: true, time: (performance.now() - start) / 1000 }
  } catch {
    // Whoever asks is not known; the log has the details.
    return { ok: false, time: 'unavailable' }
  }
}

/**
 * Whether the server can do its work. The contract's second service is a cache; ours is the short memory,
 * which is written to and read from, so that a database that only reads does not count as healthy.
 */
async function health(ctx: Context) {
  const database = await timed(() =>
    ctx.services.database.reader.selectFrom('kernel_migration').select('name').execute(),
  )
  const memory = await timed(async () => {
    await ctx.services.memory.set('health', ctx.now, 60)
    await ctx.services.memory.get('health')
  })
  return {
    status: database.ok && memory.ok,
    db_status: database.ok,
    db_time: database.time,
    redis_status: memory.ok,
    redis_time: memory.time,
    time: Math.floor(ctx.now / 1000),
  }
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
