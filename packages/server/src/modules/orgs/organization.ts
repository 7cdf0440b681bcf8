import { defaultOrgId, rootOrgId, systemOrgId } from '@castellan/contract/ids'
import { computed, datetime, longText, nullableText, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

const reserved = new Set([rootOrgId, defaultOrgId, systemOrgId])

export const organization = defineResource({
  app: 'orgs',
  name: 'organization',
  path: 'orgs',
  scope: 'global',
  fields: {
    name: text({ max: 128, required: true, search: true, filter: true }),
    is_default: computed('boolean', { wire: (_value, _ctx, row) => row.id === defaultOrgId }),
    is_root: computed('boolean', { wire: (_value, _ctx, row) => row.id === rootOrgId }),
    internal: computed('boolean', { wire: (_value, _ctx, row) => reserved.has(row.id) }),
    comment: longText(),
    created_by: nullableText({ readOnly: true }),
    date_created: datetime({ readOnly: true }),
  },
  unique: [['name']],
  search: ['name', 'comment'],
  orderable: ['name'],
  defaultOrder: ['name'],
  wholeRows: true,
  bulkDelete: 'never',
})
