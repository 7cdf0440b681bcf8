export type ConstraintKind = 'unique' | 'foreign'

/** Which constraint a database refused a statement for; undefined when it was something else. */
export function brokenConstraint(error: unknown): { kind: ConstraintKind; detail: string } | undefined {
  const { code, errcode, message, constraint } = error as {
    code?: string
    errcode?: number
    message?: string
    constraint?: string
  }
  const detail = constraint ?? message ?? ''
  if (code === '23505' || errcode === 2067 || errcode === 1555) return { kind: 'unique', detail }
  if (code === '23503' || errcode === 787 || errcode === 1811) return { kind: 'foreign', detail }
  return undefined
}

/**
 * PostgreSQL's codes for a value it cannot even read: a text with a null character or a broken sequence, a number out
 * of range or no number at all (PostgreSQL, appendix A, class 22). Such a value came from outside.
 */
const unreadable = new Set(['22021', '22P05', '22P02', '22003'])

/** Whether a database refused a statement because a value in it cannot be stored or compared. */
export const unreadableValue = (error: unknown): boolean => unreadable.has(String((error as { code?: unknown }).code))

/** PostgreSQL gave up one of two transactions that waited for each other (appendix A, class 40). */
export const lostToAnother = (error: unknown): boolean =>
  ['40P01', '40001'].includes(String((error as { code?: unknown }).code))

/** Why nothing can be stored or read at the moment, whatever was asked: no room, or no database. */
export type Outage = 'full' | 'unavailable'

const noRoom = new Set(['ENOSPC', 'EDQUOT', '53100'])
/** PostgreSQL refuses to write where it only follows another server, or too many are connected; the rest are whole classes. */
const cannotServe = /^(?:08|57P|53|25006)/
/** SQLite: busy for longer than anybody waits, locked, read-only, input or output failed, the file cannot be opened. */
const sqliteUnavailable = new Set([5, 6, 8, 10, 14])

/** A connection to the database that could not be had, or broke. */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`The database does not answer: ${(cause as Error).message}`, { cause })
  }
}

/** Which outage an error tells of; undefined for one that is about what was asked. */
export function outageOf(error: unknown): Outage | undefined {
  if (error instanceof DatabaseUnavailableError) return 'unavailable'
  const { code, errcode } = error as { code?: unknown; errcode?: number }
  const primary = (errcode ?? 0) & 0xff
  if (noRoom.has(String(code)) || primary === 13) return 'full'
  if (sqliteUnavailable.has(primary) || (typeof code === 'string' && cannotServe.test(code))) return 'unavailable'
  return undefined
}
