import { assetsMessages } from '@castellan/contract/messages/assets'
import { batches } from '../../db/batches.ts'
import { keyOf, normalSerial, normalUuid, type StoredRow } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, notAnObject, type Problem } from '../../kernel/module/errors.ts'
import { notifyUsers } from '../notifications/index.ts'
import { platformsById } from './platforms/platform.ts'

interface KnownAsset {
  id: string
  name: string
  type: string
  org_id: string
}

/** Existing assets by id; permissions are checked when they are changed. */
async function known(ctx: Context, ids: readonly string[]): Promise<Map<string, KnownAsset>> {
  const rows = new Map<string, KnownAsset>()
  for (const some of batches(ids))
    for (const row of await ctx.acrossOrganizations
      .selectFrom('assets_asset')
      .select(['id', 'name', 'type', 'org_id'])
      .where('id', 'in', some)
      .execute())
      rows.set(row.id, row)
  return rows
}

/**
 * Removes bodies of a bulk update that would give an asset a platform of another type, and tells the caller which ones.
 */
export async function withinType(ctx: Context, bodies: readonly unknown[]): Promise<readonly unknown[]> {
  const moved = (bodies as readonly StoredRow[]).filter(
    (body) => body?.platform !== undefined && body.platform !== null,
  )
  if (moved.length === 0) return bodies
  // As in the contract: here a platform must be an object, not a bare id.
  const bare = (body: unknown) => moved.includes(body as StoredRow) && typeof (body as StoredRow).platform !== 'object'
  if (bodies.some(bare))
    throw invalid(
      bodies.map(
        (body): Record<string, Problem> =>
          bare(body) ? { platform: [notAnObject((body as StoredRow).platform)] } : {},
      ),
    )
  const idOf = (body: StoredRow) => normalUuid(keyOf(body)) ?? ''
  const rows = await known(ctx, moved.map(idOf))
  const platforms = await platformsById(ctx)
  const skipped = new Map<StoredRow, string>()
  for (const body of moved) {
    const row = rows.get(idOf(body))
    const platform = platforms.get(normalSerial(keyOf(body.platform)) ?? 0)
    if (row && platform && platform.type !== row.type && (ctx.isRootOrg || row.org_id === ctx.orgId))
      skipped.set(body, row.name)
  }
  if (skipped.size > 0)
    await notifyUsers(ctx, [ctx.me.id], {
      subject: assetsMessages.bulk_skipped_subject,
      body: assetsMessages.bulk_skipped_body,
      values: { assets: [...skipped.values()].join(', ') },
    })
  return bodies.filter((body) => !skipped.has(body as StoredRow))
}
