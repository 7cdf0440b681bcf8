import { batches } from '../../db/batches.ts'
import { noRow } from '../../db/text.ts'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { booleanOf, computed } from '../../kernel/fields/index.ts'
import type { Filter } from '../../kernel/resource.ts'
import { triesKey } from './own-secret.ts'

/** Names under which failed sign-ins and failed second factors are remembered; shared with the authentication module. */
const counted = ['login', 'mfa'] as const
const name = (username: string) => username.trim().toLowerCase()
const blockPrefix = (what: string) => `${what}:block:`
const blockKeys = (username: string) => counted.map((what) => blockPrefix(what) + name(username))

/** Whether too many failures keep somebody from signing in at the moment. */
export const loginBlocked = () =>
  computed('boolean', {
    load: async (ctx, rows) => {
      const blocks = await ctx.memory.getMany(rows.flatMap((row) => blockKeys(row.username)))
      return (row) => blockKeys(row.username).some((key) => blocks.has(key))
    },
  })

/** Ids of the people who are kept from signing in now. Names that nobody has are blocked too, and may be many. */
async function blockedIds(ctx: Context): Promise<string[]> {
  const blocks = await Promise.all(
    counted.map(async (what) => {
      const found = await ctx.memory.withPrefix(blockPrefix(what))
      return [...found.keys()].map((key) => key.slice(blockPrefix(what).length))
    }),
  )
  const names = [...new Set(blocks.flat())]
  const ids: string[] = []
  for (const some of batches(names)) {
    const rows = await ctx.unscoped
      .selectFrom('users_user')
      .select('id')
      .where((eb) => eb(eb.fn('lower', ['username']), 'in', some))
      .execute()
    ids.push(...rows.map((row) => row.id as string))
  }
  return ids
}

/** People who are kept from signing in now, or the others. */
export const byLoginBlock: Filter = async (ctx, query, value) => {
  const blocked = booleanOf(value)
  if (blocked === undefined) return query
  const ids = await blockedIds(ctx)
  if (ids.length === 0) return blocked ? query.where(noRow) : query
  return query.where('t.id', blocked ? 'in' : 'not in', ids)
}

/** Forgets the failures of a person, from every address. */
export async function unblock(ctx: Context, row: AnyRow): Promise<void> {
  for (const key of blockKeys(row.username)) await ctx.memory.delete(key)
  await ctx.memory.delete(triesKey(row.id))
  for (const what of counted) await ctx.memory.deletePrefix(`${what}:count:${name(row.username)}|`)
}
