import { defineResource } from '../../kernel/resource/resource.ts'
import { permissionFields } from './permission-fields.ts'
import { permissionFilters } from './permission-filters.ts'
import { permissionLookups } from './permission-lookups.ts'
import { templateHooks } from './permission-templates.ts'

/**
 * Which users and groups may access which assets and nodes, as which accounts, by which protocols, with which actions,
 * until when.
 */
export const assetPermission = defineResource({
  app: 'perms',
  name: 'assetpermission',
  path: 'asset-permissions',
  scope: 'org',
  fields: permissionFields,
  unique: [['org_id', 'name']],
  indexes: [['date_expired']],
  mini: ['id', 'name'],
  small: [
    ...(['id', 'name', 'accounts', 'protocols', 'actions', 'created_by', 'date_created'] as const),
    ...(['date_start', 'date_expired', 'is_active', 'is_expired', 'is_valid', 'comment', 'from_ticket'] as const),
  ],
  search: ['name'],
  defaultOrder: ['name'],
  filters: permissionFilters,
  hooks: templateHooks,
  actions: permissionLookups,
})
