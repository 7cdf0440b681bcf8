import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/context.ts'
import { on } from '../../kernel/hooks.ts'
import { defineModule } from '../../kernel/module.ts'
import { signInsRevoked } from '../authentication/index.ts'
import { clusterTreeRoute } from './cluster-tree.ts'
import { tokenRoutes } from './routes.ts'
import { tokenLifetime } from './settings.ts'
import { connectionToken, superConnectionToken } from './token.ts'

/** A token made before an account was disabled, or its password changed, opens no connection after it. */
async function expireTokens(ctx: Context, userIds: readonly string[]): Promise<void> {
  for (const some of batches(userIds))
    await ctx.unscoped
      .updateTable(connectionToken.table)
      .set({ date_expired: ctx.now })
      .where('user_id', 'in', some)
      .where('date_expired', '>', ctx.now)
      .execute()
}

/**
 * Connection tokens of app `authentication`. A separate module, because they depend on accounts, permissions, rules and
 * components, which depend on authentication.
 */
export const connectionTokens = defineModule({
  app: 'authentication',
  resources: [connectionToken, superConnectionToken],
  settings: [tokenLifetime],
  routes: [...tokenRoutes, clusterTreeRoute],
  listens: [on(signInsRevoked, expireTokens)],
})
