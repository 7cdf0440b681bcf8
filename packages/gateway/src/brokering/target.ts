import { connect as connectSocket } from 'node:net'
import { type ConnectError, connectReason } from '@castellan/contract/connect-reasons'
import { type Message, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import ssh2 from 'ssh2'
import { log } from '../log.ts'
import type { ServerApi } from '../server-client/api.ts'
import { type Grant, type GrantGateway, plain } from '../server-client/wire.ts'
import { targetAlgorithms } from './ciphers.ts'
import { gatherWrites } from './gather-writes.ts'
import { type HostKeyPlace, verifyHostKey } from './host-keys.ts'
import { SessionDenied } from './session-denied.ts'
import { switchedFrom } from './switch-user.ts'

/** An authenticated connection to a target; closing it closes the jump before it. */
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

/** How long a target may take until somebody is signed in, and then to open a channel. Milliseconds. */
const readyTimeout = 20_000
const openingTimeout = 20_000

/** Port of the first protocol that is there, in order of wish. */
function portOf(protocols: { name: string; port: number }[], names: string[]): number {
  for (const name of names) {
    const found = protocols.find((protocol) => protocol.name === name)
    if (found && found.port > 0) return found.port
  }
  return 22
}

/** The account the connection signs in with: the one switched from, where the platform wants that. */
function signInAccount(grant: Grant): Credential {
  const from = switchedFrom(grant)
  if (from) return { username: from.username, secretType: plain(from.secret_type), secret: from.secret }
  const { username, secret_type, secret, passphrase } = grant.account
  return { username, secretType: plain(secret_type), secret, passphrase }
}

/**
 * Opens the target of a grant with the credential injected, through its gateway where it has one. Throws a `Refusal`
 * whose text says what failed; a credential is sent only after the host key was verified.
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
        // A target that does not answer the farewell is cut off.
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
  return openedInTime<ssh2.ClientChannel>(gateway.name, (done) =>
    jump.forwardOut('127.0.0.1', 0, host, port, done),
  ).catch(() => Promise.reject(gatewayFailed(gateway)))
}

function connect(api: ServerApi, hop: Hop): Promise<ssh2.Client> {
  const { credential, place } = hop
  const isKey = credential.secretType === 'ssh_key'
  const fail = (reason: Message, cause?: unknown) => connectFailed(place.name, reason, cause)
  if (!credential.username || !credential.secret) return Promise.reject(fail(gatewayMessages.reasonNoSecret))
  const secret = credential.secret
  return new Promise((resolve, reject) => {
    const client = new ssh2.Client()
    let refusal: SessionDenied | undefined
    const settle = (error?: unknown) => {
      clearTimeout(timer)
      if (!error) {
        client.removeListener('close', onClose)
        client.setNoDelay(true)
        client.on('error', (late) => log.debug({ detail: late.message }, 'target connection'))
        resolve(client)
        return
      }
      client.on('error', () => undefined)
      client.destroy()
      reject(refusal ?? (error instanceof SessionDenied ? error : fail(connectReason(error as ConnectError), error)))
    }
    const onClose = () => settle(fail(gatewayMessages.reasonClosed))
    const timer = setTimeout(() => settle(fail(gatewayMessages.reasonTimeout)), readyTimeout + 5000)
    client.once('ready', () => settle())
    client.once('error', settle)
    client.once('close', onClose)
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => {
      // Only a question for something hidden is a password; anything else we have no answer for.
      finish(prompts.map((prompt) => (!isKey && prompt.echo === false ? secret : '')))
    })
    try {
      client.connect({
        sock: hop.sock ?? gatherWrites(connectSocket({ host: hop.host, port: place.port, noDelay: true })),
        username: credential.username,
        ...(isKey
          ? { privateKey: secret, ...(credential.passphrase ? { passphrase: credential.passphrase } : {}) }
          : { password: secret, tryKeyboard: true }),
        algorithms: targetAlgorithms,
        readyTimeout,
        keepaliveInterval: 30_000,
        keepaliveCountMax: 4,
        hostVerifier: (key: Buffer, verify: (valid: boolean) => void) => {
          verifyHostKey(api, place, key).then(
            () => verify(true),
            (error: unknown) => {
              refusal = error as SessionDenied
              verify(false)
            },
          )
        },
      })
    } catch (error) {
      // ssh2 throws at once on a private key it cannot read.
      settle(fail(gatewayMessages.reasonAuth, error))
    }
  })
}

const connectFailed = (asset: string, reason: Message, cause?: unknown) =>
  new SessionDenied('connect_failed', textsOf(asset, reason), {}, { cause })

/**
 * What a target opens when it is asked. Rejects with what the target said against it, or with a `Refusal` when it says
 * nothing: the connection of one that hangs stands for minutes.
 */
export function openedInTime<Channel>(
  asset: string,
  ask: (done: (error: Error | undefined, channel: Channel) => void) => void,
): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const late = () => reject(connectFailed(asset, gatewayMessages.reasonTimeout))
    const timer = setTimeout(late, openingTimeout)
    ask((error, channel) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve(channel)
    })
  })
}

/** The sentence with its reason already in each language. */
function textsOf(asset: string, reason: Message): Message {
  const text = (language: 'en' | 'zh' | 'ja') =>
    say(gatewayMessages.connectFailed, language, { asset, reason: reason[language] })
  return { en: text('en'), zh: text('zh'), ja: text('ja') }
}
