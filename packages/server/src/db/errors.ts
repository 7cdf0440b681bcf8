export type ConstraintKind = 'unique' | 'foreign'

/** The constraint that a statement violated; undefined for other errors. */
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
 * PostgreSQL's codes for a value it cannot parse: a text with NUL or an invalid byte sequence, a number that is
 * malformed or out of range (PostgreSQL, appendix A, class 22). Such a value came from a request.
 */
const unreadable = new Set(['22021', '22P05', '22P02', '22003'])

/** Whether a database rejected a statement because a value in it cannot be stored or compared. */
export const unreadableValue = (error: unknown): boolean => unreadable.has(String((error as { code?: unknown }).code))

/** PostgreSQL aborted the transaction because of a deadlock or a serialization failure (appendix A, class 40). */
export const lostToAnother = (error: unknown): boolean =>
  ['40P01', '40001'].includes(String((error as { code?: unknown }).code))

/** Reason why the database cannot serve any request at present: full disk, or database unavailable. */
export type Outage = 'full' | 'unavailable'

const noRoom = new Set(['ENOSPC', 'EDQUOT', '53100'])
/**
 * PostgreSQL: read-only standby, too many connections, and whole error classes (connection, operator intervention,
 * resources).
 */
const cannotServe = /^(?:08|57P|53|25006)/
/** SQLite: busy beyond the timeout, locked, read-only, I/O error, file cannot be opened. */
const sqliteUnavailable = new Set([5, 6, 8, 10, 14])

/** A connection to the database could not be opened, or broke. */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`The database does not answer: ${(cause as Error).message}`, { cause })
  }
}

/** The outage that an error indicates; undefined for an error caused by the request. */
export function outageOf(error: unknown): Outage | undefined {
  if (error instanceof DatabaseUnavailableError) return 'unavailable'
  const { code, errcode } = error as { code?: unknown; errcode?: number }
  const primary = (errcode ?? 0) & 0xff
  if (noRoom.has(String(code)) || primary === 13) return 'full'
  if (sqliteUnavailable.has(primary) || (typeof code === 'string' && cannotServe.test(code))) return 'unavailable'
  return undefined
}
