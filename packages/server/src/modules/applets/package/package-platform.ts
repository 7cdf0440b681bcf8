import { appletMessages as texts } from '@castellan/contract/messages/applets'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { own } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError } from '../../../kernel/module/errors.ts'
import { createOne, destroy, updateOne } from '../../../kernel/resource/mutations.ts'
import { findAll, findOne, updateRow } from '../../../kernel/resource/repository.ts'
import { asset, platform } from '../../assets/index.ts'
import { packageError } from './package-error.ts'

const ownerOf = (applet: string) => `Applet:${applet}`

/** Every sentence in an error's body. */
function sentences(body: unknown): string[] {
  if (typeof body === 'string') return [body]
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(sentences) : []
}

/** Creates or updates the platform that an applet brings. */
export async function storePlatform(ctx: Context, applet: string, content: StoredRow): Promise<void> {
  const name = own(content, 'name')
  if (own(content, 'category') !== 'custom' || !own(content, 'type'))
    throw packageError(texts.package_platform, { reason: '' })
  const body = { ...content, new_type: true }
  const before =
    typeof name === 'string' ? await findOne(ctx, platform, (query) => query.where('t.name', '=', name)) : undefined
  if (before && (before.internal || before.created_by !== ownerOf(applet)))
    throw packageError(texts.package_platform_taken, { name: before.name })
  try {
    const row = before
      ? await updateOne(ctx, platform, before, body, true)
      : await createOne(ctx, platform, { ...body, id: undefined })
    await updateRow(ctx, platform, row.id, { created_by: ownerOf(applet) })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    throw packageError(texts.package_platform, {
      reason: sentences(error.body(ctx.language)).join(' ').slice(0, 300),
    })
  }
}

/** Removes the platform of an applet unless assets use it. */
export async function removePlatform(ctx: Context, applet: string): Promise<void> {
  const rows = await findAll(ctx, platform, (query) => query.where('t.created_by', '=', ownerOf(applet)))
  for (const row of rows) {
    const used = await findOne(ctx.acrossOrgs(), asset, (query) => query.where('t.platform_id', '=', row.id))
    if (!used) await destroy(ctx, platform, [row])
  }
}
