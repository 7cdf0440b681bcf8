import { normalUuid } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { componentOf } from '../components/component.ts'
import { shorten } from '../shorten.ts'

/** The table of connection tokens: every connection begins with one. */
const tokens = 'authentication_connectiontoken'
/** Maximum age of a session that explains a report. Milliseconds. */
const recent = 30 * 86_400_000

/** Whether a user ever requested a connection to an asset. True if the server does not know the user or the asset. */
export async function wasConnected(
  ctx: Context,
  { user_id, asset_id }: { user_id: string; asset_id: string },
): Promise<boolean> {
  const [user, asset] = [normalUuid(user_id), normalUuid(asset_id)]
  if (!user || !asset) return true
  for (const [table, id] of [
    ['users_user', user],
    ['assets_asset', asset],
  ] as const)
    if (!(await ctx.acrossOrganizations.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()))
      return true
  const token = await ctx.rawDb
    .selectFrom(tokens)
    .select('id')
    .where('user_id', '=', user)
    .where('asset_id', '=', asset)
    .limit(1)
    .executeTakeFirst()
  return token !== undefined
}

/**
 * The organization in which a user was connected to an asset, both given by name: by a session of the calling
 * component, or by a token; the latest one counts. Undefined when there is no such connection.
 */
export async function organizationOfConnection(
  ctx: Context,
  { user, asset }: { user: string; asset: string },
): Promise<string | undefined> {
  const own = await componentOf(ctx)
  const session = await ctx.acrossOrganizations
    .selectFrom('terminal_session')
    .select('org_id')
    .where('terminal_id', '=', own?.id ?? '')
    .where('user', '=', user)
    .where('asset', '=', shorten(asset, 128))
    .where('date_start', '>', ctx.now - recent)
    .orderBy('date_start', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (session) return session.org_id
  const token = await ctx.rawDb
    .selectFrom(`${tokens} as t`)
    .innerJoin('users_user as u', 'u.id', 't.user_id')
    .select('t.asset_org_id')
    .where('u.username', '=', user.slice(user.lastIndexOf('(') + 1, -1))
    .where('t.user_display', '=', user)
    .where('t.asset_display', '=', asset)
    .orderBy('t.date_expired', 'desc')
    .limit(1)
    .executeTakeFirst()
  return token?.asset_org_id ?? undefined
}
