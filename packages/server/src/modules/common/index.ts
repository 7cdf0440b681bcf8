import type { Context } from '../../kernel/module/context.ts'
import { on } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { recordOperate } from '../audits/index.ts'
import { type AlteredSettings, settingsAltered } from '../settings/index.ts'
import { healthRoutes } from './health.ts'
import { indexRoute } from './index-route.ts'
import { selectionRoute } from './selection.ts'
import { serviceAccountRoute, serviceAccountsUnlisted } from './service-accounts.ts'

const recordSettings = (ctx: Context, { before, after }: AlteredSettings) =>
  recordOperate(ctx, {
    action: 'update',
    resourceType: 'System setting',
    resource: Object.keys(after).join(', ').slice(0, 128),
    before,
    after,
  })

/** Routes across all modules: it depends on every other module, and none depends on it. */
export const common = defineModule({
  app: 'common',
  listens: [on(settingsAltered, recordSettings)],
  routes: [...healthRoutes, selectionRoute, indexRoute, serviceAccountRoute, serviceAccountsUnlisted],
})
