import { pathOf } from '@castellan/contract/routes'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { WireForm } from '../../kit/wire.ts'

export const apiKeyForm: FormSpec<WireForm<'/api/v1/authentication/access-keys/'>> = {
  url: '/api/v1/authentication/access-keys/',
  path: pathOf('ApiKey'),
  noun: 'apiKey',
  groups: [{ key: 'basic', title: 'groupBasic', help: 'apiKeyIpHelp', fields: ['id', 'ip_group', 'is_active'] }],
  fields: { id: { layout: { mono: true } }, ip_group: { widget: 'ip-group', texts: { help: 'ipGroupHelp' } } },
}
