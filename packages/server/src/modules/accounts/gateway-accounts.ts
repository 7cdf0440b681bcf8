import { batches } from '../../db/batches.ts'
import type { StoredRow } from '../../kernel/fields/field.ts'
import type { Context } from '../../kernel/module/context.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { type LoginAccount, usableForSsh } from '../assets/index.ts'
import { account } from './account.ts'
import type { AccountRow } from './account-fields.ts'
import { heldBack } from './destination.ts'
import { openedAccount } from './login.ts'
import { usedSecret } from './secret.ts'
import { secretTypeWire } from './secret-type.ts'

const canSignIn = (row: AccountRow) => row.secret !== null && usableForSsh(row)

/**
 * The account for each gateway: active, those that can sign in by SSH before others, privileged ones first, then the
 * latest.
 */
export async function gatewayAccountRows(
  ctx: Context,
  gatewayIds: readonly unknown[],
): Promise<Map<unknown, AccountRow>> {
  const best = new Map<unknown, AccountRow>()
  for (const some of batches(gatewayIds))
    for (const row of await findAll(ctx.acrossOrgs(), account, (query) =>
      query
        .where('t.asset_id', 'in', some as string[])
        .where('t.is_active', '=', true)
        .orderBy('t.privileged', 'desc')
        .orderBy('t.date_updated', 'desc'),
    )) {
      const known = best.get(row.asset_id)
      if (!known || (canSignIn(row) && !canSignIn(known))) best.set(row.asset_id, row)
    }
  return best
}

/** The account with which the worker signs in to a gateway; undefined when none can. */
export async function gatewayLogin(ctx: Context, gatewayId: string): Promise<LoginAccount | undefined> {
  const row = (await gatewayAccountRows(ctx, [gatewayId])).get(gatewayId)
  return row && canSignIn(row) ? openedAccount(ctx, row) : undefined
}

/** The same in wire form, with the secret only for a component, which signs in with it. */
export async function gatewayAccounts(ctx: Context, gatewayIds: readonly unknown[]): Promise<Map<unknown, StoredRow>> {
  const found = new Map<unknown, StoredRow>()
  const rows = await gatewayAccountRows(ctx, gatewayIds)
  // One that is held back must not keep components from all others.
  const held = await heldBack(ctx, [...rows.values()])
  const withheld = new Set([...rows.keys()].filter((_id, at) => held[at]))
  const secretOf = (id: unknown, row: AccountRow) => (withheld.has(id) ? '' : usedSecret(ctx, row, 'ssh'))
  for (const [id, row] of rows)
    found.set(id, {
      name: row.name,
      username: row.username,
      privileged: row.privileged,
      secret_type: secretTypeWire(ctx, row.secret_type),
      ...(ctx.caller?.isServiceAccount ? { secret: await secretOf(id, row) } : {}),
    })
  return found
}
