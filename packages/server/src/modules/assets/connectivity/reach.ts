import type { Duplex } from 'node:stream'
import {
  connectSsh,
  type FailedGateway,
  FastestGateway,
  GatewaysFailed,
  gatewaysReason,
  type HostKeyVerifier,
  openRoute,
  type Route,
  type SshGateway,
} from '@castellan/connectors/ssh'
import { type ConnectError, connectReason } from '@castellan/contract/connect-reasons'
import { say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type ssh2 from 'ssh2'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { unseenCharacters } from '../../../kernel/fields/scalars.ts'
import { JobFailure } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError } from '../../../kernel/module/errors.ts'
import { perInstallation } from '../../../kernel/module/per-installation.ts'
import { type AccountPort, accountPort, type LoginAccount } from '../account-port.ts'
import type { AssetRow } from '../asset-fields.ts'
import { protocolsOf } from '../asset-protocols.ts'
import { type BehindGateways, type DomainGateway, domainOf, usableGateways } from './gateways.ts'
import { isPinned, verifyHostKey } from './host-key-routes.ts'

/** Accounts SSH can use. */
export const usableForSsh: Parameters<AccountPort['login']>[2] = ({ secret_type }) =>
  secret_type === 'password' || secret_type === 'ssh_key'

/** We ourselves do not go on; the message is for users, in their language. */
class ReachRefusal extends JobFailure {}

/** Judges a target's host key by what is pinned for it; a changed key is an error with both fingerprints. */
export const hostKeyVerifierFor =
  (ctx: Context, assetId: string, port: number): HostKeyVerifier =>
  async (shown) => {
    // Most hosts show what is pinned, which nothing has to be written for.
    if (await isPinned(ctx, { asset: assetId, port, ...shown })) return
    const verdict = await ctx.transaction((inside) => verifyHostKey(inside, { asset: assetId, port, ...shown }))
    if (verdict.status === 'mismatch')
      throw new ReachRefusal(
        'host_key_changed',
        say(taskLogs.host_key_changed, ctx.language, {
          expected: verdict.expected?.fingerprint ?? '',
          shown: shown.fingerprint,
        }),
      )
  }

export async function sshPortOf(ctx: Context, assetId: string): Promise<number | undefined> {
  return (await protocolsOf(ctx, [assetId])).get(assetId)?.find(({ name }) => name === 'ssh')?.port
}

/** What has to be known of an asset to reach it. */
export type Target = BehindGateways & Pick<AssetRow, 'name' | 'address'>

/** The worker's preferred gateways. */
const fastestOf = perInstallation(() => new FastestGateway())

/** Connections of the worker use this gateway first from now on. */
export const preferGateway = (ctx: Context, domainId: string, gatewayId: string): void =>
  fastestOf(ctx.services).prefer(domainId, gatewayId)

/** A gateway as the connector takes it; its secret is opened when it is tried. */
export const sshGateway = (ctx: Context, gateway: DomainGateway): SshGateway => ({
  ...gateway,
  openCredential: () => accountPort.use.gatewayLogin(ctx.inOrg(gateway.org_id), gateway.id),
})

/** A byte stream to a port of an asset, through a gateway of its domain when there is one. */
export async function reach(ctx: Context, asset: Target, port: number, signal?: AbortSignal): Promise<Route> {
  const domain = await domainOf(ctx, asset)
  const gateways = domain ? await usableGateways(ctx, { ...domain, org_id: asset.org_id }) : []
  if (!gateways)
    throw new ReachRefusal(
      gatewayFailed,
      say(gatewayMessages.gatewaysDisabled, ctx.language, { domain: domain?.name ?? '' }),
    )
  return openRoute(fastestOf(ctx.services), {
    host: asset.address,
    port,
    domain: domain ? { id: domain.id, gateways: gateways.map((gateway) => sshGateway(ctx, gateway)) } : undefined,
    verifierOf: (gateway) => hostKeyVerifierFor(ctx, gateway.id, gateway.port),
    signal,
  })
}

