import { type Language, languageOf } from '@castellan/contract/messages'
import { batches } from '../../db/batches.ts'
import type { TableShape } from '../../db/schema.ts'
import type { Context } from '../../kernel/module/context.ts'

/** The language in which each user last used the console. */
export const userLanguageTable: TableShape = {
  name: 'notifications_userlanguage',
  columns: {
    user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
    language: { type: 'text' },
  },
  primaryKey: ['user_id'],
  unique: [],
  indexes: [],
}

async function languagesOf(ctx: Context, userIds: readonly string[]): Promise<Map<string, Language>> {
  const found = new Map<string, Language>()
  for (const some of batches(userIds)) {
    const rows = await ctx.rawDb
      .selectFrom('notifications_userlanguage')
      .selectAll()
      .where('user_id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.user_id, languageOf(row.language) ?? ctx.language)
  }
  return found
}

/** Messages to the caller are in the language of this request from now on, if it comes from a browser. */
export async function rememberLanguage(ctx: Context): Promise<void> {
  if (ctx.credential !== 'session') return
  const user_id = ctx.me.id
  if ((await languagesOf(ctx, [user_id])).get(user_id) === ctx.language) return
  const { language } = ctx
  await ctx.transaction((inside) =>
    inside.rawDb
      .insertInto('notifications_userlanguage')
      .values({ user_id, language })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ language }))
      .execute(),
  )
}

/** Users by the language of their messages: the one they use, or that of this unit of work while it is not known. */
export async function byLanguage<T extends { id: string }>(
  ctx: Context,
  users: readonly T[],
): Promise<Map<Language, T[]>> {
  const known = await languagesOf(
    ctx,
    users.map(({ id }) => id),
  )
  return Map.groupBy(users, ({ id }) => known.get(id) ?? ctx.language)
}
