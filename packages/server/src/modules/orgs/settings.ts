import { defaultOrgId } from '@castellan/contract/ids'
import { stringList } from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'

export const directorySync = defineSettings({
  changedBy: 'other category',
  fields: {
    AUTH_LDAP_SYNC_ORG_IDS: stringList({ default: [defaultOrgId], maxItems: 36 }),
  },
  public: ['AUTH_LDAP_SYNC_ORG_IDS'],
})
