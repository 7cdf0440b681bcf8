import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { SessionEndReason } from '@castellan/contract/web-terminal'
import { log } from '../log.ts'
import type { RecordingArchive } from '../recording/archive.ts'
import type { ServerApi } from '../server-client/api.ts'
import type { Outbox } from '../server-client/outbox.ts'
import { allows, type Grant, type SessionType, type TerminalSessionsBody } from '../server-client/wire.ts'
import { notRecorded, type SessionDenied } from './session-denied.ts'
import type { SessionView } from './session-view.ts'
import { displayOf, type User } from './user.ts'

type EndHandler = (refusal: SessionDenied | undefined) => Promise<void> | void

/** Services of a session: the server, its recording, and the registry of all sessions. */
export interface SessionSupport {
  readonly api: ServerApi
  readonly outbox: Outbox
  readonly archive: RecordingArchive
  readonly sessions: { add(session: Session): void; remove(session: Session): void }
  /** Reports a new session to the server at once. */
  heartbeatNow(): void
}

/** End reasons stored in the session's row as `error_reason`. */
const errorReasons: Partial<Record<SessionEndReason, TerminalSessionsBody['error_reason']>> = {
  connect_failed: 'connect_failed',
  host_key_mismatch: 'connect_failed',
  recording_failed: 'replay_create_failed',
}

/**
 * One session of one user at one target, known to the server from `open` to `end`. All causes of its end (the user, the
 * target, a limit, an administrator, the recorder) call `end`, which takes effect once; end handlers release its
 * resources.
 */
export class Session extends EventEmitter<{ paused: [string]; resumed: [string] }> {
  readonly id: string
  readonly user: User
  readonly grant: Grant
  readonly type: SessionType
  /** Milliseconds since 1970 by the server's clock. */
  readonly startedAt: number
  /** Monotonic time of the user's last activity, for the idle limit. */
  lastActivity = performance.now()
  readonly startedMonotonic = performance.now()
  lockedBy: string | undefined
  recorded = false
  view: SessionView | undefined
  private readonly support: SessionSupport
  private readonly handlers: EndHandler[] = []
  private ending: Promise<void> | undefined
  private succeeded = false
  private commandSeen = false

  private constructor(support: SessionSupport, user: User, grant: Grant, type: SessionType) {
    super()
    // A grant names one session; further sessions with the same grant get ids of their own.
    this.id = grant.session ?? randomUUID()
    grant.session = undefined
    this.support = support
    this.startedAt = support.api.http.now
    this.user = user
    this.grant = grant
    this.type = type
  }

  /** Registers the session with the server. Throws when the server or the disk rejects it. */
  static async open(support: SessionSupport, user: User, grant: Grant, type: SessionType): Promise<Session> {
    const session = new Session(support, user, grant, type)
    try {
      await support.archive.begin(session.id, session.startedAt)
    } catch (error) {
      await support.archive.forget(session.id)
      throw notRecorded(error)
    }
    const { account } = grant
    try {
      await support.api.createSession({
        id: session.id,
        user: session.userDisplay,
        user_id: user.id,
        asset: session.assetDisplay,
        asset_id: grant.asset.id,
        account: session.accountDisplay,
        account_id: account.id ?? account.username,
        protocol: grant.protocol,
        login_from: user.loginFrom,
        remote_addr: user.remoteAddr,
        type,
        date_start: new Date(session.startedAt).toISOString(),
        org_id: grant.org_id,
      })
    } catch (error) {
      await support.archive.forget(session.id)
      throw error
    }
    support.sessions.add(session)
    support.heartbeatNow()
    const ticket = typeof grant.from_ticket === 'object' ? grant.from_ticket?.id : grant.from_ticket
    if (ticket) {
      const body = { ticket, session: session.id }
      await support.outbox.send(session.id, { method: 'POST', path: '/api/v1/tickets/ticket-session-relation/', body })
    }
    log.info({ session: session.id, type, asset: grant.asset.id, user: user.id }, 'session started')
    return session
  }

