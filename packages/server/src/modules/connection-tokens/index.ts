import { batches } from '../../db/batches.ts'
import { defineModule } from '../../kernel/module.ts'
import { onSignInsRevoked } from '../authentication/index.ts'
import { clusterTreeRoute } from './cluster-tree.ts'
import { tokenRoutes } from './routes.ts'
import { connectionToken, superConnectionToken } from './token.ts'

// A token created before its user was disabled, or changed their password, is no longer valid.
onSignInsRevoked(async (ctx, userIds) => {
  for (const some of batches(userIds))
    await ctx.unscoped
      .updateTable(connectionToken.table)
      .set({ date_expired: ctx.now })
      .where('user_id', 'in', some)
      .where('date_expired', '>', ctx.now)
      .execute()
})

/**
 * Connection tokens of app `authentication`. A separate module, because they depend on accounts, permissions, rules and
 * components, which depend on authentication.
 */
export const connectionTokens = defineModule({
  app: 'authentication',
  resources: [connectionToken, superConnectionToken],
  routes: [...tokenRoutes, clusterTreeRoute],
})
