import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import type { Grant } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import type { Person } from './person.ts'
import { Refusal } from './refusal.ts'
import { Session } from './session.ts'
import { openTarget, type Target } from './target.ts'

/** The forwards of one person's connection through one target: opened at the first, one session row of type tunnel. */
export class Forwarder {
  private readonly broker: Broker
  private readonly person: Person
  private readonly grant: () => Promise<Grant>
  private opened: Promise<{ session: Session; target: Target }> | undefined

  constructor(broker: Broker, person: Person, grant: () => Promise<Grant>) {
    this.broker = broker
    this.person = person
    this.grant = grant
  }

  /** Opens one forward to a place as the target sees it. Throws a `Refusal` where forwards are not allowed. */
  async connect(to: { host: string; port: number }): Promise<{ stream: ssh2.ClientChannel; session: Session }> {
    if (!this.broker.portForwarding) throw new Refusal('permission_denied', gatewayMessages.forwardingOff)
    this.opened ??= this.open()
    const { session, target } = await this.opened
    const stream = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
      target.client.forwardOut('127.0.0.1', 0, to.host, to.port, (error, channel) =>
        error ? reject(error) : resolve(channel),
      ),
    )
    return { stream, session }
  }

  /** Ends the tunnel's session with the connection it belongs to. */
  async close(): Promise<void> {
    const opened = await this.opened?.catch(() => undefined)
    await opened?.session.end()
  }

  private async open(): Promise<{ session: Session; target: Target }> {
    const grant = await this.grant()
    if (!grant.actions.some((entry) => entry.value === 'connect')) {
      throw new Refusal('permission_denied', gatewayMessages.permissionDenied)
    }
    const session = await Session.open(this.broker, this.person, grant, 'tunnel')
    try {
      const target = await openTarget(this.broker.api, grant)
      session.onEnd(() => target.end())
      target.client.on('close', () => void session.end())
      await session.connected()
      return { session, target }
    } catch (error) {
      await session.end(error instanceof Refusal ? error : undefined)
      throw error
    }
  }
}
