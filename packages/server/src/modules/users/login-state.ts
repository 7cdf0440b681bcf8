import { noRow } from '../../db/text.ts'
import { booleanOf, computed } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import type { Filter } from '../../kernel/resource/resource.ts'
import { triesKey } from './own-secret.ts'

/** Failed sign-ins (`login`) and failed second factors (`mfa`) are counted separately, with the same limits. */
export type Counted = 'login' | 'mfa'

const counted: readonly Counted[] = ['login', 'mfa']
const accountPrefix = 'account:'
/** The subject of failures of an account. */
export const accountSubject = (userId: string) => accountPrefix + userId
export const blockKey = (what: Counted, subject: string) => `${what}:block:${subject}`
export const countKey = (what: Counted, subject: string) => `${what}:count:${subject}`
const blockKeys = (userId: string) => counted.map((what) => blockKey(what, accountSubject(userId)))

/** Whether the user is currently blocked after too many failures. */
export const loginBlocked = () =>
  computed('boolean', {
    load: async (ctx, rows: readonly { id: string }[]) => {
      const blocks = await ctx.kv.getMany(rows.flatMap((row) => blockKeys(row.id)))
      return (row: { id: string }) => blockKeys(row.id).some((key) => blocks.has(key))
    },
  })

/** Ids of the users who are blocked now. */
async function blockedIds(ctx: Context): Promise<string[]> {
  const blocks = await Promise.all(
    counted.map(async (what) => {
      const prefix = blockKey(what, accountPrefix)
      return [...(await ctx.kv.withPrefix(prefix)).keys()].map((key) => key.slice(prefix.length))
    }),
  )
  return [...new Set(blocks.flat())]
}

/** Users who are blocked now, or the others. */
export const byLoginBlock: Filter = async (ctx, query, value) => {
  const blocked = booleanOf(value)
  if (blocked === undefined) return query
  const ids = await blockedIds(ctx)
  if (ids.length === 0) return blocked ? query.where(noRow) : query
  return query.where('t.id', blocked ? 'in' : 'not in', ids)
}

/** Resets all failures of a user, as an administrator or a recovery does. */
export async function unblock(ctx: Context, row: { id: string }): Promise<void> {
  await ctx.kv.delete(triesKey(row.id))
  await forgetFailedSignIns(ctx, row)
}

/** Resets failed sign-ins only: guesses of the user's own password from an open session still count. */
export async function forgetFailedSignIns(ctx: Context, row: { id: string }): Promise<void> {
  for (const what of counted)
    for (const key of [blockKey, countKey]) await ctx.kv.delete(key(what, accountSubject(row.id)))
}
