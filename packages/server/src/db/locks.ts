import { sql } from 'kysely'
import type { Db, DialectName } from './database.ts'

/** Numbers of PostgreSQL's advisory locks; each is held until the transaction ends. */
const numbers = { jobKeys: 4242003 } as const

/** Makes a transaction the only one of its kind until it ends. On SQLite there is only one that writes anyway. */
export async function lockFor(db: Db, dialect: DialectName, what: keyof typeof numbers): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${numbers[what]})`.execute(db)
}
