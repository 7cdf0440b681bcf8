import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { findAll } from '../../kernel/repository.ts'
import { account } from './account.ts'
import { usedSecret } from './secret.ts'
import { secretTypeWire } from './secret-type.ts'

/** The account for each gateway: active, privileged ones first, then the latest. */
export async function gatewayAccountRows(ctx: Context, gatewayIds: readonly unknown[]): Promise<Map<unknown, AnyRow>> {
  const best = new Map<unknown, AnyRow>()
  for (const some of batches(gatewayIds))
    for (const row of (await findAll(ctx.acrossOrgs(), account, (query) =>
      query
        .where('t.asset_id', 'in', some as string[])
        .where('t.is_active', '=', true)
        .orderBy('t.privileged', 'desc')
        .orderBy('t.date_updated', 'desc'),
    )) as AnyRow[])
      if (!best.has(row.asset_id)) best.set(row.asset_id, row)
  return best
}

/** The same in wire form, with the secret only for a component, which signs in with it. */
export async function gatewayAccounts(ctx: Context, gatewayIds: readonly unknown[]): Promise<Map<unknown, AnyRow>> {
  const found = new Map<unknown, AnyRow>()
  for (const [id, row] of await gatewayAccountRows(ctx, gatewayIds))
    found.set(id, {
      name: row.name,
      username: row.username,
      privileged: row.privileged,
      secret_type: secretTypeWire(ctx, row.secret_type),
      ...(ctx.caller?.isServiceAccount ? { secret: await usedSecret(ctx, row, 'ssh') } : {}),
    })
  return found
}
