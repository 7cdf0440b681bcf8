import { roleScopes } from '@castellan/contract/choices/users'
import { builtinRoles } from '@castellan/contract/permissions'
import { boolean, choice, computed, datetime, json, nullableText, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

/** The name a role is shown by: built-in ones in the caller's language. */
export function roleDisplay(row: { id: string; name: string }, language: 'en' | 'zh' | 'ja'): string {
  const builtin = builtinRoles.find(({ id }) => id === row.id)
  return builtin ? builtin.displayName[language] : row.name
}

export const role = defineResource({
  app: 'rbac',
  name: 'role',
  path: 'roles',
  scope: 'global',
  bulk: false,
  wholeRows: true,
  fields: {
    name: text({ max: 128, required: true }),
    display_name: computed('string', { wire: (_value, ctx, row) => roleDisplay(row as never, ctx.language) }),
    scope: choice(roleScopes, { required: true }),
    builtin: boolean({ readOnly: true }),
    comment: text({ max: 128 }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    created_by: nullableText({ readOnly: true }),
    updated_by: nullableText({ readOnly: true }),
  },
  columns: {
    /** Codes; of built-in roles they stand in the contract's catalogue instead. */
    permissions: json<string[]>({ default: [] }),
  },
  unique: [['name', 'scope']],
})
