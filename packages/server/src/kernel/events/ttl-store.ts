import type { Db } from '../../db/database.ts'

/** An upper bound of all keys with a prefix: keys are compared byte by byte. */
const after = (prefix: string) => `${prefix}\u{10ffff}`

/**
 * Values with a time to live of seconds to days, shared by all processes of the installation: selection tokens,
 * counters of failed sign-ins, codes, component states. Stored in the database, so that they survive a restart.
 */
export class TtlStore {
  readonly #reader: Db
  readonly #writer: Db

  constructor(reader: Db, writer: Db) {
    this.#reader = reader
    this.#writer = writer
  }

  async get<T>(key: string): Promise<T | undefined> {
    const row = await this.#reader
      .selectFrom('kernel_memory')
      .select('value')
      .where('key', '=', key)
      .where('date_expired', '>', Date.now())
      .executeTakeFirst()
    return row && (JSON.parse(row.value) as T)
  }

  async getMany<T>(keys: readonly string[]): Promise<Map<string, T>> {
    if (keys.length === 0) return new Map()
    const rows = await this.#reader
      .selectFrom('kernel_memory')
      .select(['key', 'value'])
      .where('key', 'in', keys)
      .where('date_expired', '>', Date.now())
      .execute()
    return new Map(rows.map((row) => [row.key as string, JSON.parse(row.value) as T]))
  }

  /** All unexpired keys with a prefix. */
  async withPrefix<T>(prefix: string): Promise<Map<string, T>> {
    const rows = await this.#reader
      .selectFrom('kernel_memory')
      .select(['key', 'value'])
      .where('key', '>=', prefix)
      .where('key', '<', after(prefix))
      .where('date_expired', '>', Date.now())
      .execute()
    return new Map(rows.map((row) => [row.key as string, JSON.parse(row.value) as T]))
  }

  /** `ttl` in seconds. */
  async set(key: string, value: unknown, ttl: number): Promise<void> {
    const row = { value: JSON.stringify(value), date_expired: Date.now() + ttl * 1000 }
    await this.#writer
      .insertInto('kernel_memory')
      .values({ key, ...row })
      .onConflict((c) => c.column('key').doUpdateSet(row))
      .execute()
  }

  async delete(key: string): Promise<void> {
    await this.#writer.deleteFrom('kernel_memory').where('key', '=', key).execute()
  }

  async deletePrefix(prefix: string): Promise<void> {
    await this.#writer.deleteFrom('kernel_memory').where('key', '>=', prefix).where('key', '<', after(prefix)).execute()
  }

  /** Removes and returns a value, so that only one caller gets it. */
  async take<T>(key: string): Promise<T | undefined> {
    const row = await this.#writer
      .deleteFrom('kernel_memory')
      .where('key', '=', key)
      .where('date_expired', '>', Date.now())
      .returning('value')
      .executeTakeFirst()
    return row && (JSON.parse(row.value) as T)
  }

  /** Increments a counter and extends its life; returns the new count. `ttl` in seconds from this call. */
  async count(key: string, ttl: number): Promise<number> {
    const now = Date.now()
    const row = await this.#writer
      .insertInto('kernel_memory')
      .values({ key, value: '1', date_expired: now + ttl * 1000 })
      .onConflict((c) =>
        c.column('key').doUpdateSet((eb) => ({
          value: eb
            .case()
            .when('kernel_memory.date_expired', '>', now)
            .then(eb.cast<string>(eb(eb.cast<number>('kernel_memory.value', 'integer'), '+', 1), 'text'))
            .else('1')
            .end(),
          date_expired: now + ttl * 1000,
        })),
      )
      .returning('value')
      .executeTakeFirstOrThrow()
    return Number(row.value)
  }

  async sweep(): Promise<void> {
    await this.#writer.deleteFrom('kernel_memory').where('date_expired', '<', Date.now()).execute()
  }
}
