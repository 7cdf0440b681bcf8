/** Attributes of users and assets for rules. */
import { call } from '../../kit/api/client.ts'
import type { Attribute } from '../../kit/form/widgets/rule.ts'

const display = (row: Readonly<Record<string, unknown>>) => String(row.display_name ?? row.name)

export const userAttributes: readonly Attribute[] = [
  { name: 'name', label: 'name', type: 'str', column: true },
  { name: 'username', label: 'username', type: 'str', column: true },
  { name: 'email', label: 'email', type: 'str', column: true },
  { name: 'comment', label: 'comment', type: 'str', column: true },
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

/** For rules of all organizations: roles of a single organization do not apply. */
export const globalUserAttributes: readonly Attribute[] = userAttributes.map((attribute) =>
  attribute.name === 'org_roles' ? { ...attribute, disabled: true } : attribute,
)

interface Category {
  value: string
  label: string
  types: { value: string; label: string; constraints?: { protocols?: { name: string }[] } }[]
}

/** Shared query of the three attributes with these choices. */
let asked: Promise<Category[]> | undefined
function categories(): Promise<Category[]> {
  asked ??= call<Category[]>('/api/v1/assets/categories/', { quiet: true }).catch((error) => {
    asked = undefined
    throw error
  })
  return asked
}

const once = (options: readonly { value: string; label: string }[]) => [
  ...new Map(options.map((option) => [option.value, option])).values(),
]

export const assetAttributes: readonly Attribute[] = [
  { name: 'name', label: 'name', type: 'str', column: true },
  { name: 'address', label: 'address', type: 'ip', column: true },
  {
    name: 'nodes',
    label: 'nodes',
    type: 'm2m',
    source: { url: '/api/v1/assets/nodes/', label: (row) => String(row.full_value) },
  },
  { name: 'platform', label: 'platform', type: 'fk', source: { url: '/api/v1/assets/platforms/' } },
  {
    name: 'category',
    label: 'category',
    type: 'select',
    column: true,
    options: async () => once((await categories()).map(({ value, label }) => ({ value, label }))),
  },
  {
    name: 'type',
    label: 'type',
    type: 'select',
    column: true,
    options: async () =>
      once((await categories()).flatMap(({ types }) => types.map(({ value, label }) => ({ value, label })))),
  },
  {
    name: 'protocols',
    label: 'protocols',
    type: 'select',
    options: async () =>
      once(
        (await categories())
          .flatMap(({ types }) => types.flatMap((type) => type.constraints?.protocols ?? []))
          .map(({ name }) => ({ value: name, label: name })),
      ),
  },
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
  // Nested rows contain only their names.
  label: (row: Readonly<Record<string, unknown>>) => (row.username ? `${row.name}(${row.username})` : String(row.name)),
}
export const assetSource = {
  url: '/api/v1/assets/assets/',
  inTree: true,
  label: (row: Readonly<Record<string, unknown>>) => (row.address ? `${row.name}(${row.address})` : String(row.name)),
}
