import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { computed } from '../../kernel/fields/index.ts'
import { triesKey } from './own-secret.ts'

/** Names under which failed sign-ins and failed second factors are remembered; shared with the authentication module. */
const counted = ['login', 'mfa'] as const
const name = (username: string) => username.trim().toLowerCase()
const blockKeys = (username: string) => counted.map((what) => `${what}:block:${name(username)}`)

/** Whether too many failures keep somebody from signing in at the moment. */
export const loginBlocked = () =>
  computed('boolean', {
    load: async (ctx, rows) => {
      const blocks = await ctx.memory.getMany(rows.flatMap((row) => blockKeys(row.username)))
      return (row) => blockKeys(row.username).some((key) => blocks.has(key))
    },
  })

/** Forgets the failures of a person, from every address. */
export async function unblock(ctx: Context, row: AnyRow): Promise<void> {
  for (const key of blockKeys(row.username)) await ctx.memory.delete(key)
  await ctx.memory.delete(triesKey(row.id))
  for (const what of counted) await ctx.memory.deletePrefix(`${what}:count:${name(row.username)}|`)
}
