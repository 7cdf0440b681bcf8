import type { Db } from '../../../db/database.ts'
import { normalUuid } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { placeOf } from '../../rbac/index.ts'

/** One part of the output, as pages read it. */
export interface OutputPart {
  asset: string
  stream: string
  text: string
}

/** Parts in one answer. Each has at most 64 thousand characters. */
const mostParts = 100

/** The output of an execution behind a position, of one asset or of all; `position` continues it. */
export async function readOutput(
  db: Db,
  execution: string,
  after: number,
  asset?: string,
): Promise<{ parts: OutputPart[]; position: number }> {
  let query = db
    .selectFrom('ops_executionoutput')
    .select(['id', 'asset_id', 'stream', 'text'])
    .where('execution_id', '=', execution)
    .where('id', '>', after)
  if (asset) query = query.where('asset_id', '=', asset)
  const rows = await query.orderBy('id').limit(mostParts).execute()
  const parts = rows.map(({ asset_id, stream, text }) => ({ asset: asset_id, stream, text }))
  return { parts, position: Number(rows.at(-1)?.id ?? after) }
}

/** An execution as far as following it goes. */
export interface FollowedExecution {
  id: string
  org_id: string
  status: string
  date_finished: number | null
}

/** An execution that the caller may follow: their own, or any of an organization whose job log they may see. */
export async function followedExecution(ctx: Context, given: unknown): Promise<FollowedExecution | undefined> {
  const id = normalUuid(given)
  const row = id
    ? await ctx.services.database.reader
        .selectFrom('ops_jobexecution')
        .select(['id', 'org_id', 'status', 'date_finished', 'creator_id'])
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  const { caller } = ctx
  if (!row || !caller?.isActive || caller.isExpired) return undefined
  const found = { id: row.id, org_id: row.org_id, status: row.status, date_finished: row.date_finished }
  if (caller.isSuperuser) return found
  const { codes, isOutsider } = await placeOf(ctx, caller, row.org_id, true)
  if (isOutsider) return undefined
  const isOwn = row.creator_id === caller.id && codes.has('ops.view_jobexecution')
  return isOwn || codes.has('audits.view_joblog') ? found : undefined
}
