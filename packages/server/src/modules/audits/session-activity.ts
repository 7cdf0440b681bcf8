import type { StoredRow } from '../../kernel/fields/field.ts'
import type { Context } from '../../kernel/module/context.ts'
import { recordActivity } from './activity-log.ts'

/** Records a session as an activity of its asset, its account and its user. */
export async function recordSessionStart(ctx: Context, sessions: readonly StoredRow[]): Promise<void> {
  await recordActivity(
    ctx,
    sessions.flatMap((row) =>
      [row.asset_id, row.user_id, row.account_id].filter(Boolean).map((resourceId) => ({
        type: 'S' as const,
        resourceId: String(resourceId).slice(0, 36),
        detailId: String(row.id),
        orgId: String(row.org_id),
        message: 'activity_session' as const,
        values: {
          user: String(row.user),
          asset: String(row.asset),
          account: String(row.account),
          origin: String(row.login_from),
        },
      })),
    ),
  )
}
