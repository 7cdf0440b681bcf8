import { connectSsh, gatherWrites, openedInTime, openTcp, openThrough } from '@castellan/connectors/ssh'
import { type ConnectError, connectReason } from '@castellan/contract/connect-reasons'
import { type Message, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import { log } from '../log.ts'
import type { ServerApi } from '../server-client/api.ts'
import { type Grant, type GrantGateway, plain } from '../server-client/wire.ts'
import { type HostKeyPlace, verifyHostKey } from './host-keys.ts'
import { SessionDenied } from './session-denied.ts'
import { switchedFrom } from './switch-user.ts'

/** An authenticated connection to a target; closing it also closes the jump host. */
export interface Target {
  client: ssh2.Client
  end(): void
}

interface Credential {
  username: string
  secretType: string
  secret: string | null | undefined
  passphrase?: string | null | undefined
}

interface Hop {
  place: HostKeyPlace
  host: string
  credential: Credential
  sock?: ssh2.ClientChannel
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
 * Opens the target of a grant with its credential, through its gateway if there is one. Throws `SessionDenied` with the
 * reason; a credential is sent only after the host key was verified.
 */
export async function openTarget(api: ServerApi, grant: Grant): Promise<Target> {
  const jump = grant.gateway ? await openGateway(api, grant.gateway) : undefined
  const port = portOf(grant.asset.protocols, [grant.protocol, 'ssh', 'sftp'])
  const name = `${grant.asset.name}(${grant.asset.address})`
  try {
    const sock = jump ? await through(jump, grant.gateway as GrantGateway, grant.asset.address, port) : undefined
    const client = await connect(api, {
      place: { asset: grant.asset.id, name, port },
      host: grant.asset.address,
      credential: signInAccount(grant),
      ...(sock ? { sock } : {}),
    })
    jump?.once('close', () => client.end())
    return {
      client,
      end() {
        client.end()
        jump?.end()
        // A target that does not close in time is disconnected.
        setTimeout(() => client.destroy(), 2000).unref()
      },
    }
  } catch (error) {
    jump?.end()
    throw error
  }
}

async function openGateway(api: ServerApi, gateway: GrantGateway): Promise<ssh2.Client> {
  const port = portOf(gateway.protocols, ['ssh'])
  const account = gateway.account
  try {
    return await connect(api, {
      place: { asset: gateway.id, name: gateway.name, port },
      host: gateway.address,
      credential: {
        username: account?.username ?? '',
        secretType: plain(account?.secret_type),
        secret: account?.secret,
      },
    })
  } catch (error) {
    if (error instanceof SessionDenied && error.reason === 'host_key_mismatch') throw error
    log.warn({ err: error, gateway: gateway.id }, 'the gateway of a domain failed')
    throw gatewayFailed(gateway)
  }
}

const gatewayFailed = (gateway: GrantGateway) =>
  new SessionDenied('connect_failed', gatewayMessages.reasonGateway, { name: gateway.name })

function through(jump: ssh2.Client, gateway: GrantGateway, host: string, port: number): Promise<ssh2.ClientChannel> {
  return openThrough(jump, host, port).catch(() => Promise.reject(gatewayFailed(gateway)))
}

async function connect(api: ServerApi, hop: Hop): Promise<ssh2.Client> {
  const { place } = hop
  const { username, secretType, secret, passphrase } = hop.credential
  if (!username || !secret) throw connectFailed(place.name, gatewayMessages.reasonNoSecret)
  try {
    const client = await connectSsh({
      stream: hop.sock ?? gatherWrites(await openTcp(hop.host, place.port)),
      credential: { username, secretType, secret, passphrase },
      verifyHostKey: (shown) => verifyHostKey(api, place, shown),
    })
    client.on('error', (late) => log.debug({ detail: late.message }, 'target connection'))
    return client
  } catch (error) {
    if (error instanceof SessionDenied) throw error
    throw connectFailed(place.name, connectReason(error as ConnectError), error)
  }
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
