import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { on } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { signInsRevoked } from '../authentication/index.ts'
import { type EndedTicket, ticketEnded } from '../tickets/index.ts'
import { clusterTreeRoute } from './cluster-tree.ts'
import { expiryOf } from './lifetime.ts'
import { listenPortInfoRoute } from './listen-port-info.ts'
import { tokenRoutes } from './routes.ts'
import { tokenLifetime } from './settings.ts'
import { connectionToken, superConnectionToken } from './token.ts'

/** A token made before an account was disabled, or its password changed, opens no connection after it. */
async function expireTokens(ctx: Context, userIds: readonly string[]): Promise<void> {
  for (const some of batches(userIds))
    await ctx.rawDb
      .updateTable(connectionToken.table)
      .set({ date_expired: ctx.now })
      .where('user_id', 'in', some)
      .where('date_expired', '>', ctx.now)
      .execute()
}

/** An approval activates the token that waits for it, for the connection that begins now; every other end expires it. */
async function settleTokens(ctx: Context, { row, state }: EndedTicket): Promise<void> {
  if (row.type !== 'login_asset_confirm') return
  const isApproved = state === 'approved'
  await ctx.rawDb
    .updateTable(connectionToken.table)
    .set({ is_active: isApproved, date_expired: isApproved ? expiryOf(ctx, false) : ctx.now, date_updated: ctx.now })
    .where('from_ticket_id', '=', row.id)
    .where('is_active', '=', false)
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
  routes: [...tokenRoutes, clusterTreeRoute, listenPortInfoRoute],
  listens: [on(signInsRevoked, expireTokens), on(ticketEnded, settleTokens)],
})
