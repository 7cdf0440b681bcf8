import { commandGroupTypes } from '@castellan/contract/choices/acls'
import { aclsMessages } from '@castellan/contract/messages/acls'
import { patternFault } from '@castellan/contract/patterns'
import { boolean, choice, longText, normalUuid, text } from '../../kernel/fields/index.ts'
import { text as say } from '../../kernel/module/errors.ts'
import { defineResource } from '../../kernel/resource/resource.ts'

/** A group of commands for rules; `pattern.ts` says how they are matched. */
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
  hooks: {
    validate(_ctx, changes, problem) {
      for (const { index, row, values } of changes) {
        if (row.type !== 'regex' || !('type' in values || 'content' in values)) continue
        const fault = patternFault(String(row.content))
        // A rule that never matches would give a false sense of protection.
        if (fault !== undefined) problem(index, 'content', [say(aclsMessages.not_a_pattern, { input: fault })])
      }
    },
  },
  filters: {
    command_filters: (ctx, query, value) =>
      query.where(
        't.id',
        'in',
        ctx.rawDb
          .selectFrom('acls_commandfilteracl_groups')
          .select('commandgroup_id')
          .where('commandfilteracl_id', '=', normalUuid(value) ?? ''),
      ),
  },
})
