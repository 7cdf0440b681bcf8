import { rootOrgId } from '@castellan/contract/ids'
import type { Language } from '@castellan/contract/messages'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Database, Db } from '../../db/database.ts'
import type { ListCache } from '../../db/list-cache/list-cache.ts'
import type { EventKind, Events } from '../events/events.ts'
import { TtlStore } from '../events/ttl-store.ts'
import type { Enqueue, JobQueue, Queueable } from '../jobs/queue.ts'
import type { Passwords } from '../security/passwords.ts'
import type { Vault } from '../security/secrets.ts'
import type { Settings } from '../settings/settings.ts'

/** The kernel's view of the user (or component) a request acts for. */
export interface Caller {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly isActive: boolean
  readonly isExpired: boolean
  readonly isServiceAccount: boolean
  readonly isSuperuser: boolean
}

export type CredentialKind = 'session' | 'bearer' | 'token' | 'signature' | 'none'

/** The browser session of a request; also used as the cookie jar of API sign-ins. */
export interface SessionHandle {
  readonly key: string
  get<T>(name: string): T | undefined
  set(name: string, value: unknown): void
  delete(...names: string[]): void
}

/** Long-lived services shared by all contexts. */
export interface Services {
  readonly database: Database
  readonly vault: Vault
  readonly passwords: Passwords
  readonly settings: Settings
  readonly events: Events
  readonly jobs: JobQueue
  readonly kv: TtlStore
  readonly lists: ListCache
  readonly dataDir: string
  readonly config: Config
  readonly log: Logger
  /** Permission codes of a user in an organization; set by the rbac module. */
  permissionsOf: (ctx: Context, caller: Caller, orgId: string) => Promise<ReadonlySet<string>>
  /** Resolves the organization that a request acts in, with the caller's codes there; set by the rbac module. */
  placeOf: (ctx: Context, caller: Caller, orgId: string, isNamed: boolean) => Promise<OrgPlace>
}

/** The organization a request acts in. */
export interface OrgPlace {
  readonly orgId: string
  /** Permission codes of the caller in this organization. */
  readonly codes: ReadonlySet<string>
  /** The request names an organization to which the caller does not belong. */
  readonly isOutsider: boolean
}

export interface ContextParts {
  services: Services
  db: Db
  orgId: string
  caller?: Caller | undefined
  credential?: CredentialKind
  session?: SessionHandle | undefined
  language?: Language
  zone?: string
  ip?: string
  userAgent?: string
  permissions?: ReadonlySet<string>
  isOutsider?: boolean
  before?: (() => Promise<void>)[]
  after?: (() => void | Promise<void>)[]
  memos?: Map<string, Promise<unknown>>
  inTransaction?: boolean
  doneAside?: Map<string, unknown>
}

/**
 * Thrown inside a transaction to request work outside it. The key may contain a password, so it is private and never
 * logged.
 */
class Aside extends Error {
  readonly #key: string
  readonly #work: () => Promise<unknown>

  constructor(key: string, work: () => Promise<unknown>) {
    super('Work to be done outside of a transaction was caught inside of it.')
    this.#key = key
    this.#work = work
  }

  async doInto(done: Map<string, unknown>): Promise<void> {
    done.set(this.#key, await this.#work())
  }
}
/** How often one transaction may request work outside it. */
const mostAsides = 10

/**
 * Everything a unit of work needs: caller, organization, language and database. Rows of an organization are accessed
 * through `repository.ts`, which adds the organization to every statement.
 */
export class Context {
  readonly services: Services
  /** The connection, for tables without an organization and for statements with a condition on it. */
  readonly rawDb: Db
  readonly orgId: string
  readonly caller: Caller | undefined
  readonly credential: CredentialKind
  readonly session: SessionHandle | undefined
  readonly language: Language
  readonly zone: string
  readonly ip: string
  readonly userAgent: string
  readonly now: number
  /** The request names an organization to which the caller does not belong; `orgId` is then one of the caller's own. */
  readonly isOutsider: boolean
  readonly #permissions: ReadonlySet<string>
  readonly #before: (() => Promise<void>)[]
  readonly #after: (() => void | Promise<void>)[]
  readonly #memos: Map<string, Promise<unknown>>
  readonly #inTransaction: boolean
  readonly #doneAside: Map<string, unknown>

