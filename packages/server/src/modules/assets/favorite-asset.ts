import { errors } from '@castellan/contract/messages/errors'
import { type Field, normalUuid, one } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text as say } from '../../kernel/module/errors.ts'
import { findById, findOne } from '../../kernel/resource/repository.ts'
import { defineResource, findResource } from '../../kernel/resource/resource.ts'
import { grantPort } from './grant-port.ts'

// The wire has only the bare id of the asset.
const { load: _load, ...link } = one('assets.asset', {
  required: true,
  onDelete: 'cascade',
  anyOrg: true,
  attrs: ['id'],
})
const asset: Field<string | null, 'ref'> = { ...link, type: 'field', filter: true }

/** Whether the caller is granted an asset, or may list the assets of its organization. */
async function mayKnow(ctx: Context, id: string): Promise<boolean> {
  const everywhere = ctx.acrossOrgs()
  const row = await findById(everywhere, findResource('assets.asset'), id)
  if (!row) return false
  const codes = await ctx.services.permissionsOf(ctx, ctx.me, row.org_id)
  if (ctx.me.isSuperuser || codes.has('assets.view_asset')) return true
  const granted = await grantPort.use.assets(everywhere)
  return (
    (await findOne(everywhere, findResource('assets.asset'), (query) => granted(query.where('t.id', '=', id)))) !==
    undefined
  )
}

/** Favorite assets of a user, in every organization. */
export const favoriteAsset = defineResource({
  app: 'assets',
  name: 'favoriteasset',
  path: 'favorite-assets',
  scope: 'global',
  noId: true,
  // A favorite is nothing but its asset: there is nothing of it to change.
  describesToo: ['PUT', 'PATCH'],
  unlogged: true,
  bulkDelete: 'one',
  requires: { list: 'valid', retrieve: 'valid', create: 'valid', update: 'nobody', delete: 'valid' },
  verbs: ['list', 'retrieve', 'create', 'delete'],
  // A row is identified by its asset: its own id is not on the wire.
  lookup: (segment) => ({ column: 'asset_id', value: normalUuid(segment) }),
  fields: { asset },
  columns: { user: one('users.user', { onDelete: 'cascade', anyOrg: true }) },
  unique: [['user_id', 'asset_id']],
  indexes: [['asset_id']],
  visible: (ctx, query) => query.where('t.user_id', '=', ctx.caller?.id ?? ''),
  filters: {
    asset: (_ctx, query, value) => query.where('t.asset_id', '=', value),
  },
  hooks: {
    async validate(ctx, changes, problem) {
      for (const { row, index } of changes) {
        row.user_id = ctx.me.id
        if (row.asset_id && !(await mayKnow(ctx, row.asset_id)))
          problem(index, 'asset', [say(errors.does_not_exist, { pk: row.asset_id })])
        const known = await ctx.rawDb
          .selectFrom('assets_favoriteasset')
          .select('id')
          .where('user_id', '=', row.user_id)
          .where('asset_id', '=', row.asset_id)
          .executeTakeFirst()
        if (known) throw invalid({ non_field_errors: [say(errors.unique)] })
      }
    },
  },
})
