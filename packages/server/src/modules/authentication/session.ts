import { randomBytes } from 'node:crypto'
import { defineEvent } from '../../kernel/events/events.ts'
import type { Context, Services, SessionHandle } from '../../kernel/module/context.ts'
import { hashed } from '../../kernel/security/random.ts'
import { signInSessions } from './settings.ts'

/** Browser sessions of these users have ended early, by the user or by an administrator. */
export const loginsEnded = defineEvent<{ userIds: string[] }>('authentication.logins.ended')

/** Seconds a session lives after its last request. */
export const sessionAge = (ctx: Context): number => signInSessions.of(ctx).SESSION_COOKIE_AGE
/** An API sign-in keeps its state this long between its calls. Seconds. */
export const jarAge = 600
/** A request extends the session at most this often, so that reading rarely writes. Milliseconds. */
const touchEvery = 60_000

/** In a browser session that a provider opened: the row of that sign-in (`provider-session.ts`). */
export const providerMark = 'provider_session'

export const randomKey = () => randomBytes(24).toString('base64url')

type Data = Record<string, unknown>

/** A session in memory during one request; written back once, when the response is known. */
export class Session implements SessionHandle {
  #cookie: string
  #stored: string | undefined
  #data: Data
  #dirty = false
  #touched: number
  #ended = false
  #age: number
  /** The user of the session when the request arrived. */
  readonly #owner: string | undefined
  readonly #lasting: number
  userId: string | undefined

  /** @param lasting lifetime between requests after a sign-in; seconds */
  constructor(
    lasting: number,
    cookie?: string,
    row?: { key: string; user_id: string | null; data: string; date_updated: number },
  ) {
    this.#lasting = lasting
    this.#cookie = cookie ?? ''
    this.#stored = row?.key
    this.#data = row ? JSON.parse(row.data) : {}
    this.#touched = Number(row?.date_updated ?? 0)
    this.#age = Number(this.#data.age ?? lasting)
    this.userId = row?.user_id ?? undefined
    this.#owner = this.userId
  }

  get key(): string {
    return this.#stored ?? ''
  }

  get exists(): boolean {
    return this.#stored !== undefined
  }

  get<T>(name: string): T | undefined {
    return this.#data[name] as T | undefined
  }

  set(name: string, value: unknown): void {
    if (this.#data[name] === value) return
    this.#data[name] = value
    this.#dirty = true
  }

  delete(...names: string[]): void {
    for (const name of names)
      if (name in this.#data) {
        delete this.#data[name]
        this.#dirty = true
      }
  }

  /** Gives the session a new key, against session fixation: a key known before the sign-in is invalid after it. */
  #retired: string[] = []
  renew(): void {
    if (this.#stored) this.#retired.push(this.#stored)
    this.#stored = undefined
    this.#cookie = ''
    this.#dirty = true
  }

  /** Sets the lifetime between requests. Seconds. */
  keepFor(age: number): void {
    this.#age = age
    this.set('age', age)
  }

  signIn(userId: string): void {
    this.renew()
    this.userId = userId
    this.keepFor(this.#lasting)
  }

  end(): void {
    this.#ended = true
    if (this.#stored) this.#retired.push(this.#stored)
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Saves changes. Returns the new value of the session cookie, `null` to delete it, or undefined to leave it. */
  async save(services: Services): Promise<{ value: string | null; age: number | undefined } | undefined> {
    const db = services.database.writer
    await this.#dropRetired(services)
    if (this.#ended) return { value: null, age: undefined }
    const now = Date.now()
    const expiry = now + this.#age * 1000
    if (!this.#stored) {
      if (!this.#dirty) return undefined
      this.#cookie = randomKey()
      const key = hashed(this.#cookie)
      await db
        .insertInto('authentication_session')
        .values({
          key,
          user_id: this.userId ?? null,
          data: JSON.stringify(this.#data),
          date_created: now,
          date_updated: now,
          date_expired: expiry,
        })
        .execute()
      this.#stored = key
      return { value: this.#cookie, age: this.#cookieAge() }
    }
    if (!this.#dirty && now - this.#touched < touchEvery) return undefined
    await db
      .updateTable('authentication_session')
      .set({
        ...(this.#dirty ? { data: JSON.stringify(this.#data), user_id: this.userId ?? null } : {}),
        date_updated: now,
        date_expired: expiry,
      })
      .where('key', '=', this.#stored)
      .execute()
    return this.#cookieAge() === undefined ? undefined : { value: this.#cookie, age: this.#cookieAge() }
  }

  async #dropRetired({ database, events }: Services): Promise<void> {
    const owner = this.#owner
    if (this.#retired.length === 0) return
    const atProvider = this.#ended ? this.get<string>(providerMark) : undefined
    await database.transaction(async (db) => {
      // Its tokens are good for nothing more: a sign-out ends them at most providers.
      if (atProvider) await db.deleteFrom('authentication_providersession').where('id', '=', atProvider).execute()
      await db.deleteFrom('authentication_session').where('key', 'in', this.#retired).execute()
      if (owner) await events.send(db, loginsEnded, { userIds: [owner] })
    })
  }

  /** Cookies of browser sessions have no age; those of "keep me signed in" and of API jars do. */
  #cookieAge(): number | undefined {
    return this.#data.persistent || this.#age === jarAge ? this.#age : undefined
  }
}

export async function loadSession(ctx: Context, cookie: string | undefined): Promise<Session> {
  const lasting = sessionAge(ctx)
  if (!cookie) return new Session(lasting)
  const row = await ctx.services.database.reader
    .selectFrom('authentication_session')
    .selectAll()
    .where('key', '=', hashed(cookie))
    .where('date_expired', '>', Date.now())
    .executeTakeFirst()
  return row ? new Session(lasting, cookie, row as never) : new Session(lasting, cookie)
}

export async function endSessions(ctx: Context, userId: string): Promise<void> {
  await ctx.transaction(async (inside) => {
    await inside.rawDb.deleteFrom('authentication_session').where('user_id', '=', userId).execute()
    await inside.publish(loginsEnded, { userIds: [userId] })
  })
}
