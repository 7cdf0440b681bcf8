import { pathOf } from '@castellan/contract/routes'
import { Skeleton } from 'antd'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { FormPage } from '../../kit/form/FormPage.tsx'
import type { FormSpec, WidgetProps } from '../../kit/form/spec.ts'
import { Failed } from '../../kit/list/states.tsx'
import { t } from '../../kit/text.ts'
import type { WireForm } from '../../kit/wire.ts'
import { leavesOf, unlocked } from './permission-tree.ts'
import { RightsTree } from './RightsTree.tsx'
import { asSent, rightsOf, useRights } from './rights.ts'
import type { Scope } from './roles.tsx'

const path = pathOf('RoleList')

/** The permissions of a role in its form; without a value, as read. */
function Rights({ scope, value, onChange, context, disabled }: WidgetProps & { scope: Scope }) {
  const { query, rights, held } = useRights(scope, context.id ?? context.cloneFrom)
  const chosen = Array.isArray(value) ? value : undefined
  const ticked = useMemo(() => (chosen ? new Set<string>(chosen.map(String)) : held), [chosen, held])
  // Permissions of a built-in role are locked, those of its copy are not.
  const open = useMemo(() => unlocked(rights), [rights])
  if (query.isPending) return <Skeleton active title={false} paragraph={{ rows: 10 }} />
  if (query.error) return <Failed error={query.error} retry={() => void query.refetch()} />
  return (
    <div className="rights in-form" data-field="permissions">
      <RightsTree rights={open} ticked={ticked} locked={disabled} height={440} onTick={(next) => onChange([...next])} />
      <small className="muted">{t('rightsTicked', { count: ticked.size, total: leavesOf(rights).length })}</small>
    </div>
  )
}

const widgets = {
  system: (props: WidgetProps) => <Rights scope="system" {...props} />,
  org: (props: WidgetProps) => <Rights scope="org" {...props} />,
}

const formOf = (scope: Scope): FormSpec<WireForm<`/api/v1/rbac/${Scope}-roles/`, 'rights'>> => ({
  url: `/api/v1/rbac/${scope}-roles/`,
  path: `${path}?activeTab=${scope === 'org' ? 'OrgRoleList' : 'SysRoleList'}`,
  noun: 'role',
  initial: () => ({ scope }),
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'scope', 'comment'] },
    { key: 'rights', title: 'rights', help: 'rightsHelp', fields: ['rights'] },
  ],
  fields: {
    name: { layout: { half: true }, validation: { required: true } },
    scope: { layout: { half: true }, state: { disabled: true }, texts: { help: 'roleScopeHelp' } },
    rights: { label: 'rights', sending: { local: true }, component: widgets[scope] },
  },
  submit: {
    copies: false,
    clean: async (body, { rights }, { cloneFrom }) => {
      if (Array.isArray(rights)) return { ...body, permissions: asSent(rights) }
      return cloneFrom ? { ...body, permissions: await rightsOf(scope, cloneFrom) } : body
    },
    another: false,
  },
  saved: { to: (saved) => `${path}/${saved.id}?scope=${scope}` },
})

/** Name and permissions of a role on one page. */
export default function RoleForm() {
  const [query] = useSearchParams()
  const scope: Scope = query.get('scope') === 'org' ? 'org' : 'system'
  return <FormPage spec={formOf(scope)} />
}
