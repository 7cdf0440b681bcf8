import { pathOf } from '@castellan/contract/routes'
import { useSearchParams } from 'react-router'
import { FormPage } from '../../kit/form/FormPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { Scope } from './roles.tsx'

const path = pathOf('RoleList')

const formOf = (scope: Scope): FormSpec => ({
  url: `/api/v1/rbac/${scope}-roles/`,
  path: `${path}?activeTab=${scope === 'org' ? 'OrgRoleList' : 'SysRoleList'}`,
  noun: 'role',
  initial: () => ({ scope }),
  groups: [{ key: 'basic', title: 'groupBasic', help: 'roleFormHelp', fields: ['name', 'scope', 'comment'] }],
  fields: { name: { half: true, required: true }, scope: { half: true, disabled: true } },
  another: false,
  after: (saved) => `${path}/${saved.id}?scope=${scope}`,
})

/** Name of a role; its rights are ticked on its page, right after. */
export default function RoleForm() {
  const [query] = useSearchParams()
  const scope: Scope = query.get('scope') === 'org' ? 'org' : 'system'
  return <FormPage spec={formOf(scope)} />
}
