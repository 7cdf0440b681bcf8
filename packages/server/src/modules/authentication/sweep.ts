import { defineJob } from '../../kernel/jobs/kinds.ts'

import { tempToken } from './temp-tokens/temp-token.ts'

/** Temporary passwords stay in the list of their owner for so long after their end. Milliseconds. */
const tempTokensShown = 30 * 86_400_000

/** Deletes expired sessions and tokens. */
export const sweepSessions = defineJob<object>({
  name: 'authentication.sweep',
  delivery: 'idempotent',
  every: 600_000,
  run: async (ctx) => {
    for (const table of ['authentication_session', 'authentication_bearertoken'])
      await ctx.rawDb.deleteFrom(table).where('date_expired', '<', Date.now()).execute()
    const before = Date.now() - tempTokensShown
    await ctx.rawDb.deleteFrom(tempToken.table).where('date_expired', '<', before).execute()
  },
})
