import type { FormSpec } from '../../kit/form/spec.ts'

export const apiKeyForm: FormSpec = {
  url: '/api/v1/authentication/access-keys/',
  path: '/profile/api-keys',
  noun: 'apiKey',
  groups: [{ key: 'basic', title: 'groupBasic', help: 'apiKeyIpHelp', fields: ['id', 'ip_group', 'is_active'] }],
  fields: { id: { mono: true }, ip_group: { widget: 'ip-group', help: 'ipGroupHelp' } },
}
