import { randomInt } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { connectSsh, type HostKeyVerifier, openTcp, openThrough } from '@castellan/connectors/ssh'
import { connectReason } from '@castellan/contract/connect-reasons'
import { say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type ssh2 from 'ssh2'
import type { Context } from '../../../kernel/context.ts'
import type { AnyRow } from '../../../kernel/fields/index.ts'
import { type AccountPort, accountPort, type LoginAccount } from '../account-port.ts'
import { protocolsOf } from '../asset-protocols.ts'
import { gatewayPlatformId, platformsById } from '../platforms/platform.ts'
import { verifyHostKey } from './host-key-routes.ts'

/** Accounts SSH can use. */
export const usableForSsh: Parameters<AccountPort['login']>[2] = ({ secret_type }) =>
  secret_type === 'password' || secret_type === 'ssh_key'

/** We ourselves do not go on; the message is for people, in their language. */
class ReachRefusal extends Error {}

/** Judges a target's host key by what is pinned for it; a changed key is an error with both fingerprints. */
export const hostKeyVerifierFor =
  (ctx: Context, assetId: string, port: number): HostKeyVerifier =>
  async (shown) => {
    const verdict = await ctx.transaction((inside) => verifyHostKey(inside, { asset: assetId, port, ...shown }))
    if (verdict.status === 'mismatch')
      throw new ReachRefusal(
        say(taskLogs.host_key_changed, ctx.language, {
          expected: verdict.expected?.fingerprint ?? '',
          shown: shown.fingerprint,
        }),
      )
  }

export async function sshPortOf(ctx: Context, assetId: string): Promise<number | undefined> {
  return (await protocolsOf(ctx, [assetId])).get(assetId)?.find(({ name }) => name === 'ssh')?.port
}

/** The gateway an asset is reached through: one that worked, else any active one of its domain; none for gateways themselves. */
export async function gatewayOf(ctx: Context, asset: AnyRow): Promise<AnyRow | undefined> {
  const platform = (await platformsById(ctx)).get(asset.platform_id)
  const gatewayId = await gatewayPlatformId(ctx)
  if (!asset.domain_id || !platform?.domain_enabled || asset.platform_id === gatewayId) return undefined
  const rows = await ctx.unscoped
    .selectFrom('assets_asset')
    .selectAll()
    .where('domain_id', '=', asset.domain_id)
    .where('platform_id', '=', gatewayId)
    .where('is_active', '=', true)
    .execute()
  const working = rows.filter(({ connectivity }) => connectivity === 'ok')
  const choice = working.length > 0 ? working : rows
  return choice.length > 0 ? choice[randomInt(choice.length)] : undefined
}

/** Signs in to a gateway with its own best account. */
export async function signInToGateway(
  ctx: Context,
  gateway: AnyRow,
  signal?: AbortSignal,
): Promise<{ client: ssh2.Client; account: LoginAccount }> {
  const port = (await sshPortOf(ctx, gateway.id)) ?? 22
  const account = await accountPort.use.login(ctx.inOrg(gateway.org_id), gateway.id, usableForSsh)
  if (!account) throw new ReachRefusal(say(taskLogs.gateway_without_account, ctx.language, { gateway: gateway.name }))
  const stream = await openTcp(gateway.address, port, signal)
  const client = await connectSsh({
    stream,
    credential: account,
    verifyHostKey: hostKeyVerifierFor(ctx, gateway.id, port),
    signal,
  })
  return { client, account }
}

export interface Reached {
  stream: Duplex
  /** Ends the stream and the gateway's connection under it. */
  end(): void
  via: string | undefined
}

/** A byte stream to a port of an asset, through a gateway of its domain when there is one. */
export async function reach(ctx: Context, asset: AnyRow, port: number, signal?: AbortSignal): Promise<Reached> {
  const gateway = await gatewayOf(ctx, asset)
  if (!gateway) {
    const stream = await openTcp(asset.address, port, signal)
    return { stream, end: () => stream.destroy(), via: undefined }
  }
  const { client } = await signInToGateway(ctx, gateway, signal)
  try {
    const stream = await openThrough(client, asset.address, port)
    return {
      stream,
      end: () => {
        stream.destroy()
        client.end()
      },
      via: gateway.name,
    }
  } catch (error) {
    client.end()
    throw error
  }
}

/** Says which gateway a way led through; nothing when there was none. */
export const viaOf = (ctx: Context, gateway: string | undefined): string =>
  gateway === undefined ? '' : say(taskLogs.through, ctx.language, { gateway })

/** Why a target was not reached, in the language of the work; what a program said of it stands behind. */
export function reasonOf(ctx: Context, error: unknown): string {
  if (error instanceof ReachRefusal) return error.message
  const known = error instanceof Error ? error : new Error(String(error))
  return `${say(connectReason(known), ctx.language)} (${known.message})`
}

/**
 * Tries an account on an asset by SSH, hands the signed-in client to `use`, and ends everything afterwards, or as soon
 * as `signal` is aborted: what was found by then says nothing about the asset.
 */
export async function withSsh<T>(
  ctx: Context,
  asset: AnyRow,
  port: number,
  account: LoginAccount,
  signal: AbortSignal,
  use: (client: ssh2.Client, via: string | undefined) => Promise<T>,
): Promise<T> {
  const reached = await reach(ctx, asset, port, signal)
  let client: ssh2.Client | undefined
  try {
    const verifyHostKey = hostKeyVerifierFor(ctx, asset.id, port)
    client = await connectSsh({ stream: reached.stream, credential: account, verifyHostKey, signal })
    return await use(client, reached.via)
  } finally {
    client?.end()
    reached.end()
  }
}
