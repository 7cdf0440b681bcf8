import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type { ShareParticipant } from '@castellan/contract/web-terminal'
import { log } from '../log.ts'
import { ServerRefusal } from '../server-client/http.ts'
import type { CommandFilterAcl, SharingLink, SharingPermission } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import type { Session } from './session.ts'
import { SessionDenied, verbatim } from './session-denied.ts'
import type { SessionView } from './session-view.ts'
import { displayOf, isStillSignedIn, type User } from './user.ts'

/** Interval at which it is checked that a participant may still be in a session. Milliseconds. */
const recheckEvery = 30_000
/** Minutes for which a link can be used; the contract's dialog offers up to 60. */
const longestLink = 24 * 60
const mostLinks = 50
const mostInvited = 100
const mostParticipants = 50

/** Input of users other than the owner, with their own rules. Provided by the terminal of the session. */
export interface SharedInput {
  type(user: User, data: Buffer): void
  /** Applies the rules of another user; the result stops it when what they typed was read. */
  obey(user: User, rules: readonly CommandFilterAcl[]): () => void
}

/** What the owner enters to share a session; checked here, as it comes from a browser. */
export interface ShareWish {
  expired_time?: unknown
  users?: unknown
  action_permission?: unknown
}

/** A user who is in another user's session until `leave`. */
export interface Participation {
  info: ShareParticipant
  view: SessionView
  type(data: Buffer): void
  /** Ends the participation; the first reason counts. */
  leave(refusal?: SessionDenied): void
  onLeft(handler: (refusal: SessionDenied | undefined) => void): void
}

const denied = (text: SessionDenied['text']) => new SessionDenied('permission_denied', text)

/** The links to one session, and who is in it. */
export class SessionSharing extends EventEmitter<{ joined: [ShareParticipant]; left: [ShareParticipant] }> {
  private readonly broker: Broker
  readonly session: Session
  private readonly input: SharedInput
  private readonly links = new Set<string>()
  private readonly present = new Map<string, Participation>()
  readonly owner: ShareParticipant

  constructor(broker: Broker, session: Session, input: SharedInput) {
    super()
    // Each participant's browser listens.
    this.setMaxListeners(0)
    this.broker = broker
    this.session = session
    this.input = input
    shared.set(session, this)
    this.owner = this.participant(session.user, { primary: true, writable: true })
  }

  has(link: string): boolean {
    return this.links.has(link)
  }

  get participants(): ShareParticipant[] {
    return [this.owner, ...[...this.present.values()].map(({ info }) => info)]
  }

  get isAllowed(): boolean {
    return this.broker.config().SECURITY_SESSION_SHARE && this.session.may('share')
  }