  /**
   * Milliseconds since 1970 by this session's own clock, which starts with the server's and ignores later changes of
   * the wall clock.
   */
  get now(): number {
    return this.startedAt + performance.now() - this.startedMonotonic
  }

  get userDisplay(): string {
    return displayOf(this.user)
  }

  get assetDisplay(): string {
    return `${this.grant.asset.name}(${this.grant.asset.address})`
  }

  get accountDisplay(): string {
    return `${this.grant.account.name}(${this.grant.account.username})`
  }

  get isEnded(): boolean {
    return this.ending !== undefined
  }

  may(action: string): boolean {
    return allows(this.grant, action)
  }

  /** Removes actions that are no longer granted; newly granted ones apply to the next session only. */
  narrow(granted: readonly { value: string }[]): void {
    const left = new Set(granted.map((action) => action.value))
    this.grant.actions = this.grant.actions.filter((action) => left.has(action.value))
  }

  touch(): void {
    this.lastActivity = performance.now()
  }

  /** The target accepted the credential. @param gateway display form of the gateway it was reached through */
  async connected(gateway: string | undefined): Promise<void> {
    this.succeeded = true
    await this.patch({ is_success: true, ...(gateway === undefined ? {} : { gateway }) })
  }

  /** Reports once that commands were logged. */
  async hasCommand(): Promise<void> {
    if (this.commandSeen) return
    this.commandSeen = true
    await this.patch({ has_command: true })
  }

  pause(by: string): void {
    this.lockedBy = by
    this.emit('paused', by)
  }

  resume(by: string): void {
    this.lockedBy = undefined
    this.emit('resumed', by)
  }

  /** Resolves when nobody pauses the session: at once, after it is resumed, or at its end. */
  async unlocked(): Promise<void> {
    while (this.lockedBy !== undefined && !this.isEnded)
      await new Promise<void>((resolve) => {
        this.once('resumed', () => resolve())
        this.onEnd(() => resolve())
      })
  }

  /**
   * Registers a handler for the end of the session; handlers run in order, and a failing one does not stop the others.
   */
  onEnd(handler: EndHandler): void {
    if (this.ending) void Promise.resolve(handler(undefined))
    else this.handlers.push(handler)
  }

  /** Ends the session; the first caller's reason counts. Resolves when its end and recording are safe on disk. */
  end(refusal?: SessionDenied): Promise<void> {
    if (!this.ending) {
      // Set before anything is closed, so that errors while closing do not end the session again.
      const { promise, resolve } = Promise.withResolvers<void>()
      this.ending = promise
      void this.finish(refusal).finally(resolve)
    }
    return this.ending
  }

  private async finish(refusal: SessionDenied | undefined): Promise<void> {
    for (const handler of this.handlers) {
      try {
        await handler(refusal)
      } catch (error) {
        log.error({ err: error, session: this.id }, 'an end handler of a session failed')
      }
    }
    this.support.sessions.remove(this)
    const reason = refusal ? errorReasons[refusal.reason] : undefined
    const fields = this.succeeded && reason !== 'replay_create_failed' ? {} : reason ? { error_reason: reason } : {}
    const failed = this.succeeded ? {} : { is_success: false }
    const options = { recorded: this.recorded, ended: new Date(this.now), fields: { ...failed, ...fields } }
    try {
      await this.support.archive.finish(this.id, options)
    } catch (error) {
      log.error({ err: error, session: this.id }, 'the end of a session could not be stored on disk')
      await this.support.api.http
        .call('PATCH', `/api/v1/terminal/sessions/${this.id}/`, {
          body: { ...options.fields, is_finished: true, date_end: options.ended.toISOString() },
        })
        .catch((late: unknown) => log.error({ err: late, session: this.id }, 'nor reported to the server'))
    }
    log.info({ session: this.id, reason: refusal?.reason ?? 'none' }, 'session ended')
  }

  private async patch(body: Partial<TerminalSessionsBody>): Promise<void> {
    await this.support.outbox.send(this.id, { method: 'PATCH', path: `/api/v1/terminal/sessions/${this.id}/`, body })
  }
}
