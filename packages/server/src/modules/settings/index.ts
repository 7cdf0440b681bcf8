import { settingsMessages } from '@castellan/contract/messages/settings'
import { defineModule } from '../../kernel/module/module.ts'
import { limited } from './environment.ts'
import { announcement, basic, tickets, validity } from './groups.ts'
import { appearance } from './interface.ts'
import { interfaceRoutes } from './interface-routes.ts'
import { pictureRoute, pictureTable } from './picture.ts'
import { publicRoutes } from './public.ts'
import { settingRoutes } from './setting-routes.ts'
import { settingStateRoutes } from './setting-state.ts'
import { guardedSettingsChanging, settingsAltered } from './settings-log.ts'

export { basic, tickets as ticketSettings } from './groups.ts'
export { appearance } from './interface.ts'
export { pictureSetting } from './picture.ts'
export { type AlteredSettings, guardedSettingsChanging, settingsAltered } from './settings-log.ts'
export { siteUrl } from './site-url.ts'

export const settings = defineModule({
  app: 'settings',
  texts: settingsMessages,
  hooks: [settingsAltered, guardedSettingsChanging],
  tables: [pictureTable],
  settings: [basic, appearance, announcement, tickets, validity],
  seed(ctx) {
    ctx.services.settings.limitEnvironment((name, value) => limited(ctx, name, value))
  },
  routes: [...settingRoutes, ...settingStateRoutes, ...publicRoutes, ...interfaceRoutes, pictureRoute],
})
