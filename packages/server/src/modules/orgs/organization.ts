import { defaultOrgId, rootOrgId } from '@castellan/contract/ids'
import { computed, datetime, longText, nullableText, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource/resource.ts'
import { demandDeletable, demandEmpty, reservedOrganizations } from './guards.ts'
import { organizationDeleting, organizationSaved } from './hooks.ts'
import { statisticsField } from './statistics.ts'

export const organization = defineResource({
  app: 'orgs',
  name: 'organization',
  path: 'orgs',
  scope: 'global',
  fields: {
    name: text({ max: 128, required: true, filter: true }),
    resource_statistics: statisticsField(),
    is_default: computed('field', { wire: (_value, _ctx, row) => row.id === defaultOrgId }),
    is_root: computed('field', { wire: (_value, _ctx, row) => row.id === rootOrgId }),
    internal: computed('field', { wire: (_value, _ctx, row: { id: string }) => reservedOrganizations.has(row.id) }),
    date_created: datetime({ readOnly: true }),
    created_by: nullableText({ readOnly: true }),
    comment: longText(),
  },
  unique: [['name']],
  search: ['name', 'comment'],
  defaultOrder: ['name'],
  wholeRows: true,
  bulkDelete: 'never',
  guard: (ctx, row, verb) => {
    if (verb === 'delete') demandDeletable(ctx, row)
  },
  hooks: {
    async afterSave(ctx, changes) {
      for (const { row, before } of changes)
        if (before?.name !== row.name)
          await organizationSaved.run(ctx, { id: row.id, name: row.name, formerName: before?.name })
    },
    async beforeDelete(ctx, rows) {
      for (const row of rows) {
        await organizationDeleting.run(ctx, row)
        await demandEmpty(ctx, row)
      }
    },
  },
})
