import { readdir } from 'node:fs/promises'
import { batches } from '../../db/batches.ts'
import { addToDailyCounts } from '../lists/daily-counts.ts'
import type { Context } from '../module/context.ts'
import type { Resource } from '../resource/resource.ts'

/** Rows deleted per transaction, so that other writers do not wait long. */
const chunk = 2000
const day = 86_400_000

/**
 * Deletes rows whose `column` (unix milliseconds, or seconds with `unit` 1000) is older than `days`, in chunks.
 * `counted`: the log has daily counts, which are updated. Returns the number of deleted rows.
 */
export async function sweepRows(
  ctx: Context,
  table: string,
  column: string,
  days: number,
  signal: AbortSignal,
  unit = 1,
  counted?: Resource,
): Promise<number> {
  const limit = Math.floor((Date.now() - days * day) / unit)
  let gone = 0
  while (!signal.aborted) {
    const ids = await ctx.services.database.reader
      .selectFrom(table)
      .select(counted ? ['id', 'org_id', column] : ['id'])
      .where(column, '<', limit)
      .orderBy(column)
      .limit(chunk)
      .execute()
    if (ids.length === 0) break
    await ctx.transaction(async (inside) => {
      const { rawDb } = inside
      if (counted) await addToDailyCounts(inside, counted, ids, -1)
      for (const some of batches(ids))
        await rawDb
          .deleteFrom(table)
          .where(
            'id',
            'in',
            some.map(({ id }) => id),
          )
          .execute()
    })
    gone += ids.length
  }
  return gone
}

/** Names of the day folders (`YYYY-MM-DD`) in a folder that are older than `days`. */
export async function sweepDays(folder: string, days: number): Promise<string[]> {
  const limit = new Date(Date.now() - (days + 1) * day).toISOString().slice(0, 10)
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name) && name < limit)
}
