import { isIPv4 } from 'node:net'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import { allows, type Grant } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { Session } from './session.ts'
import { SessionDenied } from './session-denied.ts'
import { openChannel, openTarget, type Target } from './target.ts'
import type { User } from './user.ts'

/** The destination of a forward, as the target sees it. */
export type ForwardPlace = { host: string; port: number } | { socket: string }

/** Forwarded data is neither recorded nor read, so it needs the actions by which data may pass unseen. */
const neededActions = ['connect', 'upload', 'download']

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || host === 'ip6-localhost' || (isIPv4(host) && host.startsWith('127.'))

interface Tunnel {
  session: Session
  target: Target
}

/**
 * The forwards of one user connection through one target: opened with the first one, one session row of type tunnel.
 */
export class Forwarder {
  private readonly broker: Broker
  private readonly user: User
  private readonly grant: () => Promise<Grant>
  private granted: Promise<Grant> | undefined
  private opened: Promise<Tunnel> | undefined

  constructor(broker: Broker, user: User, grant: () => Promise<Grant>) {
    this.broker = broker
    this.user = user
    this.grant = grant
  }

  /** Opens one forward. Throws `SessionDenied` when it is not allowed or cannot be opened. */
  async connect(to: ForwardPlace): Promise<{ stream: ssh2.ClientChannel; session: Session }> {
    if (this.broker.portForwarding === 'off')
      throw new SessionDenied('permission_denied', gatewayMessages.forwardingOff)
    this.granted ??= this.grant()
    const grant = await this.granted.catch((error: unknown) => {
      this.granted = undefined
      throw error
    })
    this.require(grant, to)
    const { session, target } = await this.tunnel(grant)
    if (session.lockedBy !== undefined) {
      throw new SessionDenied('permission_denied', gatewayMessages.paused, { name: session.lockedBy })
    }
    const stream = await openChannel<ssh2.ClientChannel>(session.assetDisplay, (opened) => {
      const done = (error: Error | undefined, channel: ssh2.ClientChannel) =>
        opened(error && notReached(to, error), channel)
      if ('socket' in to) target.client.openssh_forwardOutStreamLocal(to.socket, done)
      else target.client.forwardOut('127.0.0.1', 0, to.host, to.port, done)
    })
    return { stream, session }
  }

  /** Ends the tunnel's session with its connection. */
  async close(): Promise<void> {
    const opened = await this.opened?.catch(() => undefined)
    await opened?.session.end()
  }

  private require(grant: Grant, to: ForwardPlace): void {
    if (!neededActions.every((action) => allows(grant, action))) {
      throw new SessionDenied('permission_denied', gatewayMessages.forwardingNotPermitted)
    }
    if (this.broker.portForwarding === 'anywhere' || 'socket' in to) return
    if (!isLoopback(to.host) && to.host !== grant.asset.address) {
      throw new SessionDenied('permission_denied', gatewayMessages.forwardingBeyondTarget, { host: to.host })
    }
  }

  private tunnel(grant: Grant): Promise<Tunnel> {
    this.opened ??= this.open(grant)
    return this.opened
  }

  private async open(grant: Grant): Promise<Tunnel> {
    // A tunnel that failed, or was ended by a limit, is reopened at the next use.
    const forget = () => {
      this.opened = undefined
    }
    let session: Session | undefined
    try {
      session = await Session.open(this.broker, this.user, grant, 'tunnel')
      session.onEnd(forget)
      const target = await openTarget(this.broker, { ...grant, account: { ...grant.account, su_from: null } })
      session.onEnd(() => target.end())
      target.client.on('close', () => void session?.end(target.gatewayLost()))
      await session.connected(target.gateway)
      return { session, target }
    } catch (error) {
      forget()
      await session?.end(error instanceof SessionDenied ? error : undefined)
      throw error
    }
  }
}

function notReached(to: ForwardPlace, cause: Error): SessionDenied {
  const place = 'socket' in to ? to.socket : `${to.host}:${to.port}`
  return new SessionDenied('connect_failed', gatewayMessages.forwardFailed, { place }, { cause })
}
