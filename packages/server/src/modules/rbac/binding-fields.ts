import { roleScopes } from '@castellan/contract/choices/users'
import { computed, one, rawChoice } from '../../kernel/fields/index.ts'
import type { ChangeOf, HooksOf, RowOf } from '../../kernel/resource/resource.ts'
import { organizationNames } from '../../kernel/resource/standard-fields.ts'

const plainId = (row: { id: string }) => row.id

/** The same bindings under three URLs: those of the system, those of the organization, both. */
export type Path = 'any' | 'system' | 'org'

const everyField = (path: Path) => {
  const org = {
    ...one('orgs.organization', {
      nullable: true,
      onDelete: 'cascade',
      show: plainId,
      required: path === 'any',
      readOnly: path === 'org',
      filter: true,
    }),
    type: 'field' as const,
  }
  return {
    // Optional in the form, but a binding needs a user: the hooks check it.
    user: one('users.user', { attrs: ['id', 'name', 'username'], onDelete: 'cascade', anyOrg: true, filter: true }),
    role: {
      ...one('rbac.role', { required: true, onDelete: 'restrict', show: plainId, filter: true }),
      type: 'field' as const,
    },
    scope: rawChoice(roleScopes, { readOnly: true, filter: true }),
    org,
    org_name: computed('field', {
      load: async (ctx) => {
        const names = await organizationNames(ctx)
        return (row: { org_id: string | null }) => names.get(row.org_id ?? '') ?? ''
      },
    }),
  }
}

type BindingFields = ReturnType<typeof everyField>
export type BindingRow = RowOf<BindingFields>
export type BindingHooks = HooksOf<BindingFields>
export type BindingChange = ChangeOf<BindingFields>

/** The fields of a collection. That of the system does not show the organization, but its rows have the column. */
export function bindingFields(path: Path): BindingFields {
  const { org, ...others } = everyField(path)
  return path === 'system' ? (others as BindingFields) : everyField(path)
}
