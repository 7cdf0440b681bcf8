import { join } from 'node:path'
import { DatabaseUnavailableError, outageOf } from './db/errors.ts'

/** SQLite: a damaged file, or not a database. */
const damaged = new Set([11, 26])
/** PostgreSQL rejects the user, the password, the database or this machine. */
const refusedUs = /^(?:28|3D)/

/** Why the server cannot start and what to do about it; `final` when a retry would not help. */
export function startFailure(error: unknown, dataDir: string): { text: string; final: boolean } {
  const { message, code, errcode } = error as { message?: string; code?: string; errcode?: number }
  const said = message ?? String(error)
  const file = join(dataDir, 'castellan.db')
  if (error instanceof DatabaseUnavailableError || (code && outageOf(error) === 'unavailable' && errcode === undefined))
    return { text: `${said}\nCheck DATABASE_URL, and that PostgreSQL runs and can be reached from here.`, final: false }
  if (code && refusedUs.test(code)) {
    const text = `PostgreSQL refuses us: ${said}.\nCheck DATABASE_URL: the user, the password, and the database, which has to exist.`
    return { text, final: true }
  }
  if (damaged.has((errcode ?? 0) & 0xff))
    return { text: `The database ${file} is damaged: ${said}.\nRestore the data folder from a backup.`, final: true }
  if (errcode !== undefined && outageOf(error))
    return {
      text: `The database ${file} cannot be used: ${said}.\nCheck the disk, and who may write there.`,
      final: false,
    }
  return { text: said, final: code === undefined && error instanceof Error && error.constructor === Error }
}