  constructor(parts: ContextParts) {
    this.services = parts.services
    this.rawDb = parts.db
    this.orgId = parts.orgId
    this.caller = parts.caller
    this.credential = parts.credential ?? 'none'
    this.session = parts.session
    this.language = parts.language ?? 'zh'
    this.zone = parts.zone ?? 'Asia/Shanghai'
    this.ip = parts.ip ?? ''
    this.userAgent = parts.userAgent ?? ''
    this.now = Date.now()
    this.isOutsider = parts.isOutsider ?? false
    this.#permissions = parts.permissions ?? new Set()
    this.#before = parts.before ?? []
    this.#after = parts.after ?? []
    this.#memos = parts.memos ?? new Map()
    this.#inTransaction = parts.inTransaction ?? false
    this.#doneAside = parts.doneAside ?? new Map()
  }

  get isRootOrg(): boolean {
    return this.orgId === rootOrgId
  }

  get dialect() {
    return this.services.database.dialect
  }

  can(code: string): boolean {
    return this.caller?.isSuperuser === true || this.#permissions.has(code)
  }

  get permissions(): ReadonlySet<string> {
    return this.#permissions
  }

  /** The caller, for handlers whose permission requires a signed-in caller. */
  get me(): Caller {
    if (!this.caller) throw new Error('A route that needs a caller is declared public.')
    return this.caller
  }

  #parts(): ContextParts {
    return {
      services: this.services,
      db: this.rawDb,
      orgId: this.orgId,
      caller: this.caller,
      credential: this.credential,
      session: this.session,
      language: this.language,
      zone: this.zone,
      ip: this.ip,
      userAgent: this.userAgent,
      permissions: this.#permissions,
      isOutsider: this.isOutsider,
      before: this.#before,
      after: this.#after,
      memos: this.#memos,
      inTransaction: this.#inTransaction,
      doneAside: this.#doneAside,
    }
  }

