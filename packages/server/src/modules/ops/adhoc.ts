import { adhocModules } from '@castellan/contract/choices/ops'
import { choice, datetime, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource/resource.ts'
import { creatorField, ownRows, takeOwnership } from './owned.ts'

/** A command template of a user. */
export const adhoc = defineResource({
  app: 'ops',
  name: 'adhoc',
  path: 'adhocs',
  scope: 'org',
  idWritable: true,
  fields: {
    name: text({ max: 128, required: true }),
    module: choice(adhocModules, { default: 'shell' }),
    args: text({ max: 8192, blank: false, verbatim: true }),
    comment: text({ max: 1024, nullable: true }),
    creator: creatorField,
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  },
  unique: [['org_id', 'creator_id', 'name']],
  indexes: [['creator_id']],
  search: ['name', 'comment'],
  defaultOrder: ['name'],
  visible: ownRows,
  hooks: { validate: takeOwnership },
})
