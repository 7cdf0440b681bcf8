import type { Context } from '../../kernel/module/context.ts'
import type { ListQuery } from '../../kernel/resource/resource.ts'

/**
 * Narrows rows about users to members of the current organization; the global view includes all. `column` of the row
 * contains the users' `of`.
 */
export function ofMembers(ctx: Context, query: ListQuery, column: string, of: 'id' | 'username'): ListQuery {
  if (ctx.isRootOrg) return query
  const members = ctx.rawDb
    .selectFrom('users_user as u')
    .innerJoin('rbac_rolebinding as b', 'b.user_id', 'u.id')
    .select(`u.${of}`)
    .where('b.org_id', '=', ctx.orgId)
  return query.where(column, 'in', members)
}

/** Ids of the members of the current organization; undefined in the global view, which includes everyone. */
export async function memberIds(ctx: Context): Promise<ReadonlySet<string> | undefined> {
  if (ctx.isRootOrg) return undefined
  const rows = await ctx.rawDb
    .selectFrom('rbac_rolebinding')
    .select('user_id')
    .distinct()
    .where('org_id', '=', ctx.orgId)
    .execute()
  return new Set(rows.map((row) => row.user_id as string))
}
