import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { log } from '../log.ts'
import type { RecordingArchive } from '../recording/archive.ts'
import type { ServerApi } from '../server-client/api.ts'
import { ServerRefusal, ServerUnreachable } from '../server-client/http.ts'
import type { Outbox } from '../server-client/outbox.ts'
import type { Choice, ComponentConfig, ComponentTask, PermedAccount } from '../server-client/wire.ts'
import type { Session } from './session.ts'
import { SessionDenied } from './session-denied.ts'
import { isStillSignedIn, type User } from './user.ts'

const limitsEvery = 5_000
const permissionsEvery = 30_000
/** Creator of tasks that the server itself created. */
const bySystem = 'System'

/** The result of rechecking a grant: denied for a reason, or its actions; neither when the server was unavailable. */
interface Standing {
  refusal?: SessionDenied
  actions?: readonly Choice[]
}

/** All live sessions; decides on ending them by limits, lost permissions and tasks. */
export class SessionRegistry {
  private readonly sessions = new Map<string, Session>()
  private readonly api: ServerApi
  private readonly outbox: Outbox
  private readonly archive: RecordingArchive
  private readonly config: () => ComponentConfig
  private readonly timers: NodeJS.Timeout[] = []
  private checking = false

  constructor(parts: { api: ServerApi; outbox: Outbox; archive: RecordingArchive; config: () => ComponentConfig }) {
    this.api = parts.api
    this.outbox = parts.outbox
    this.archive = parts.archive
    this.config = parts.config
  }

