import { settingsMessages } from '@castellan/contract/messages/settings'
import { settingDeclarations } from '@castellan/contract/settings'
import { defineModule } from '../../kernel/module.ts'
import { blockRoutes } from './blocked-addresses.ts'
import { limited } from './environment.ts'
import { mailTestRoute } from './mail-test.ts'
import { publicRoutes } from './public.ts'
import { settingRoutes } from './setting-routes.ts'
import { settingsAltered } from './settings-log.ts'

export { type AlteredSettings, settingsAltered } from './settings-log.ts'

export const settings = defineModule({
  app: 'settings',
  texts: settingsMessages,
  hooks: [settingsAltered],
  settings: [...settingDeclarations, { name: 'INTERFACE', default: {} }],
  seed(ctx) {
    ctx.services.settings.limitEnvironment((name, value) => limited(ctx, name, value))
  },
  routes: [...settingRoutes, ...publicRoutes, ...blockRoutes, mailTestRoute],
})
