import { pathOf } from '@castellan/contract/routes'

export const url = '/api/v1/perms/asset-permissions/'
export const path = pathOf('AssetPermissionList')
