import { defaultEndpointId } from '@castellan/contract/ids'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { inAddressGroup } from '../../../db/addresses.ts'
import { normalUuid, type StoredRow } from '../../../kernel/fields/index.ts'
import { defineRoute } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, notAuthenticated, text as say } from '../../../kernel/module/errors.ts'
import { findAll, findOne, getById } from '../../../kernel/resource/repository.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { serializeOne } from '../../../kernel/resource/serialize.ts'
import { demand } from '../../../kernel/security/permission.ts'
import { session } from '../sessions/session.ts'
import { type EndpointRow, endpoint, endpointRule } from './endpoint.ts'
import { listenPortOf } from './listen-ports.ts'

const shared: Readonly<Record<string, string>> = { sftp: 'ssh_port', telnet: 'ssh_port' }

/** The target of a client: an asset, or only an address. */
interface Target {
  assetId?: string
  address: string
}

/** How a target is asked for: the port of Oracle's clients depends on the database, not on the endpoint. */
interface Wish {
  protocol: string
  oraclePort: number
}

const wishFor = async (ctx: Context, protocol: string, { assetId }: Target): Promise<Wish> => ({
  protocol,
  oraclePort: protocol === 'oracle' && assetId ? await listenPortOf(ctx, assetId) : 0,
})

/** The port an endpoint has for a protocol; 0 when it has none. */
function portFor(row: EndpointRow, { protocol, oraclePort }: Wish): number {
  if (protocol === 'oracle') return oraclePort
  const value = (row as StoredRow)[shared[protocol] ?? `${protocol}_port`]
  return typeof value === 'number' ? value : 0
}

const serves = (row: EndpointRow, wish: Wish) => row.id === defaultEndpointId || portFor(row, wish) !== 0

/** The target in a request; empty when it names no asset. Throws 404 when the asset does not exist. */
async function targetAsked(
  ctx: Context,
  query: Readonly<Record<string, string>>,
  assetId: string | undefined,
): Promise<Target> {
  const everywhere = ctx.acrossOrgs()
  const reported = query.session_id
    ? (await getById(everywhere, session, normalUuid(query.session_id) ?? '')).asset_id
    : undefined
  const id = assetId ?? query.asset_id ?? reported
  if (!id) return { address: query.target_ip ?? '' }
  const asset = await getById(everywhere, findResource('assets.asset'), normalUuid(id) ?? '')
  return { assetId: asset.id, address: query.target_ip || String(asset.address ?? '') }
}

/** The asset of a valid connection token; undefined for any other text. */
async function assetOfToken(ctx: Context, token: string | undefined): Promise<string | undefined> {
  const id = normalUuid(token)
  if (!id) return undefined
  const row = await ctx.rawDb
    .selectFrom('authentication_connectiontoken')
    .select(['asset_id', 'date_expired'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && Number(row.date_expired) > ctx.now ? row.asset_id : undefined
}

/** Labels of this name assign an asset to the endpoint in their value. */
const labelName = 'endpoint'

/** The endpoint named by the asset's labels that has a port for the protocol, the last changed first. */
async function labelled(ctx: Context, wish: Wish, assetId: string): Promise<EndpointRow | undefined> {
  const labels = await ctx.acrossOrganizations
    .selectFrom('assets_asset_labels as m')
    .innerJoin('assets_label as l', 'l.id', 'm.label_id')
    .select('l.value')
    .where('m.asset_id', '=', assetId)
    .where('l.name', '=', labelName)
    .where('l.is_active', '=', true)
    .execute()
  if (labels.length === 0) return undefined
  const names = labels.map(({ value }) => value)
  const rows = await findAll(ctx, endpoint, (query) =>
    query.where('t.name', 'in', names).orderBy('t.date_updated', 'desc').orderBy('t.id'),
  )
  return rows.find((row) => serves(row, wish))
}

/**
 * The endpoint named by the asset's labels, else that of the first active rule that matches the address and has a port
 * for the protocol, else the default one.
 */
async function choose(ctx: Context, wish: Wish, { assetId, address }: Target): Promise<EndpointRow> {
  const named = assetId ? await labelled(ctx, wish, assetId) : undefined
  if (named) return named
  const rules = await findAll(ctx, endpointRule, (query) =>
    query.where('t.is_active', '=', true).where('t.endpoint_id', 'is not', null).orderBy('t.priority', 'desc'),
  )
  const endpoints = new Map((await findAll(ctx, endpoint)).map((row) => [row.id, row]))
  for (const rule of rules) {
    const row = endpoints.get(rule.endpoint_id ?? '')
    if (row && serves(row, wish) && inAddressGroup(address, rule.ip_group)) return row
  }
  const fallback = await findOne(ctx, endpoint, (query) => query.where('t.id', '=', defaultEndpointId))
  if (!fallback) throw failureAs(404, 'error', say(texts.endpoint_hosts_missing))
  return fallback
}

/** The host of an endpoint; that of `origin` if it has none. */
const hostOf = ({ host }: EndpointRow, origin: string) => host || new URL(origin).hostname.replace(/^\[|\]$/g, '')

/** Host and port for a target and a protocol; the host of `origin` if the endpoint has none. */
export async function endpointFor(ctx: Context, protocol: string, target: Target, origin: string) {
  const wish = await wishFor(ctx, protocol, target)
  const row = await choose(ctx, wish, target)
  return {
    host: hostOf(row, origin),
    port: portFor(row, wish),
  }
}

/** The endpoint for clients of an asset and a protocol. */
export const smartEndpointRoute = defineRoute({
  method: 'GET',
  path: `${endpoint.url}smart/`,
  // The holder of a connection token needs no sign-in; other callers are checked below.
  requires: 'public',
  describes: endpoint.url,
  summary: 'The endpoint for a protocol and an asset',
  async handle({ ctx, request }) {
    const { protocol, token } = request.query
    const byToken = await assetOfToken(ctx, token)
    if (!byToken) {
      if (!ctx.caller) throw notAuthenticated()
      demand(ctx, 'valid')
    }
    if (!protocol) throw failureAs(404, 'error', say(texts.protocol_missing))
    const target = await targetAsked(ctx, request.query, byToken)
    const wish = await wishFor(ctx, protocol, target)
    const row = await choose(ctx, wish, target)
    const wire = await serializeOne(ctx, endpoint, row)
    return {
      ...wire,
      host: hostOf(row, request.origin),
      oracle_port: portFor(row, wish),
    }
  },
})
