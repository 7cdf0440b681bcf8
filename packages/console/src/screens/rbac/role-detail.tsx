import { pathOf } from '@castellan/contract/routes'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { Copy } from 'lucide-react'
import { useNavigate, useSearchParams } from 'react-router'
import { call, withQuery } from '../../kit/api/client.ts'
import { DetailPage, type DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { RelationCard } from '../../kit/detail/RelationCard.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { at, type Row, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Badge } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { PermissionTree } from './PermissionTree.tsx'
import { cloneOf, type Scope } from './roles.tsx'

const path = pathOf('RoleList')

function Bound({ role, scope }: { role: Row; scope: Scope }) {
  const client = useQueryClient()
  const collection = `/api/v1/rbac/${scope}-role-bindings/`
  const url = `${collection}?role=${role.id}`
  return (
    <>
      {can(`rbac.add_${scope}rolebinding`) && (
        <RelationCard
          title={t('addMembers')}
          source={{
            url: withQuery('/api/v1/users/users/', {
              fields_size: 'mini',
              order: 'name',
              oid: scope === 'system' ? 'root' : undefined,
            }),
            label: (user) => `${user.name}(${user.username})`,
          }}
          add={(ids) => call(collection, { method: 'POST', body: ids.map((user) => ({ user, role: role.id, scope })) })}
          onChanged={() => void client.invalidateQueries({ queryKey: ['list', url] })}
        />
      )}
      <ListView<WireRow<`/api/v1/rbac/${Scope}-role-bindings/`, 'user_display'>>
        anywhere
        spec={{
          id: `RoleUsers-${scope}`,
          url,
          resource: `rbac.${scope}rolebinding`,
          noun: 'member',
          texts: { empty: 'membersEmpty' },
          row: {
            nameColumn: 'user_display',
            link: (row) =>
              can('users.view_user') ? pathOf('UserDetail', String(at(row, 'user.id') ?? row.user)) : undefined,
          },
          columns: {
            extra: ['user_display'],
            shown: scope === 'org' ? ['user_display', 'org_name'] : ['user_display'],
            cells: {
              user_display: {
                label: t('person'),
                width: 320,
                render: (row) => String(row.user_display ?? wordOf(row.user)),
              },
            },
          },
          actions: {
            remove: { url: (row) => withQuery(`${collection}${row.id}/`, { role: role.id }), batch: false },
            update: false,
            clone: false,
          },
          bulk: false,
          search: { inAddress: false },
          files: { import: false, export: false },
        }}
      />
    </>
  )
}

/** Actions on a built-in role, which cannot be changed. */
function Clone({ to, scope }: { to: string; scope: Scope }) {
  const go = useNavigate()
  if (!can(`rbac.add_${scope}role`)) return null
  return (
    <Button icon={<Copy size={16} />} onClick={() => go(to)}>
      {t('clone')}
    </Button>
  )
}

const detailOf = (scope: Scope): DetailSpec<WireRow<`/api/v1/rbac/${Scope}-roles/`>> => ({
  url: `/api/v1/rbac/${scope}-roles/`,
  path,
  resource: `rbac.${scope}role`,
  noun: 'role',
  factsTab: 'RoleInfo',
  badge: (row) => (row.builtin ? <Badge is="idle">{t('builtin')}</Badge> : null),
  update: { to: (row) => `${path}/${row.id}/update?scope=${scope}`, visible: (row) => !row.builtin },
  headActions: ({ row }) => <Clone to={cloneOf(scope, row)} scope={scope} />,
  remove: { visible: (row) => !row.builtin },
  facts: ['display_name', 'builtin', 'created_by', 'date_created', 'date_updated', 'comment'],
  sections: ({ row }) => <PermissionTree key={row.id} id={row.id} scope={scope} builtin={row.builtin === true} />,
  tabs: [
    {
      key: 'RoleUsers',
      title: 'members',
      permission: `rbac.view_${scope}rolebinding`,
      render: ({ row }) => <Bound role={row} scope={scope} />,
    },
  ],
})

export default function RoleDetail() {
  const [query] = useSearchParams()
  const scope: Scope = query.get('scope') === 'org' ? 'org' : 'system'
  return <DetailPage spec={detailOf(scope)} />
}
