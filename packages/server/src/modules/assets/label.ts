import { labelCategories } from '@castellan/contract/choices/assets'
import { boolean, choice, computed, datetime, longText, many, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource/resource.ts'

/** A name-value pair attached to assets. */
export const label = defineResource({
  app: 'assets',
  name: 'label',
  path: 'labels',
  scope: 'org',
  fields: {
    name: text({ max: 128, required: true, filter: true }),
    value: text({ max: 128, required: true, filter: true }),
    category: choice(labelCategories, { readOnly: true, default: 'U' }),
    comment: longText(),
    asset_count: computed('field', {
      load: async (ctx, rows) => {
        const counts = await ctx.rawDb
          .selectFrom('assets_asset_labels')
          .select(['label_id', (eb) => eb.fn.countAll().as('n')])
          .where(
            'label_id',
            'in',
            rows.map(({ id }) => id),
          )
          .groupBy('label_id')
          .execute()
        const byId = new Map(counts.map(({ label_id, n }) => [label_id, Number(n)]))
        return ({ id }) => byId.get(id) ?? 0
      },
    }),
    assets: many('assets.asset', { through: 'assets_asset_labels', from: 'label_id', to: 'asset_id' }),
    is_active: boolean({ default: true }),
    date_created: datetime({ readOnly: true }),
  },
  unique: [['name', 'value', 'org_id']],
  search: ['name', 'value'],
  defaultOrder: ['name', 'value'],
  mini: ['id', 'name', 'value'],
  display: (row) => `${row.name}:${row.value}`,
})
