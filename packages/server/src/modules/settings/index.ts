import { settingsMessages } from '@castellan/contract/messages/settings'
import { settingDeclarations } from '@castellan/contract/settings'
import { defineModule } from '../../kernel/module.ts'

export const settings = defineModule({
  app: 'settings',
  texts: settingsMessages,
  settings: settingDeclarations,
})
