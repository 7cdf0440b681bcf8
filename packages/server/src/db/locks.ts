import { sql } from 'kysely'
import type { Db, DialectName } from './database.ts'

/** The class of our advisory locks on PostgreSQL. */
const lockClass = 4242003

/** Makes transactions with the same key wait for each other until they end. SQLite has one writer at a time anyway. */
export async function lockUntilCommit(db: Db, dialect: DialectName, key: string): Promise<void> {
  if (dialect === 'postgres')
    await sql`select pg_advisory_xact_lock(${sql.lit(lockClass)}, hashtext(${key}))`.execute(db)
}
