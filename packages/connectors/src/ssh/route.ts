import type { Duplex } from 'node:stream'
import type ssh2 from 'ssh2'
import type { FastestGateway } from './fastest-gateway.ts'
import { connectGateway, type SshGateway } from './gateway.ts'
import { gatherChannelWrites, gatherWrites } from './gather-writes.ts'
import type { HostKeyVerifier } from './host-key.ts'
import { openTcp } from './tcp.ts'
import { openThrough } from './tunnel.ts'

/** A domain's way to its assets. Without gateways, assets are reached directly. */
export interface GatewayDomain {
  id: string
  gateways: readonly SshGateway[]
}

export interface RouteRequest {
  host: string
  port: number
  domain: GatewayDomain | undefined
  /** Judges the host keys of gateways; the target's own is judged by whoever speaks SSH through the route. */
  verifierOf: (gateway: SshGateway) => HostKeyVerifier
  signal?: AbortSignal | undefined
}

/** A byte stream to a port of a target, for any protocol. */
export interface Route {
  stream: Duplex
  /** The gateway it leads through; undefined for a direct connection. */
  gateway: SshGateway | undefined
  /** The connection to the gateway has ended, and with it the stream. */
  isGatewayLost(): boolean
  /** Ends the stream and the connection to the gateway under it. */
  end(): void
}

interface Tunnel {
  client: ssh2.Client
  stream: ssh2.ClientChannel
}

const closeTunnel = ({ client, stream }: Tunnel) => {
  stream.destroy()
  client.end()
}

/**
 * Opens a route, through the fastest gateway of the domain if there is one. Rejects with a `ConnectError` of a direct
 * connection, or with `GatewaysFailed`.
 */
export async function openRoute(fastest: FastestGateway, request: RouteRequest): Promise<Route> {
  const { host, port, domain, verifierOf, signal } = request
  if (!domain || domain.gateways.length === 0) {
    const stream = gatherWrites(await openTcp(host, port, signal))
    return { stream, gateway: undefined, isGatewayLost: () => false, end: () => stream.destroy() }
  }
  const attempt = async (gateway: SshGateway, ended: AbortSignal): Promise<Tunnel> => {
    const client = await connectGateway(gateway, verifierOf(gateway), ended)
    try {
      return { client, stream: gatherChannelWrites(await openThrough(client, host, port)) }
    } catch (error) {
      client.end()
      throw error
    }
  }
  const { gateway, opened } = await fastest.open(domain.id, domain.gateways, attempt, closeTunnel, signal)
  let isLost = false
  const lost = () => {
    isLost = true
    opened.stream.destroy()
  }
  // ssh2 reports the end of a connection before that of its channels, so the reason is known when the stream closes.
  opened.client.once('end', lost).once('close', lost)
  return { stream: opened.stream, gateway, isGatewayLost: () => isLost, end: () => closeTunnel(opened) }
}
