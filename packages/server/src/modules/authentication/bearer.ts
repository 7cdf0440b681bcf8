import type { Context } from '../../kernel/module/context.ts'
import { hashed, randomText } from '../../kernel/security/random.ts'
import { Sealed } from '../../kernel/security/secrets.ts'
import { callerWhere, type KnownUser } from './callers.ts'
import { signInSessions } from './settings.ts'

/** The column name that tokens are bound to when sealed; they are returned again. */
const tokenPlace = 'authentication_bearertoken.token'

/** Seconds; setting `TOKEN_EXPIRATION`, at least an hour. */
const lifetime = (ctx: Context) => Math.max(3600, signInSessions.of(ctx).TOKEN_EXPIRATION)

const tokenFrom = (ctx: Context, userId: string) =>
  ctx.rawDb
    .selectFrom('authentication_bearertoken')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ip', '=', ctx.ip)
    .executeTakeFirst()

/** The user's token for this address, created or extended. */
export async function issueBearer(ctx: Context, userId: string): Promise<{ token: string; dateExpired: number }> {
  const dateExpired = ctx.now + lifetime(ctx) * 1000
  const known = await tokenFrom(ctx, userId)
  if (known && Number(known.date_expired) > ctx.now) {
    await ctx.rawDb
      .updateTable('authentication_bearertoken')
      .set({ date_expired: dateExpired })
      .where('token_hash', '=', known.token_hash)
      .execute()
    return { token: ctx.services.vault.open(new Sealed(known.token, tokenPlace)), dateExpired }
  }
  const token = randomText(36)
  if (known)
    await ctx.rawDb.deleteFrom('authentication_bearertoken').where('token_hash', '=', known.token_hash).execute()
  const made = await ctx.rawDb
    .insertInto('authentication_bearertoken')
    .values({
      token_hash: hashed(token),
      token: ctx.services.vault.seal(token, tokenPlace).stored(),
      user_id: userId,
      ip: ctx.ip,
      date_expired: dateExpired,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'ip']).doNothing())
    .executeTakeFirst()
  if (Number(made.numInsertedOrUpdatedRows) > 0) return { token, dateExpired }
  // A concurrent sign-in of the same user created a token first: return that one.
  const first = await tokenFrom(ctx, userId)
  if (!first) throw new Error('The bearer token of the conflicting insert no longer exists')
  return {
    token: ctx.services.vault.open(new Sealed(first.token, tokenPlace)),
    dateExpired: Number(first.date_expired),
  }
}

/** The owner of a bearer token; undefined when it is unknown or has expired. */
export const callerByBearer = (ctx: Context, token: string): Promise<KnownUser | undefined> =>
  callerWhere(ctx, (eb) =>
    eb(
      'u.id',
      'in',
      eb
        .selectFrom('authentication_bearertoken')
        .select('user_id')
        .where('token_hash', '=', hashed(token))
        .where('date_expired', '>', Date.now()),
    ),
  )
