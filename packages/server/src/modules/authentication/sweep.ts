import { defineJob } from '../../kernel/jobs/kinds.ts'

/** Deletes expired sessions and tokens. */
export const sweepSessions = defineJob<object>({
  name: 'authentication.sweep',
  delivery: 'idempotent',
  every: 600_000,
  run: async (ctx) => {
    for (const table of ['authentication_session', 'authentication_bearertoken'])
      await ctx.unscoped.deleteFrom(table).where('date_expired', '<', Date.now()).execute()
  },
})
