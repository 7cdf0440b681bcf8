import type { activityTypes } from '@castellan/contract/choices/audits'
import type { auditsMessages } from '@castellan/contract/messages/audits'
import { batches } from '../../db/batches.ts'
import type { TableShape } from '../../db/schema.ts'
import type { Context } from '../../kernel/module/context.ts'
import { newRowId } from '../../kernel/resource/row-id.ts'

/** Activities shown with an object. Texts are composed in the reader's language. */
export const activityTable = {
  name: 'audits_activitylog',
  columns: {
    id: { type: 'uuid' },
    type: { type: 'text' },
    resource_id: { type: 'text' },
    datetime: { type: 'timestamp' },
    message: { type: 'text' },
    values: { type: 'json' },
    detail_id: { type: 'text', nullable: true },
    org_id: { type: 'text' },
  },
  primaryKey: ['id'],
  unique: [],
  indexes: [['resource_id', 'datetime'], ['datetime']],
} as const satisfies TableShape

export interface Activity {
  type: keyof typeof activityTypes
  /** The object with which it is shown. */
  resourceId: string
  /** A linked record: a sign-in, a session or a task. */
  detailId?: string
  orgId: string
  message: keyof typeof auditsMessages
  values: Readonly<Record<string, string>>
}

const chunk = 200

/** Records activities with the current transaction. */
export async function recordActivity(ctx: Context, activities: readonly Activity[]): Promise<void> {
  const rows = activities.map((one) => ({
    id: newRowId(),
    type: one.type,
    resource_id: one.resourceId,
    datetime: ctx.now,
    message: one.message,
    values: JSON.stringify(one.values),
    detail_id: one.detailId ?? null,
    org_id: one.orgId,
  }))
  for (const some of batches(rows, chunk)) await ctx.rawDb.insertInto(activityTable.name).values(some).execute()
}
