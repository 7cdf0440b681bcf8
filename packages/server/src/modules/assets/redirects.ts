import { assetsMessages } from '@castellan/contract/messages/assets'
import { batches } from '../../db/batches.ts'
import type { Change, StoredRow } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../kernel/module/context.ts'
import { permissionDenied, text as say } from '../../kernel/module/errors.ts'
import { accountPort } from './account-port.ts'
import { assetKinds } from './asset-kinds.ts'
import { type AssetProtocol, protocolsOf } from './asset-protocols.ts'
import { shownDetails } from './custom-info.ts'
import { gatewayPlatformId } from './platforms/platform.ts'
import { confirmDecisions, mayDecideDestinations, noteDecision } from './unconfirmed.ts'

/** Details of a category that decide to whom a secret is shown: certificates, proxies, and the steps of a sign-in page. */
const leading = [
  ...(['use_ssl', 'ca_cert', 'client_cert', 'allow_invalid_cert', 'proxy'] as const),
  ...(['autofill', 'username_selector', 'password_selector', 'submit_selector', 'script'] as const),
]

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

function leadsElsewhere({ before, values }: Change): boolean {
  const stored = objectOf(before?.spec)
  const fields = assetKinds[before?.category as keyof typeof assetKinds]?.fields ?? {}
  return leading.some((name) => name in values && !same(values[name], stored[name] ?? fields[name]?.default ?? ''))
}

/** Whether an asset keeps a secret of its own, which goes where its accounts' secrets go. */
const keepsOwnSecret = ({ before }: Change): boolean =>
  Boolean(before?.client_key) || (before !== undefined && !same(shownDetails(before), before.spec ?? {}))

/** The assets of domains that are reached through their gateways, or directly without any. */
export async function assetsBehind(ctx: Context, domainIds: readonly unknown[]): Promise<string[]> {
  const found: string[] = []
  const platform = await gatewayPlatformId(ctx)
  for (const some of batches([...new Set(domainIds)]))
    found.push(
      ...(
        await ctx.acrossOrganizations
          .selectFrom('assets_asset')
          .select('id')
          .where('domain_id', 'in', some)
          .where('platform_id', '!=', platform)
          .execute()
      ).map(({ id }) => String(id)),
    )
  return found
}

/** Domains that a gateway is new in, is at another place in, or has left: their assets are reached in another way. */
async function changedDomains(ctx: Context, changes: readonly Change[], isElsewhere: (change: Change) => boolean) {
  const platform = await gatewayPlatformId(ctx)
  return changes.flatMap((change) => {
    const { row, before } = change
    const domainOf = (one: StoredRow | undefined) =>
      one?.platform_id === platform && one.domain_id ? [one.domain_id] : []
    return isElsewhere(change) ? [...domainOf(row), ...domainOf(before)] : []
  })
}

/**
 * The one decision about changes of where secrets are sent. Throws 403 when stored secrets of assets would be sent
 * elsewhere (by address, port, network, gateway or the way of signing in), and the caller may not see these secrets. Where
 * nothing is stored yet, the change is remembered, so that no secret that comes later follows it unconfirmed.
 */
export async function decideRedirect(ctx: Context, assetIds: readonly unknown[], keepsSecret = false): Promise<void> {
  if (assetIds.length === 0) return
  await accountPort.use.demandRedirect(ctx, assetIds, keepsSecret)
  await noteDecision(ctx, assetIds, 'destination')
}

/** Decides about the changes of existing assets; new ones are marked once they are stored. */
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
    addsPort(change) ||
    leadsElsewhere(change)
  const moved = updates.filter(isElsewhere)
  await decideRedirect(
    ctx,
    moved.map(({ row }) => row.id),
    moved.some(keepsOwnSecret),
  )
  // A new gateway has a mark of its own; assets whose gateway left or moved are marked themselves.
  const behind = await assetsBehind(ctx, await changedDomains(ctx, changes, isElsewhere))
  await decideRedirect(ctx, behind)
  // Whoever may see the secrets and saves the address has seen where they go.
  const confirmed = updates.flatMap(({ row, values }) => (values.address !== undefined ? [row.id] : []))
  await confirmDecisions(ctx, confirmed, 'destination')
}

/** Decides about the removal of gateways: what was reached through them is reached in another way. */
export async function checkGatewayRemoval(ctx: Context, rows: readonly StoredRow[]): Promise<void> {
  const platform = await gatewayPlatformId(ctx)
  const left = rows.flatMap(({ platform_id, domain_id }) => (platform_id === platform && domain_id ? [domain_id] : []))
  if (left.length > 0) await decideRedirect(ctx, await assetsBehind(ctx, left))
}

/** Decides about platforms whose assets are reached in another way, or get their secrets in other commands. */
export async function checkPlatformRedirects(
  ctx: Context,
  { rerouted, reworded }: { rerouted: readonly unknown[]; reworded: readonly unknown[] },
): Promise<void> {
  if (reworded.length > 0 && !mayDecideDestinations(ctx))
    throw permissionDenied(say(assetsMessages.commands_need_right))
  for (const some of batches(rerouted)) {
    const rows = await ctx.acrossOrganizations
      .selectFrom('assets_asset')
      .select('id')
      .where('platform_id', 'in', some)
      .where('domain_id', 'is not', null)
      .execute()
    await decideRedirect(
      ctx,
      rows.map(({ id }) => id),
    )
  }
}
