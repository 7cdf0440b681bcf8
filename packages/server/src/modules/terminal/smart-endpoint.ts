import { defaultEndpointId } from '@castellan/contract/ids'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { inAddressGroup } from '../../db/addresses.ts'
import type { Context } from '../../kernel/context.ts'
import { failureAs, notAuthenticated, text as say } from '../../kernel/errors.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { normalUuid } from '../../kernel/fields/index.ts'
import { demand } from '../../kernel/permission.ts'
import { presentOne } from '../../kernel/read.ts'
import { findResource, type Resource } from '../../kernel/resource.ts'
import { defineRoute } from '../../kernel/route.ts'
import { findAll, findOne, getById } from '../../kernel/rows.ts'
import { type EndpointRow, endpoint, endpointRule } from './endpoint.ts'
import { session } from './session.ts'

const shared: Readonly<Record<string, string>> = { sftp: 'ssh_port', telnet: 'ssh_port' }

/** The port an endpoint has for a protocol; 0 when it has none. */
function portFor(row: EndpointRow, protocol: string): number {
  const value = (row as AnyRow)[shared[protocol] ?? `${protocol}_port`]
  return typeof value === 'number' ? value : 0
}

const serves = (row: EndpointRow, protocol: string) => row.id === defaultEndpointId || portFor(row, protocol) !== 0

/** The address of the asset a question is about; undefined when it names none. Throws 404 for one that is not there. */
async function addressAsked(ctx: Context, query: Readonly<Record<string, string>>, assetId: string | undefined) {
  if (query.target_ip) return query.target_ip
  const everywhere = ctx.acrossOrgs()
  const reported = query.session_id
    ? (await getById(everywhere, session, normalUuid(query.session_id) ?? '')).asset_id
    : undefined
  const id = assetId ?? query.asset_id ?? reported
  if (!id) return undefined
  const asset: AnyRow = await getById(everywhere, findResource('assets.asset'), normalUuid(id) ?? '')
  return String(asset.address ?? '')
}

/** The asset of a connection token that is still good; undefined for any other text. */
async function assetOfToken(ctx: Context, token: string | undefined): Promise<string | undefined> {
  const id = normalUuid(token)
  if (!id) return undefined
  const row = await ctx.unscoped
    .selectFrom('authentication_connectiontoken')
    .select(['asset_id', 'date_expired'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && Number(row.date_expired) > ctx.now ? row.asset_id : undefined
}

/** The endpoint of the first active rule that fits the address and has a port for the protocol, else the default one. */
async function choose(ctx: Context, protocol: string, address: string | undefined): Promise<EndpointRow> {
  const rules = await findAll(ctx, endpointRule, (query) =>
    query.where('t.is_active', '=', true).where('t.endpoint_id', 'is not', null).orderBy('t.priority', 'desc'),
  )
  const endpoints = new Map((await findAll(ctx, endpoint)).map((row) => [row.id, row]))
  for (const rule of rules) {
    const row = endpoints.get(rule.endpoint_id ?? '')
    if (row && serves(row, protocol) && inAddressGroup(address ?? '', rule.ip_group)) return row
  }
  const fallback = await findOne(ctx, endpoint, (query) => query.where('t.id', '=', defaultEndpointId))
  if (!fallback) throw failureAs(404, 'error', say(texts.endpoint_hosts_missing))
  return fallback
}

/** Host and port a client connects to for an asset and a protocol; the host of `origin` where the endpoint names none. */
export async function endpointFor(ctx: Context, protocol: string, address: string, origin: string) {
  const row = await choose(ctx, protocol, address)
  return {
    host: row.host || new URL(origin).hostname.replace(/^\[|\]$/g, ''),
    port: portFor(row, protocol),
  }
}

/** Which endpoint a client of an asset connects to with a protocol (terminal.md §8.3). */
export const smartEndpointRoute = defineRoute({
  method: 'GET',
  path: `${endpoint.url}smart/`,
  // Whoever holds a connection token may ask for it without being signed in; everybody else is checked below.
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
    const row = await choose(ctx, protocol, await addressAsked(ctx, request.query, byToken))
    const wire = await presentOne(ctx, endpoint as unknown as Resource, row)
    return {
      ...wire,
      host: row.host || new URL(request.origin).hostname.replace(/^\[|\]$/g, ''),
      oracle_port: portFor(row, protocol),
    }
  },
})