  /** The same context in another organization. Permissions remain those of the request. */
  inOrg(orgId: string): Context {
    return new Context({ ...this.#parts(), orgId, memos: new Map() })
  }

  /**
   * The same context over all organizations: nothing is filtered, and creating rows requires an explicit organization.
   */
  acrossOrgs(): Context {
    return this.inOrg(rootOrgId)
  }

  /** The same context on behalf of another user, such as a component acting for its user. */
  actingFor(caller: Caller | undefined): Context {
    return new Context({ ...this.#parts(), caller, memos: new Map() })
  }

  /** The same context without caller and session: for code that must not be able to sign a user in. */
  withoutSession(): Context {
    const parts = { ...this.#parts(), credential: 'none' as const, permissions: new Set<string>(), memos: new Map() }
    return new Context({ ...parts, caller: undefined, session: undefined })
  }

  /** The same work for a client at another address, which a trusted component vouches for. */
  from(ip: string): Context {
    return new Context({ ...this.#parts(), ip })
  }

  /** The same context, with what was computed in it, once its transaction has ended. */
  outside(): Context {
    const { before: _before, after: _after, ...parts } = this.#parts()
    return new Context({ ...parts, db: this.services.database.reader, inTransaction: false })
  }

  /** Whether statements of this context see uncommitted rows of a transaction. */
  get inTransaction(): boolean {
    return this.#inTransaction
  }

  /** The same connection, for statements that read or change rows of several organizations on purpose. */
  get acrossOrganizations(): Db {
    return this.rawDb
  }

  /** Shared values with a time to live; inside a transaction they are written with it. */
  get kv(): TtlStore {
    return this.#inTransaction ? new TtlStore(this.rawDb, this.rawDb) : this.services.kv
  }

  /**
   * Runs work in one transaction (the current one, if any); `afterCommit` steps run once it is durable. Work may be run
   * again from its beginning when part of it was moved out by `runOutsideTransaction`.
   */
  async transaction<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
    if (this.#inTransaction) return work(this)
    const doneAside = new Map<string, unknown>()
    for (;;) {
      try {
        return await this.#transaction(work, doneAside)
      } catch (error) {
        if (!(error instanceof Aside)) throw error
        if (doneAside.size >= mostAsides)
          throw new Error('The key passed to runOutsideTransaction differs in each run of the transaction.')
        await error.doInto(doneAside)
      }
    }
  }

  async #transaction<T>(work: (ctx: Context) => Promise<T>, doneAside: Map<string, unknown>): Promise<T> {
    const before: (() => Promise<void>)[] = []
    const after: (() => void | Promise<void>)[] = []
    const parts = { ...this.#parts(), before, after, inTransaction: true, doneAside }
    const { database, events } = this.services
    let published = false
    const result = await database.transaction(async (db) => {
      const done = await work(new Context({ ...parts, db, memos: new Map() }))
      for (const step of before) await step()
      published = events.publishedBy(db)
      return done
    })
    if (published) events.poke()
    for (const step of after) await step()
    return result
  }

  /**
   * Runs slow work that needs no database, such as a password hash, without blocking other writers: the transaction is
   * rolled back, the work runs, and the transaction runs again with the result available.
   * @param key identifies the work; it must be the same each time the transaction runs
   */
  async runOutsideTransaction<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (!this.#inTransaction) return work()
    if (!this.#doneAside.has(key)) throw new Aside(key, work)
    return this.#doneAside.get(key) as T
  }

  /** Queues a job with the current transaction. Returns its id, which is also the id of its log. */
  enqueue<P>(kind: Queueable<P>, payload: P, options: Enqueue = {}): Promise<string> {
    const creator = this.caller?.id ?? 'System'
    return this.services.jobs.enqueue(this.rawDb, kind, payload, {
      orgId: this.orgId,
      creator,
      address: this.ip || undefined,
      language: this.language,
      ...options,
    })
  }

  /** Publishes an event with the current transaction. */
  publish<T>(kind: EventKind<T>, payload: T): Promise<void> {
    return this.services.events.send(this.rawDb, kind, payload)
  }

  /**
   * Runs at the end of the transaction, so that the rows it locks are held as briefly as possible; outside a
   * transaction, at once.
   */
  async beforeCommit(step: () => Promise<void>): Promise<void> {
    if (this.#inTransaction) this.#before.push(step)
    else await step()
  }

  /** Runs when the transaction is durable, never after a rollback. */
  afterCommit(step: () => void | Promise<void>): void {
    this.#after.push(step)
  }

  /** Computes a value once per request and key. */
  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    let known = this.#memos.get(key) as Promise<T> | undefined
    if (!known) {
      known = make()
      this.#memos.set(key, known)
    }
    return known
  }

  /** Notes something about this unit of work, which also its answer knows. */
  note(key: string): void {
    this.#memos.set(key, Promise.resolve())
  }

  hasNoted(key: string): boolean {
    return this.#memos.has(key)
  }

  forget(key: string): void {
    this.#memos.delete(key)
  }

  /** Runs independent queries: concurrently, or one after the other in a transaction, which has one connection. */
  async together<T extends readonly unknown[]>(...questions: { [K in keyof T]: () => Promise<T[K]> }): Promise<T> {
    if (!this.#inTransaction) return (await Promise.all(questions.map((ask) => ask()))) as unknown as T
    const answers: unknown[] = []
    for (const ask of questions) answers.push(await ask())
    return answers as unknown as T
  }
}

/** A context of the system itself, for start-up, clean-up and jobs (in the language of the user who started them). */
export function systemContext(services: Services, orgId: string = rootOrgId, language: Language = 'en'): Context {
  return new Context({ services, db: services.database.writer, orgId, language, zone: 'UTC' })
}
