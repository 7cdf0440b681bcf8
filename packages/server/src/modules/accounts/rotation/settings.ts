import { boolean } from '../../../kernel/fields/index.ts'
import { defineSettings } from '../../../kernel/settings/setting-groups.ts'

export const rotationSettings = defineSettings({
  changedBy: 'environment',
  fields: {
    /** Plans leave privileged accounts, root, administrator and the account that signs in alone. */
    CHANGE_AUTH_PLAN_SECURE_MODE_ENABLED: boolean({ default: true }),
  },
})
