import { boolean } from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'

export const administration = defineSettings({
  changedBy: 'environment',
  fields: {
    LIMIT_SUPER_PRIV: boolean({ default: false }),
  },
})
