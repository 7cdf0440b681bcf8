import { defineJob } from '../../kernel/jobs/kinds.ts'
import { otherMethods } from './settings.ts'
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
    // What a provider gave is of no use once the sign-in there is too old; a renewal is a new confirmation.
    const oldest = Date.now() - otherMethods.of(ctx).AUTH_PROVIDER_SIGN_IN_MAX_AGE * 3_600_000
    await ctx.rawDb
      .deleteFrom('authentication_providersession')
      .where((eb) => eb.or([eb('date_renewal', 'is', null), eb('date_renewal', '<', oldest)]))
      .where('date_created', '<', oldest)
      .execute()
    const before = Date.now() - tempTokensShown
    await ctx.rawDb.deleteFrom(tempToken.table).where('date_expired', '<', before).execute()
  },
})
