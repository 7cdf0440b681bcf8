import { systemOrgId } from '@castellan/contract/ids'
import { appletLogs } from '@castellan/contract/messages/applet-logs'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, text } from '../../../kernel/module/errors.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { type AssetRow, asset, labelValuesOf, unconfirmedDestinations } from '../../assets/index.ts'
import { type Load, livingBeats, loadOf } from '../../terminal/index.ts'
import type { AppletRow } from '../applet.ts'
import { type HostRow, hostRows } from '../hosts/host-options.ts'
import { usageTable } from './usage.ts'

/** A host that could be used now. */
export interface UsableHost {
  asset: AssetRow
  host: HostRow
  load: Load
}

/** Names of the label that pins an asset to a host, in whichever language it was named. */
const labelNames = [...new Set(Object.values(appletLogs.host_label))]
const loadOrder: readonly Load[] = ['normal', 'high', 'critical']

/** Hosts with the applet that are switched on, and whose component is alive. */
async function usableHosts(ctx: Context, applet: AppletRow): Promise<UsableHost[]> {
  const published = ctx.rawDb
    .selectFrom('terminal_appletpublication')
    .select('host_id')
    .where('applet_id', '=', applet.id)
  const rows = await findAll(ctx, asset, (query) =>
    query.where('t.is_active', '=', true).where('t.id', 'in', published),
  )
  // Applications type the secrets of their targets: no host gets them that somebody put there who may not see them.
  const unconfirmed = await unconfirmedDestinations(
    ctx,
    rows.map(({ id }) => id),
  )
  const hosts = await hostRows(
    ctx,
    rows.map(({ id }) => id),
  )
  const beats = await livingBeats(ctx)
  return rows.flatMap((row) => {
    const host = hosts.get(row.id)
    const load = loadOf(host?.terminal_id ? beats.get(host.terminal_id) : undefined)
    return host && load !== 'offline' && !unconfirmed.has(row.id) ? [{ asset: row as AssetRow, host, load }] : []
  })
}

/** How many users each host is remembered by. */
async function usersOf(ctx: Context): Promise<Map<string, number>> {
  const rows = await ctx.rawDb
    .selectFrom(usageTable.name)
    .select(['host_id', (eb) => eb.fn.countAll().as('n')])
    .groupBy('host_id')
    .execute()
  return new Map(rows.map(({ host_id, n }) => [String(host_id), Number(n)]))
}

/**
 * The host for a user: the one that the target's label names, the one the user had last, or of the least loaded ones the
 * one with the fewest users. Throws 400 when there is none.
 */
export async function chooseHost(
  outer: Context,
  { applet, userId, assetId }: { applet: AppletRow; userId: string; assetId: string },
): Promise<UsableHost> {
  const ctx = outer.inOrg(systemOrgId)
  const usable = await usableHosts(ctx, applet)
  const names = new Set(await labelValuesOf(ctx, assetId, labelNames))
  const named = usable.find((one) => names.has(one.asset.name))
  if (named) return named
  if (names.size > 0) throw failureAs(400, 'error', text(appletLogs.pinned_host_away, { host: [...names].join(', ') }))
  const offered = usable.filter(({ host }) => host.auto_create_accounts)
  const last = await ctx.rawDb
    .selectFrom(usageTable.name)
    .select('host_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const remembered = offered.find(({ host, load }) => host.id === last?.host_id && load !== 'critical')
  if (remembered) return remembered
  const users = await usersOf(ctx)
  const rank = ({ host, load }: UsableHost) => loadOrder.indexOf(load) * 1_000_000 + (users.get(host.id) ?? 0)
  const [best] = offered.sort((a, b) => rank(a) - rank(b) || (a.asset.name < b.asset.name ? -1 : 1))
  if (!best) throw failureAs(400, 'error', text(appletLogs.no_host, { applet: applet.display_name }))
  return best
}
