import { defineModule } from '../../kernel/module.ts'
import { recordOperate } from '../audits/index.ts'
import { onSettingsAltered } from '../settings/index.ts'
import { healthRoutes } from './health.ts'
import { indexRoute } from './index-route.ts'
import { selectionRoute } from './selection.ts'
import { serviceAccountRoute, serviceAccountsUnlisted } from './service-accounts.ts'

onSettingsAltered((ctx, { before, after }) =>
  recordOperate(ctx, {
    action: 'update',
    resourceType: 'System setting',
    resource: Object.keys(after).join(', ').slice(0, 128),
    before,
    after,
  }),
)

/** Routes across all modules: it depends on every other module, and none depends on it. */
export const common = defineModule({
  app: 'common',
  routes: [...healthRoutes, selectionRoute, indexRoute, serviceAccountRoute, serviceAccountsUnlisted],
})
