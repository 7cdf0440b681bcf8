import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import { allows, type Grant } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { Session } from './session.ts'
import { refusalOf, SessionDenied } from './session-denied.ts'
import { openChannel, openTarget, type Target } from './target.ts'
import type { Transfer, TransferKind } from './transfer-journal.ts'
import type { User } from './user.ts'

export type FileAction = 'upload' | 'download' | 'delete'

/** How long the cleanup on a target may take. Milliseconds. */
const tidyingFor = 2000

/** Why a file operation is denied now; undefined when it is allowed. */
export type Denial = 'permission_denied' | 'locked' | 'session_ended'

/**
 * Files of one account on one target: the session row, the connection, and the single decision and log of file
 * operations. Used by the SFTP front end and the file manager.
 */
export class FileSession {
  readonly session: Session
  private readonly broker: Broker
  private readonly target: Target
  private readonly tidying: (() => Promise<unknown>)[] = []

  private constructor(broker: Broker, session: Session, target: Target) {
    this.broker = broker
    this.session = session
    this.target = target
  }

  /** Opens the session and the target, always as the account itself. Throws `SessionDenied`. */
  static async open(broker: Broker, user: User, grant: Grant): Promise<FileSession> {
    if (!filesAllowed(grant)) throw new SessionDenied('permission_denied', gatewayMessages.permissionDenied)
    const session = await Session.open(broker, user, grant, 'sftp')
    try {
      const target = await openTarget(broker, { ...grant, account: { ...grant.account, su_from: null } })
      const files = new FileSession(broker, session, target)
      session.onEnd(() => files.leave())
      target.client.on('close', () => void session.end(target.gatewayLost()))
      await session.connected(target.gateway)
      return files
    } catch (error) {
      const refusal = refusalOf(error)
      await session.end(refusal)
      throw refusal
    }
  }

  /** Registers cleanup to run on the target when the session ends, while the target is still connected. */
  onLeaving(tidy: () => Promise<unknown>): void {
    this.tidying.push(tidy)
  }

  private async leave(): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, tidyingFor))
    await Promise.race([Promise.allSettled(this.tidying.map((tidy) => tidy())), late])
    this.target.end()
  }

  /** The raw channel of the target's sftp subsystem. */
  rawChannel(): Promise<ssh2.ClientChannel> {
    return this.opened((done) => this.target.client.subsys('sftp', done))
  }

  /** A client of the target's sftp subsystem. */
  client(): Promise<ssh2.SFTPWrapper> {
    return this.opened((done) => this.target.client.sftp(done))
  }

  private opened<Channel>(ask: (done: (error: Error | undefined, channel: Channel) => void) => void): Promise<Channel> {
    return openChannel<Channel>(this.session.assetDisplay, (done) =>
      ask((error, channel) => done(error && refusedFiles(this.session), channel)),
    )
  }

  /** Why an action is denied now, if it is. Without an action: listing. */
  denial(action?: FileAction): Denial | undefined {
    if (this.session.isEnded) return 'session_ended'
    if (this.session.lockedBy !== undefined) return 'locked'
    if (!this.session.may('connect') || (action && !this.session.may(action))) return 'permission_denied'
    this.session.touch()
    return undefined
  }

  begin(kind: 'upload' | 'download', path: string): Promise<Transfer> {
    return this.broker.transfers.begin(this.session, kind, path)
  }

  note(kind: TransferKind, path: string, isSuccess: boolean): void {
    void this.broker.transfers.note(this.session, kind, path, isSuccess)
  }
}

/** Files need the action connect, and the protocol sftp or an ssh whose platform allows files. */
function filesAllowed(grant: Grant): boolean {
  if (!allows(grant, 'connect')) return false
  if (grant.protocol === 'sftp') return true
  const ssh = grant.platform.protocols.find((protocol) => protocol.name === 'ssh')
  return grant.protocol === 'ssh' && ssh?.setting?.sftp_enabled !== false
}

export function refusedFiles(session: Session): SessionDenied {
  return new SessionDenied('connect_failed', gatewayMessages.connectFailed, {
    asset: session.assetDisplay,
    reason: 'sftp',
  })
}

/** The start directory of the platform: `sftp_home` with its placeholders filled; undefined means the home. */
export function startDirectory(grant: Grant): string | undefined {
  const settings = grant.platform.protocols.filter((protocol) => protocol.name === 'sftp' || protocol.name === 'ssh')
  const home = settings.map((protocol) => protocol.setting?.sftp_home).find((value) => typeof value === 'string')
  if (typeof home !== 'string' || ['', 'home', '~', `\${HOME}`].includes(home.trim())) return undefined
  return home.trim().replaceAll(`\${ACCOUNT}`, grant.account.username).replaceAll(`\${USER}`, grant.user.username)
}
