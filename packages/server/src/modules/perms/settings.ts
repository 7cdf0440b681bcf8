/** How granted assets are shown, and how often expiry is looked at. */
import { boolean, integer } from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'

export const grantedTree = defineSettings({
  category: 'other',
  permission: 'settings.change_other',
  fields: {
    PERM_SINGLE_ASSET_TO_UNGROUP_NODE: boolean({ default: false }),
  },
})

export const expiryChecks = defineSettings({
  changedBy: 'environment',
  fields: {
    PERM_EXPIRED_CHECK_PERIODIC: integer({ default: 3600 }),
  },
})
