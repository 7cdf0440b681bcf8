import { settingsMessages } from '@castellan/contract/messages/settings'
import { defineModule } from '../../kernel/module.ts'
import { limited } from './environment.ts'
import { announcement, basic, externalVault, tickets, validity } from './groups.ts'
import { appearance } from './interface.ts'
import { publicRoutes } from './public.ts'
import { settingRoutes } from './setting-routes.ts'
import { settingsAltered } from './settings-log.ts'

export { basic } from './groups.ts'
export { appearance } from './interface.ts'
export { type AlteredSettings, settingsAltered } from './settings-log.ts'

export const settings = defineModule({
  app: 'settings',
  texts: settingsMessages,
  hooks: [settingsAltered],
  settings: [basic, appearance, externalVault, announcement, tickets, validity],
  seed(ctx) {
    ctx.services.settings.limitEnvironment((name, value) => limited(ctx, name, value))
  },
  routes: [...settingRoutes, ...publicRoutes],
})
