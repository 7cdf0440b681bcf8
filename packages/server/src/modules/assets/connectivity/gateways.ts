import type { Message } from '@castellan/contract/messages'
import type { TableShape } from '../../../db/schema.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { AssetRow } from '../asset-fields.ts'
import { protocolsOf } from '../asset-protocols.ts'
import { gatewayPlatformId, platformsById } from '../platforms/platform.ts'

/** What has to be known of an asset to find the gateways before it. */
export type BehindGateways = Pick<AssetRow, 'id' | 'platform_id' | 'domain_id' | 'org_id'>

/** Gateways of a domain that are considered for one connection. */
const mostOffered = 8
const defaultPort = 22

/** How long each gateway took when it was last tested by the worker. */
export const gatewayTimeTable: TableShape = {
  name: 'assets_gatewaytime',
  columns: {
    gateway_id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
    /** Until a connection through it was open; null when it failed. */
    milliseconds: { type: 'integer', nullable: true },
    /** Why it failed: a `Message`; null otherwise. */
    reason: { type: 'json', nullable: true },
    date_tested: { type: 'timestamp' },
  },
  primaryKey: ['gateway_id'],
  unique: [],
  indexes: [],
}

export interface GatewayTime {
  milliseconds: number | null
  reason: Message | null
  date_tested: number
}

/** Replaces the result of a gateway's last test. */
export const storeGatewayTime = (ctx: Context, id: string, time: GatewayTime): Promise<void> =>
  ctx.transaction(async ({ rawDb }) => {
    await rawDb.deleteFrom('assets_gatewaytime').where('gateway_id', '=', id).execute()
    await rawDb
      .insertInto('assets_gatewaytime')
      .values({ gateway_id: id, ...time, reason: time.reason && JSON.stringify(time.reason) })
      .execute()
  })

/** The domain through whose gateways an asset is reached; null when its platform has none, and for gateways themselves. */
export async function domainOf(ctx: Context, asset: BehindGateways): Promise<{ id: string; name: string } | null> {
  const platform = (await platformsById(ctx)).get(asset.platform_id)
  // A gateway is reached directly, so that no domain can lead back to itself.
  if (!asset.domain_id || !platform?.domain_enabled || asset.platform_id === (await gatewayPlatformId(ctx))) return null
  const row = await ctx.acrossOrganizations
    .selectFrom('assets_domain')
    .select(['id', 'name'])
    .where('id', '=', asset.domain_id)
    .where('org_id', '=', asset.org_id)
    .executeTakeFirst()
  return row ?? null
}

export interface DomainGateway {
  id: string
  name: string
  address: string
  org_id: string
  connectivity: string
  is_active: boolean
  /** Its SSH port. */
  port: number
  /** Undefined: never tested. */
  time: GatewayTime | undefined
}

const rank = ({ connectivity }: DomainGateway) => ({ ok: 0, '-': 1 })[connectivity] ?? 2
const took = ({ time }: DomainGateway) => time?.milliseconds ?? Number.POSITIVE_INFINITY
const byExpectation = (a: DomainGateway, b: DomainGateway) =>
  rank(a) - rank(b) || (took(a) === took(b) ? 0 : took(a) - took(b)) || (a.name < b.name ? -1 : 1)

async function gatewaysWhere(
  ctx: Context,
  column: 'a.id' | 'a.domain_id',
  { id, org_id }: { id: string; org_id: string },
): Promise<DomainGateway[]> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('assets_asset as a')
    .leftJoin('assets_gatewaytime as t', 't.gateway_id', 'a.id')
    .select(['a.id', 'a.name', 'a.address', 'a.org_id', 'a.connectivity', 'a.is_active'])
    .select(['t.milliseconds', 't.reason', 't.date_tested'])
    .where(column, '=', id)
    .where('a.org_id', '=', org_id)
    .where('a.platform_id', '=', await gatewayPlatformId(ctx))
    .execute()
  const protocols = await protocolsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows
    .map(({ milliseconds, reason, date_tested, ...row }): DomainGateway => {
      const port = protocols.get(row.id)?.find(({ name }) => name === 'ssh')?.port
      const time =
        date_tested === null ? undefined : { milliseconds, date_tested, reason: reason && JSON.parse(reason) }
      return { ...row, port: port || defaultPort, time }
    })
    .sort(byExpectation)
}

/** All gateways of a domain, the most promising first: those that answered last time, the fastest of them first. */
export const gatewaysOfDomain = (ctx: Context, domain: { id: string; org_id: string }): Promise<DomainGateway[]> =>
  gatewaysWhere(ctx, 'a.domain_id', domain)

/** One gateway of the organization of the context, with or without a domain. */
export const gatewayById = async (ctx: Context, id: string): Promise<DomainGateway | undefined> =>
  (await gatewaysWhere(ctx, 'a.id', { id, org_id: ctx.orgId }))[0]

/**
 * The gateways that connections to an asset may use. None means that it is reached directly; undefined, that all are
 * switched off: its address would lead to another machine in this network, which must not get the credential.
 */
export async function usableGateways(
  ctx: Context,
  domain: { id: string; org_id: string },
): Promise<DomainGateway[] | undefined> {
  const gateways = await gatewaysOfDomain(ctx, domain)
  const active = gateways.filter(({ is_active }) => is_active)
  return active.length < gateways.length && active.length === 0 ? undefined : active.slice(0, mostOffered)
}

/** The gateway of a domain that was the fastest in the last tests; undefined when none has worked. */
export async function fastestGateway(
  ctx: Context,
  domain: { id: string; org_id: string },
): Promise<DomainGateway | undefined> {
  const [first] = (await usableGateways(ctx, domain)) ?? []
  return first?.connectivity === 'ok' && first.time?.milliseconds ? first : undefined
}
