import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { SessionEndReason } from '@castellan/contract/web-terminal'
import { log } from '../log.ts'
import type { RecordingArchive } from '../recording/archive.ts'
import type { ServerApi } from '../server-client/api.ts'
import type { Outbox } from '../server-client/outbox.ts'
import { allows, type Grant, type SessionType } from '../server-client/wire.ts'
import { notRecorded, type SessionDenied } from './session-denied.ts'
import type { SessionView } from './session-view.ts'
import { displayOf, type User } from './user.ts'

type EndHandler = (refusal: SessionDenied | undefined) => Promise<void> | void

/** What a session needs around it: the server, where it is recorded, and those who keep an eye on all of them. */
export interface SessionSupport {
  readonly api: ServerApi
  readonly outbox: Outbox
  readonly archive: RecordingArchive
  readonly sessions: { add(session: Session): void; remove(session: Session): void }
  /** Tells the server at once that a session has begun. */
  heartbeatNow(): void
}

/** Reasons that stand in the session's row as `error_reason`. */
const errorReasons: Partial<Record<SessionEndReason, string>> = {
  connect_failed: 'connect_failed',
  host_key_mismatch: 'connect_failed',
  recording_failed: 'replay_create_failed',
}

/**
 * One session of one person at one target, known to the server from `open` to `end`. Whatever ends it (the person, the
 * target, a limit, an administrator, the recorder) comes through `end`, once; the end handlers close what hangs on it.
 */
export class Session extends EventEmitter<{ paused: [string]; resumed: [string] }> {
  readonly id: string
  readonly person: User
  readonly grant: Grant
  readonly type: SessionType
  /** Milliseconds since 1970 by the server's clock. */
  readonly startedAt: number
  /** Monotonic moment of the person's last doing, for the idle limit. */
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

  private constructor(support: SessionSupport, person: User, grant: Grant, type: SessionType) {
    super()
    // A grant is opened for one session; further ones that it carries are sessions of their own.
    this.id = grant.session ?? randomUUID()
    grant.session = undefined
    this.support = support
    this.startedAt = support.api.http.now
    this.person = person
    this.grant = grant
    this.type = type
  }

  /** Makes the session known to the server. Throws when the server or the disk does not take it. */
  static async open(support: SessionSupport, person: User, grant: Grant, type: SessionType): Promise<Session> {
    const session = new Session(support, person, grant, type)
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
        user_id: person.id,
        asset: session.assetDisplay,
        asset_id: grant.asset.id,
        account: session.accountDisplay,
        account_id: account.id ?? account.username,
        protocol: grant.protocol,
        login_from: person.loginFrom,
        remote_addr: person.remoteAddr,
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
    log.info({ session: session.id, type, asset: grant.asset.id, user: person.id }, 'session begun')
    return session
  }

  /** Milliseconds since 1970 by this session's own clock, which begins with the server's and does not follow when somebody sets one. */
  get now(): number {
    return this.startedAt + performance.now() - this.startedMonotonic
  }

  get userDisplay(): string {
    return displayOf(this.person)
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

  /** Takes away the actions that are granted no longer; one granted since is for the next session. */
  narrow(granted: readonly { value: string }[]): void {
    const left = new Set(granted.map((action) => action.value))
    this.grant.actions = this.grant.actions.filter((action) => left.has(action.value))
  }

  touch(): void {
    this.lastActivity = performance.now()
  }

  /** The target answered and took the credential. */
  async connected(): Promise<void> {
    this.succeeded = true
    await this.patch({ is_success: true })
  }

  /** A command was logged; told once. */
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

  /** Runs when the session ends, in the order given; a failing handler does not keep the others from running. */
  onEnd(handler: EndHandler): void {
    if (this.ending) void Promise.resolve(handler(undefined))
    else this.handlers.push(handler)
  }

  /** Ends the session; the first caller's reason counts. Resolves when its end and recording are safe on disk. */
  end(refusal?: SessionDenied): Promise<void> {
    if (!this.ending) {
      // Known before anything is closed: what fails while closing must not end it a second time.
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
        log.error({ err: error, session: this.id }, 'ending a part of a session failed')
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
      log.error({ err: error, session: this.id }, 'the end of a session could not be kept on disk')
      await this.support.api.http
        .call('PATCH', `/api/v1/terminal/sessions/${this.id}/`, {
          body: { ...options.fields, is_finished: true, date_end: options.ended.toISOString() },
        })
        .catch((late: unknown) => log.error({ err: late, session: this.id }, 'nor told to the server'))
    }
    log.info({ session: this.id, reason: refusal?.reason ?? 'none' }, 'session ended')
  }

  private async patch(body: Record<string, unknown>): Promise<void> {
    await this.support.outbox.send(this.id, { method: 'PATCH', path: `/api/v1/terminal/sessions/${this.id}/`, body })
  }
}
