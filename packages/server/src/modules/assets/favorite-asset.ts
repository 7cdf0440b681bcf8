import { errors } from '@castellan/contract/messages/errors'
import { invalid, text as say } from '../../kernel/errors.ts'
import { type Field, normalUuid, one } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

// Without the way to the asset itself: the wire has its bare id.
const { load: _load, ...link } = one('assets.asset', {
  required: true,
  onDelete: 'cascade',
  anyOrg: true,
  attrs: ['id'],
})
const asset: Field<string | null, 'ref'> = { ...link, type: 'field', filter: true }

/** Assets a person marked for themselves, in every organisation. */
export const favoriteAsset = defineResource({
  app: 'assets',
  name: 'favoriteasset',
  path: 'favorite-assets',
  scope: 'global',
  noId: true,
  unlogged: true,
  bulkDelete: 'one',
  requires: { list: 'valid', retrieve: 'valid', create: 'valid', update: 'nobody', delete: 'valid' },
  verbs: ['list', 'retrieve', 'create', 'delete'],
  // A row is known by its asset alone: its own id is not on the wire.
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
    async validate(ctx, changes) {
      for (const { row } of changes) {
        row.user_id = ctx.me.id
        const known = await ctx.unscoped
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
