import {
  connectSsh,
  type FailedGateway,
  type GatewayDomain,
  GatewaysFailed,
  gatewaysReason,
  openedInTime,
  openRoute,
  type Route,
  reasonOfGateway,
  type ShownHostKey,
  type SshCredential,
  type SshGateway,
} from '@castellan/connectors/ssh'
import { type ConnectError, connectReason } from '@castellan/contract/connect-reasons'
import { type Message, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import { log } from '../log.ts'
import { type Grant, type GrantGateway, plain } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { verifyHostKey } from './host-keys.ts'
import { SessionDenied } from './session-denied.ts'
import { switchedFrom } from './switch-user.ts'

/** An authenticated connection to a target; ending it also ends the one to its gateway. */
export interface Target {
  client: ssh2.Client
  /** Display form of the gateway the connection leads through; undefined for a direct one. */
  gateway: string | undefined
  /** Why the connection has ended, if it was the gateway. */
  gatewayLost(): SessionDenied | undefined
  end(): void
}

interface Credential {
  username: string
  secretType: string
  secret: string | null | undefined
  passphrase?: string | null | undefined
}

/** Port of the first protocol that is there, in order of wish. */
function portOf(protocols: { name: string; port: number }[], names: string[]): number {
  for (const name of names) {
    const found = protocols.find((protocol) => protocol.name === name)
    if (found && found.port > 0) return found.port
  }
  return 22
}

/** The account for the sign-in: the one switched from, where the platform requires it. */
function signInAccount(grant: Grant): Credential {
  const from = switchedFrom(grant)
  if (from) return { username: from.username, secretType: plain(from.secret_type), secret: from.secret }
  const { username, secret_type, secret, passphrase } = grant.account
  return { username, secretType: plain(secret_type), secret, passphrase }
}

/**
 * Opens the target of a grant with its credential, through a gateway of its domain if it has any. Throws
 * `SessionDenied` with the reason; a credential is sent only after the host key was verified.
 */
export async function openTarget(broker: Pick<Broker, 'api' | 'fastest'>, grant: Grant): Promise<Target> {
  const { api, fastest } = broker
  const { address } = grant.asset
  const name = `${grant.asset.name}(${address})`
  const port = portOf(grant.asset.protocols, [grant.protocol, 'ssh', 'sftp'])
  const credential = usable(signInAccount(grant))
  if (!credential) throw connectFailed(name, gatewayMessages.reasonNoSecret)
  const verifierOf = (gateway: SshGateway) => {
    const place = { asset: gateway.id, name: gateway.name, port: gateway.port }
    return (shown: ShownHostKey) => verifyHostKey(api, place, shown)
  }
  let route: Route | undefined
  try {
    route = await openRoute(fastest, { host: address, port, domain: domainOf(grant), verifierOf })
    const place = { asset: grant.asset.id, name, port }
    const client = await connectSsh({
      stream: route.stream,
      credential,
      verifyHostKey: (shown) => verifyHostKey(api, place, shown),
    })
    client.on('error', (late) => log.debug({ detail: late.message }, 'target connection'))
    return targetOf(client, route, name)
  } catch (error) {
    route?.end()
    if (route?.isGatewayLost() && route.gateway) throw gatewayLost(route.gateway, name)
    throw notOpened(name, error)
  }
}

function targetOf(client: ssh2.Client, route: Route, name: string): Target {
  const { gateway } = route
  return {
    client,
    gateway: gateway && `${gateway.name}(${gateway.address})`,
    gatewayLost: () => (gateway && route.isGatewayLost() ? gatewayLost(gateway, name) : undefined),
    end() {
      client.end()
      // A target that does not close in time is disconnected.
      setTimeout(() => {
        client.destroy()
        route.end()
      }, 2000).unref()
      client.once('close', () => route.end())
    },
  }
}

/** The gateways of a grant's domain; undefined when the target is reached directly. */
function domainOf({ domain, gateway, gateways }: Grant): GatewayDomain | undefined {
  const offered = gateways ?? (gateway ? [gateway] : [])
  if (!domain || offered.length === 0) return undefined
  return { id: domain.id, gateways: offered.map(sshGateway) }
}

const sshGateway = ({ id, name, address, protocols, account }: GrantGateway): SshGateway => ({
  id,
  name,
  address,
  port: portOf(protocols, ['ssh']),
  openCredential: async () => (account ? usable({ ...account, secretType: plain(account.secret_type) }) : undefined),
})

const usable = ({ username, secretType, secret, passphrase }: Credential): SshCredential | undefined =>
  username && secret ? { username, secretType, secret, passphrase } : undefined

function gatewayLost({ name }: SshGateway, asset: string): SessionDenied {
  return new SessionDenied('connect_failed', gatewayMessages.gatewayLost, { name, asset })
}

function notOpened(name: string, error: unknown): SessionDenied {
  if (error instanceof SessionDenied) return error
  if (!(error instanceof GatewaysFailed)) return connectFailed(name, connectReason(error as ConnectError), error)
  const failed = error.failed as readonly FailedGateway<SshGateway>[]
  // A changed host key needs an administrator, so it is not hidden behind the failures of others.
  const changed = failed.find((one) => one.error instanceof SessionDenied && one.error.reason === 'host_key_mismatch')
  if (changed) return changed.error as SessionDenied
  for (const { gateway, error: cause } of failed)
    log.warn({ err: cause, gateway: gateway.id }, 'a gateway of a domain failed')
  const reasonOf = (cause: unknown) =>
    cause instanceof SessionDenied ? gatewayMessages.reasonHostKeyUnverified : reasonOfGateway(cause)
  return connectFailed(name, gatewaysReason(failed, reasonOf), error)
}

const connectFailed = (asset: string, reason: Message, cause?: unknown) =>
  new SessionDenied('connect_failed', textsOf(asset, reason), {}, { cause })

/** A channel of a target; a target that does not answer denies the session. Other errors are the target's own. */
export const openChannel = <Channel>(
  asset: string,
  ask: (done: (error: Error | undefined, channel: Channel) => void) => void,
): Promise<Channel> =>
  openedInTime(ask).catch((error: ConnectError) =>
    Promise.reject(error.code === 'ETIMEDOUT' ? connectFailed(asset, gatewayMessages.reasonTimeout) : error),
  )

/** A text with its reason already rendered in each language. */
function textsOf(asset: string, reason: Message): Message {
  const text = (language: 'en' | 'zh' | 'ja') =>
    say(gatewayMessages.connectFailed, language, { asset, reason: reason[language] })
  return { en: text('en'), zh: text('zh'), ja: text('ja') }
}
