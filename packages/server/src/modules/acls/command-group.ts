import { commandGroupTypes } from '@castellan/contract/choices/acls'
import { boolean, choice, longText, normalUuid, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

/** Commands that rules speak about together; `pattern.ts` says how they are recognised. */
export const commandGroup = defineResource({
  app: 'acls',
  name: 'commandgroup',
  path: 'command-groups',
  scope: 'org',
  fields: {
    name: text({ max: 128, required: true, filter: true }),
    type: choice(commandGroupTypes, { default: 'command' }),
    content: text({ required: true }),
    comment: longText(),
    ignore_case: boolean({ default: true }),
  },
  unique: [['org_id', 'name']],
  search: ['name'],
  defaultOrder: ['name'],
  filters: {
    command_filters: (_ctx, query, value) =>
      query.where('t.id', 'in', (eb: never) => groupsOf(eb, normalUuid(value) ?? '')),
  },
})

// The builder's table names are unknown at compile time.
// biome-ignore lint/suspicious/noExplicitAny: the builder of a query over tables named at run time
const groupsOf = (eb: any, aclId: string) =>
  eb.selectFrom('acls_commandfilteracl_groups').select('commandgroup_id').where('commandfilteracl_id', '=', aclId)
