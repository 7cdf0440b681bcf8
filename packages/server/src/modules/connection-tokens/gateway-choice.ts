import { randomInt } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { gatewayAccountRows, secretToSend, secretTypeWire } from '../accounts/index.ts'
import { gatewayPlatformName, type Platform, platformsById, protocolsOf } from '../assets/index.ts'

/** The domain of an asset, if its platform supports domains and it is not a gateway; otherwise null. */
export async function domainOf(ctx: Context, asset: AnyRow, platform: Platform): Promise<AnyRow | null> {
  if (!asset.domain_id || !platform.domain_enabled || platform.name === gatewayPlatformName) return null
  const row = await ctx.unscoped
    .selectFrom('assets_domain')
    .select(['id', 'name'])
    .where('id', '=', asset.domain_id)
    .executeTakeFirst()
  return row ?? null
}

/**
 * A random active gateway of a domain, preferably one that was reachable last time, with its account.
 * @param opened collects the account whose secret is opened
 */
export async function gatewayOf(ctx: Context, domainId: string, opened: AnyRow[]): Promise<AnyRow | null> {
  const platform = [...(await platformsById(ctx)).values()].find(({ name }) => name === gatewayPlatformName)
  const all = await ctx.unscoped
    .selectFrom('assets_asset')
    .select(['id', 'name', 'address', 'connectivity'])
    .where('domain_id', '=', domainId)
    .where('platform_id', '=', platform?.id ?? 0)
    .where('is_active', '=', true)
    .execute()
  const answering = all.filter(({ connectivity }) => connectivity === 'ok')
  const choice = answering.length > 0 ? answering : all
  const chosen = choice[choice.length > 1 ? randomInt(choice.length) : 0]
  if (!chosen) return null
  const best = (await gatewayAccountRows(ctx, [chosen.id])).get(chosen.id)
  if (best?.secret) opened.push(best)
  return {
    id: chosen.id,
    name: chosen.name,
    address: chosen.address,
    protocols: (await protocolsOf(ctx, [chosen.id])).get(chosen.id) ?? [],
    account: best
      ? {
          name: best.name,
          username: best.username,
          secret_type: secretTypeWire(ctx, best.secret_type),
          secret: await secretToSend(ctx, best, 'ssh'),
        }
      : null,
  }
}
