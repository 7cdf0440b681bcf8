import type { Change } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { accountPort } from './account-port.ts'
import { type AssetProtocol, protocolsOf } from './asset-protocols.ts'
import { gatewayPlatformId } from './platforms/platform.ts'

/** Assets of domains whose gateway is new or at another place: their connections are routed through it from now on. */
async function behindGateways(
  ctx: Context,
  changes: readonly Change[],
  isElsewhere: (change: Change) => boolean,
): Promise<string[]> {
  const platform = await gatewayPlatformId(ctx)
  const joined = changes.flatMap((change) =>
    change.row.platform_id === platform && change.row.domain_id && isElsewhere(change) ? [change.row.domain_id] : [],
  )
  if (joined.length === 0) return []
  const rows = await ctx.acrossOrganizations
    .selectFrom('assets_asset')
    .select('id')
    .where('domain_id', 'in', joined)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Throws 403 when changes redirect stored secrets of assets by address, port, network or gateway, and the caller may
 * not see those secrets.
 */
export async function checkRedirects(ctx: Context, changes: readonly Change[]): Promise<void> {
  const updates = changes.filter(({ before }) => before)
  const listed = updates.filter(({ values }) => values.protocols !== undefined)
  const known = await protocolsOf(
    ctx,
    listed.map(({ row }) => row.id),
  )
  const addsPort = ({ row, values }: Change) => {
    const before = new Set((known.get(row.id) ?? []).map(({ name, port }) => `${name}/${port}`))
    return ((values.protocols ?? []) as AssetProtocol[]).some(({ name, port }) => !before.has(`${name}/${port}`))
  }
  const isElsewhere = (change: Change) =>
    change.row.address !== change.before?.address ||
    change.row.domain_id !== change.before?.domain_id ||
    change.row.platform_id !== change.before?.platform_id ||
    addsPort(change)
  const moved = updates.filter(isElsewhere)
  const ids = [...moved.map(({ row }) => row.id), ...(await behindGateways(ctx, changes, isElsewhere))]
  if (ids.length > 0) await accountPort.use.demandRedirect(ctx, ids)
}
