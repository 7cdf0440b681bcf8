/** Attributes by which rules choose people and assets (perms sheet §1.2). */
import type { Attribute } from './form/widgets/Rule.tsx'

const display = (row: Readonly<Record<string, unknown>>) => String(row.display_name ?? row.name)

export const userAttributes: readonly Attribute[] = [
  { name: 'name', label: 'name', type: 'str' },
  { name: 'username', label: 'username', type: 'str' },
  { name: 'email', label: 'email', type: 'str' },
  { name: 'comment', label: 'comment', type: 'str' },
  { name: 'is_active', label: 'active', type: 'bool' },
  {
    name: 'system_roles',
    label: 'systemRoles',
    type: 'm2m',
    source: { url: '/api/v1/rbac/system-roles/?fields_size=mini', label: display },
  },
  { name: 'org_roles', label: 'orgRoles', type: 'm2m', source: { url: '/api/v1/rbac/org-roles/', label: display } },
  { name: 'groups', label: 'groups', type: 'm2m', source: { url: '/api/v1/users/groups/?fields_size=mini' } },
]

export const assetAttributes: readonly Attribute[] = [
  { name: 'name', label: 'name', type: 'str' },
  { name: 'address', label: 'address', type: 'ip' },
  {
    name: 'nodes',
    label: 'nodes',
    type: 'm2m',
    source: { url: '/api/v1/assets/nodes/', label: (row) => String(row.full_value) },
  },
  { name: 'platform', label: 'platform', type: 'fk', source: { url: '/api/v1/assets/platforms/' } },
  {
    name: 'labels',
    label: 'labels',
    type: 'm2m',
    source: { url: '/api/v1/assets/labels/', label: (row) => `${row.name}:${row.value}` },
  },
  { name: 'comment', label: 'comment', type: 'str' },
]

export const userSource = {
  url: '/api/v1/users/users/?fields_size=mini',
  // Rows that stand in another one come with their names only.
  label: (row: Readonly<Record<string, unknown>>) => (row.username ? `${row.name}(${row.username})` : String(row.name)),
}
export const assetSource = {
  url: '/api/v1/assets/assets/',
  label: (row: Readonly<Record<string, unknown>>) => (row.address ? `${row.name}(${row.address})` : String(row.name)),
}
