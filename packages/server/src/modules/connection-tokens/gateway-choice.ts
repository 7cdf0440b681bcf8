import { randomInt } from 'node:crypto'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type { StoredRow } from '../../kernel/fields/field.ts'
import type { Context } from '../../kernel/module/context.ts'
import { permissionDenied, text } from '../../kernel/module/errors.ts'
import type { AccountRow } from '../accounts/index.ts'
import { gatewayAccountRows, secretToSend, secretTypeWire } from '../accounts/index.ts'
import { type DomainGateway, protocolsOf, usableGateways } from '../assets/index.ts'

/** A random one, preferably of those that were reachable last time. */
function oneOf(gateways: readonly DomainGateway[]): DomainGateway[] {
  const answering = gateways.filter(({ connectivity }) => connectivity === 'ok')
  const choice = answering.length > 0 ? answering : gateways
  const chosen = choice[choice.length > 1 ? randomInt(choice.length) : 0]
  return chosen ? [chosen] : []
}

/**
 * Active gateways of a domain with their accounts: one, or every one for components that choose themselves. Throws 403
 * when all of them are switched off.
 * @param opened collects the accounts whose secrets are opened
 */
export async function gatewaysOf(
  ctx: Context,
  domain: { id: string; name: string; org_id: string },
  { everyOne, opened }: { everyOne: boolean; opened: AccountRow[] },
): Promise<StoredRow[]> {
  const usable = await usableGateways(ctx, domain)
  if (!usable) throw permissionDenied(text(gatewayMessages.gatewaysDisabled, { domain: domain.name }))
  const gateways = everyOne ? usable : oneOf(usable)
  const ids = gateways.map(({ id }) => id)
  const accounts = await gatewayAccountRows(ctx, ids)
  const protocols = await protocolsOf(ctx, ids)
  const wires: StoredRow[] = []
  for (const { id, name, address } of gateways) {
    const best = accounts.get(id)
    if (best?.secret) opened.push(best)
    const account = best && {
      name: best.name,
      username: best.username,
      secret_type: secretTypeWire(ctx, best.secret_type),
      secret: await secretToSend(ctx, best, 'ssh'),
    }
    wires.push({ id, name, address, protocols: protocols.get(id) ?? [], account: account ?? null })
  }
  return wires
}