  /** Creates a link. Throws `SessionDenied` with the reason. */
  async share(wish: ShareWish, origin: string): Promise<SharingLink> {
    if (!this.isAllowed || this.session.isEnded) throw denied(gatewayMessages.shareNotAllowed)
    if (this.links.size >= mostLinks) throw denied(gatewayMessages.shareTooMany)
    const minutes = Number(wish.expired_time)
    const users = Array.isArray(wish.users)
      ? wish.users.map((id) => (typeof id === 'string' ? id : '')).slice(0, mostInvited + 1)
      : []
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > longestLink || users.length > mostInvited)
      throw denied(gatewayMessages.shareInvalid)
    const permission: SharingPermission = wish.action_permission === 'writable' ? 'writable' : 'readonly'
    const body = { session: this.session.id, expired_time: minutes, users, action_permission: permission, origin }
    const link = await this.asked(() => this.broker.api.shareSession(body, this.session.user.language))
    this.links.add(link.id)
    return link
  }

  /** Users whom the owner may invite. */
  async candidates(search: string): Promise<{ id: string; name: string; username: string }[]> {
    if (!this.isAllowed || search.trim() === '') return []
    const users = await this.broker.api.members(this.session.grant.org_id, search.slice(0, 128))
    return users
      .filter(({ id }) => id !== this.session.user.id)
      .map(({ id, name, username }) => ({ id, name, username }))
  }

  /** Lets a user in whom the server accepts with this link and code. Throws `SessionDenied`. */
  async join(user: User, link: string, code: string): Promise<Participation> {
    if (!this.isAllowed) throw denied(gatewayMessages.shareNotAllowed)
    if (this.present.size >= mostParticipants) throw denied(gatewayMessages.shareFull)
    const { id: joiner, remoteAddr: remote_addr, loginFrom: login_from } = user
    const body = { sharing: link, joiner, verify_code: code.slice(0, 16), remote_addr, login_from }
    const record = await this.asked(() => this.broker.api.joinSession(body, user.language))
    const { view } = this.session
    const writable = record.action_permission.value === 'writable'
    const info = this.participant(user, { primary: false, writable })
    const handlers: ((refusal: SessionDenied | undefined) => void)[] = []
    const disobey =
      writable && !this.session.isEnded ? this.input.obey(user, record.command_filter_acls ?? []) : () => undefined
    const recheck = setInterval(() => void this.recheck(user, record.id, participation), recheckEvery)
    const participation: Participation = {
      info,
      view: view as SessionView,
      type: (data) => {
        if (writable && this.present.has(info.terminal_id)) this.input.type(user, data)
      },
      leave: (refusal) => {
        if (!this.present.delete(info.terminal_id)) return
        clearInterval(recheck)
        disobey()
        this.report(record.id)
        for (const handler of handlers) handler(refusal)
        this.emit('left', info)
      },
      onLeft: (handler) => handlers.push(handler),
    }
    this.present.set(info.terminal_id, participation)
    if (this.session.isEnded || !view) {
      participation.leave()
      throw new SessionDenied('token_invalid', gatewayMessages.watchedEnded)
    }
    this.emit('joined', info)
    log.info({ session: this.session.id, user: user.id, writable }, 'a user joined a session')
    return participation
  }

  /** The owner removes a participant. Returns whether there was one. */
  remove(terminalId: string): boolean {
    const found = this.present.get(terminalId)
    found?.leave(denied(gatewayMessages.shareRemoved))
    return found !== undefined
  }

  private async recheck(user: User, record: string, participation: Participation): Promise<void> {
    if (!this.isAllowed) return participation.leave(denied(gatewayMessages.shareNotAllowed))
    const isSignedIn = await isStillSignedIn(this.broker.api, user).catch(() => true)
    if (!isSignedIn) return participation.leave(new SessionDenied('signed_out', gatewayMessages.signedOut))
    const isJoined = await this.broker.api.isStillJoined(record, this.session.grant.org_id).catch(() => true)
    if (!isJoined) participation.leave(denied(gatewayMessages.shareOver))
  }

  private report(record: string): void {
    const path = `/api/v1/terminal/session-join-records/${record}/finished/`
    void this.broker.outbox.send(`join-${record}`, { method: 'PATCH', path })
  }

  private async asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ServerRefusal) || error.status >= 500) throw error
      throw denied(error.detail ? verbatim(error.detail) : gatewayMessages.shareInvalid)
    }
  }

  private participant(user: User, kind: { primary: boolean; writable: boolean }): ShareParticipant {
    return {
      user: displayOf(user),
      user_id: user.id,
      created: new Date(this.broker.api.http.now).toISOString(),
      remote_addr: user.remoteAddr,
      terminal_id: randomUUID(),
      ...kind,
    }
  }
}

/** By session, as sessions themselves know nothing of those who join them. */
const shared = new WeakMap<Session, SessionSharing>()

/** The sharing of a session with a terminal; undefined before the target answered. */
export const sharingOf = (session: Session): SessionSharing | undefined => shared.get(session)

/** The sharing that a link leads to; undefined when its session ended or runs at another gateway. */
export function sharingByLink(broker: Broker, link: string): SessionSharing | undefined {
  const session = broker.sessions.find((one) => sharingOf(one)?.has(link) === true)
  return session && sharingOf(session)
}