  start(): void {
    this.timers.push(setInterval(() => this.checkLimits(), limitsEvery))
    this.timers.push(setInterval(() => void this.checkPermissions(), permissionsEvery))
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer)
    const stopping = new SessionDenied('none', gatewayMessages.gatewayStopping)
    await Promise.all([...this.sessions.values()].map((session) => session.end(stopping)))
  }

  add(session: Session): void {
    this.sessions.set(session.id, session)
  }

  remove(session: Session): void {
    this.sessions.delete(session.id)
  }

  get(id: string): Session | undefined {
    return this.sessions.get(id)
  }

  find(fits: (session: Session) => boolean): Session | undefined {
    return [...this.sessions.values()].find(fits)
  }

  ids(): string[] {
    return [...this.sessions.keys()]
  }

  /** Executes a task of the server and then reports it as done. */
  async obey(task: ComponentTask): Promise<void> {
    const session = this.sessions.get(task.args)
    const by = task.kwargs?.terminated_by ?? task.kwargs?.created_by ?? ''
    log.info({ task: task.name, session: task.args, known: session !== undefined }, 'task')
    if (task.name === 'kill_session') void session?.end(await this.whyEnded(session, by))
    else if (task.name === 'lock_session') session?.pause(by)
    else if (task.name === 'unlock_session') session?.resume(by)
    else log.warn({ task: task.name }, 'unknown task')
    await this.outbox.send(`task-${task.id}`, {
      method: 'PATCH',
      path: `/api/v1/terminal/tasks/${task.id}/`,
      body: { is_finished: true },
    })
  }

  /** Who ended a session; if the server did by itself, the permission the user has lost. */
  private async whyEnded(session: Session, by: string): Promise<SessionDenied> {
    const terminated = new SessionDenied('terminated', gatewayMessages.terminated, { name: by })
    if (by !== bySystem) return terminated
    return (await this.checkUser(session.user.id)) ?? (await this.checkAsset(session)).refusal ?? terminated
  }

  /**
   * Enforces idle time, maximum time and the grant's expiry. Uses monotonic clocks, so that a change of the wall clock
   * ends no session, and the server's clock for its grants.
   */
  private checkLimits(): void {
    const now = performance.now()
    const { SECURITY_MAX_IDLE_TIME: idle, SECURITY_MAX_SESSION_TIME: longest } = this.config()
    for (const session of this.sessions.values()) {
      if (longest > 0 && now - session.startedMonotonic > longest * 3_600_000) {
        void session.end(new SessionDenied('max_time', gatewayMessages.maxTimeEnded, { hours: longest }))
      } else if (idle > 0 && now - session.lastActivity > idle * 60_000) {
        void session.end(new SessionDenied('idle_timeout', gatewayMessages.idleEnded, { minutes: idle }))
      } else if (session.grant.expire_at > 0 && this.api.http.now > session.grant.expire_at * 1000) {
        void session.end(new SessionDenied('permission_expired', gatewayMessages.permissionEnded))
      }
    }
    void this.archive.touch(this.ids(), new Date(this.api.http.now))
  }

  /** Asks the server, once per browser, whether the users who opened sessions there are still signed in. */
  async checkLogins(): Promise<void> {
    const browsers = new Map<string, Promise<SessionDenied | undefined>>()
    for (const session of [...this.sessions.values()]) {
      const cookie = session.user.browser?.cookie
      if (cookie === undefined) continue
      if (!browsers.has(cookie)) browsers.set(cookie, this.checkLogin(session.user))
      const refusal = await browsers.get(cookie)
      if (refusal) void session.end(refusal)
    }
  }

  private async checkLogin(user: User): Promise<SessionDenied | undefined> {
    try {
      if (await isStillSignedIn(this.api, user)) return undefined
    } catch (error) {
      this.tolerate(error)
      return undefined
    }
    // A disabled user is signed out as well, but gets the actual reason.
    return (await this.checkUser(user.id)) ?? new SessionDenied('signed_out', gatewayMessages.signedOut)
  }

  /** Asks the server, once per user and asset, whether the grants still exist. */
  private async checkPermissions(): Promise<void> {
    if (this.checking) return
    this.checking = true
    try {
      await this.checkLogins()
      const users = new Map<string, Promise<SessionDenied | undefined>>()
      const assets = new Map<string, Promise<Standing>>()
      for (const session of [...this.sessions.values()]) {
        const user = session.user.id
        const place = `${user} ${session.grant.asset.id} ${session.grant.account.id} ${session.grant.account.username}`
        if (!users.has(user)) users.set(user, this.checkUser(user))
        const disabled = await users.get(user)
        if (!disabled && !assets.has(place)) assets.set(place, this.checkAsset(session))
        const standing = await assets.get(place)
        const refusal = disabled ?? standing?.refusal
        if (refusal) void session.end(refusal)
        else if (standing?.actions) session.narrow(standing.actions)
      }
    } catch (error) {
      log.error({ err: error }, 'checking permissions failed')
    } finally {
      this.checking = false
    }
  }

  private async checkUser(id: string): Promise<SessionDenied | undefined> {
    const ended = new SessionDenied('user_disabled', gatewayMessages.userEnded)
    try {
      const user = await this.api.user(id)
      return user.is_valid === false || user.is_active === false ? ended : undefined
    } catch (error) {
      if (error instanceof ServerRefusal && error.status === 404) return ended
      this.tolerate(error)
      return undefined
    }
  }

  private async checkAsset(session: Session): Promise<Standing> {
    try {
      const { account, asset } = session.grant
      const granted = await this.api.asset(session.user.id, asset.id)
      const accounts = granted?.is_active ? granted.permed_accounts : []
      const own = accounts.filter((entry) => entry.id === account.id)
      // An account with a typed secret has no row of its own.
      const typed = (entry: PermedAccount) => entry.username === account.username || entry.alias.startsWith('@')
      const same = own.length > 0 ? own : accounts.filter(typed)
      if (same.length > 0) return { actions: same.flatMap((entry) => entry.actions) }
      return { refusal: new SessionDenied('permission_expired', gatewayMessages.permissionEnded) }
    } catch (error) {
      this.tolerate(error)
      return {}
    }
  }

  /** An unavailable or restarting server ends no session. */
  private tolerate(error: unknown): void {
    if (error instanceof ServerUnreachable) log.debug({ detail: error.message }, 'permissions not checked')
    else if (error instanceof ServerRefusal) log.warn({ detail: error.message }, 'permissions not checked')
    else throw error
  }
}