/** Says which gateway a way led through; nothing when there was none. */
export const viaOf = (ctx: Context, gateway: string | undefined): string =>
  gateway === undefined ? '' : say(taskLogs.through, ctx.language, { gateway })

/** Every invisible character of a text, and what of it logs and records show. A target chooses some of these words. */
const unseen = new RegExp(unseenCharacters, 'gu')
const longestReason = 300
const printable = (text: string) => text.replace(unseen, ' ').slice(0, longestReason)

/** Codes of connection errors, for records of automations. */
function codeOf({ code, level }: ConnectError): string {
  if (level === 'client-authentication') return 'auth_failed'
  if (level === 'client-timeout' || code === 'ETIMEDOUT') return 'timeout'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknown_host'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'unreachable'
  return 'failed'
}

/**
 * Why work on a target failed: a code, and the reason in the language of the work; what a program said of it stands
 * behind.
 */
export function failureOf(ctx: Context, error: unknown): { code: string; message: string } {
  if (error instanceof JobFailure) return { code: error.code, message: error.message }
  if (error instanceof GatewaysFailed) return gatewaysFailure(ctx, error.failed)
  // Not the target failed, but what the work needs of this installation, such as the vault of its secrets.
  if (error instanceof ApiError) {
    const { code, detail } = objectOf(error.body(ctx.language))
    if (typeof detail === 'string') return { code: String(code), message: detail }
  }
  const known: ConnectError = error instanceof Error ? error : new Error(String(error))
  return { code: codeOf(known), message: `${say(connectReason(known), ctx.language)} (${printable(known.message)})` }
}

/** Code of failures that are those of a gateway, not of the asset behind it. */
export const gatewayFailed = 'gateway_failed'

const gatewayLost = (ctx: Context, { name }: SshGateway, cause: unknown) =>
  new JobFailure(gatewayFailed, say(taskLogs.gateway_lost, ctx.language, { gateway: name }), { cause })

/** A changed host key needs an administrator, so it is not hidden behind the failures of other gateways. */
function gatewaysFailure(ctx: Context, failed: readonly FailedGateway<SshGateway>[]) {
  const { language } = ctx
  const refused = failed.find(({ error }) => error instanceof JobFailure)
  const named = refused && { name: refused.gateway.name, reason: (refused.error as JobFailure).message }
  const message = named ? say(gatewayMessages.reasonGateway, language, named) : say(gatewaysReason(failed), language)
  return { code: gatewayFailed, message }
}

/**
 * Lends fresh byte streams to a port of an asset, through a gateway of its domain when there is one, and ends all of them
 * afterwards. An error behind a gateway that was lost is the gateway's.
 */
export async function withDial<T>(
  ctx: Context,
  asset: Target,
  port: number,
  signal: AbortSignal,
  use: (dial: () => Promise<Duplex>, via: () => string | undefined) => Promise<T>,
): Promise<T> {
  const routes: Route[] = []
  const dial = async () => {
    const route = await reach(ctx, asset, port, signal)
    routes.push(route)
    return route.stream
  }
  try {
    return await use(dial, () => routes.at(-1)?.gateway?.name)
  } catch (error) {
    const lost = routes.find((route) => route.gateway && route.isGatewayLost())?.gateway
    throw lost ? gatewayLost(ctx, lost, error) : error
  } finally {
    for (const route of routes) route.end()
  }
}

/**
 * Tries an account on an asset by SSH, hands the signed-in client to `use`, and ends everything afterwards, or as soon
 * as `signal` is aborted: what was found by then says nothing about the asset.
 */
export function withSsh<T>(
  ctx: Context,
  asset: Target,
  port: number,
  account: LoginAccount,
  signal: AbortSignal,
  use: (client: ssh2.Client, via: string | undefined) => Promise<T>,
): Promise<T> {
  return withDial(ctx, asset, port, signal, async (dial, via) => {
    const verifyHostKey = hostKeyVerifierFor(ctx, asset.id, port)
    const client = await connectSsh({ stream: await dial(), credential: account, verifyHostKey, signal })
    try {
      return await use(client, via())
    } finally {
      client.end()
    }
  })
}
