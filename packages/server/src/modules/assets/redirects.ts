import type { Context } from '../../kernel/context.ts'
import type { Change } from '../../kernel/fields/index.ts'
import { accountPort } from './account-port.ts'
import { type AssetProtocol, protocolsOf } from './asset-protocols.ts'
import { gatewayPlatformId } from './platforms/platform.ts'

/** Assets of networks that a gateway joins: it may route their connections from now on. */
async function behindGateways(ctx: Context, changes: readonly Change[]): Promise<string[]> {
  const platform = await gatewayPlatformId(ctx)
  const joined = changes.flatMap(({ row, before }) =>
    row.platform_id === platform &&
    row.domain_id &&
    (before?.domain_id !== row.domain_id || before?.platform_id !== row.platform_id)
      ? [row.domain_id]
      : [],
  )
  if (joined.length === 0) return []
  const rows = await ctx.unscoped.selectFrom('assets_asset').select('id').where('domain_id', 'in', joined).execute()
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
  const moved = updates.filter(
    (change) =>
      change.row.address !== change.before?.address ||
      change.row.domain_id !== change.before?.domain_id ||
      change.row.platform_id !== change.before?.platform_id ||
      addsPort(change),
  )
  const ids = [...moved.map(({ row }) => row.id), ...(await behindGateways(ctx, changes))]
  if (ids.length > 0) await accountPort.use.demandRedirect(ctx, ids)
}
