import { SystemFailure, type SystemFailureCode } from '../account-system.ts'

/** The most accounts that a list may have. */
export const mostAccounts = 10_000

const longestDetail = 300
/** Shorter parts of a secret are found in ordinary words by chance. */
const tellingLength = 6

function hasPartOf(text: string, secret: string): boolean {
  const length = Math.min(secret.length, tellingLength)
  if (length === 0) return false
  for (let at = 0; at + length <= secret.length; at++) if (text.includes(secret.slice(at, at + length))) return true
  return false
}

/**
 * What a server said, in bounded length. A server may quote the statement that it refused, so a text with a part of a
 * secret is not repeated.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const quoted = secrets.some((secret) => hasPartOf(text, secret))
  return quoted ? 'the server refused the statement' : text.replaceAll(/\s+/g, ' ').trim().slice(0, longestDetail)
}

/** What a client library throws. */
export interface LibraryError extends Error {
  code?: string | number | undefined
  errno?: number | undefined
}

/** Node.js and the libraries have a code for each reason; mysql2 has one of its own. */
const certificateCode = /CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER)|HANDSHAKE_SSL/

/** Whether we ourselves did not accept the certificate of a server. */
export function isCertificateRefused(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false
  const { code } = error as LibraryError
  return (typeof code === 'string' && certificateCode.test(code)) || isCertificateRefused(error.cause, depth + 1)
}

/**
 * Names a failure by the code the server gave; anything else becomes an error of the connection without the statement,
 * which libraries attach to their errors.
 */
export function namedFailure(
  error: unknown,
  code: SystemFailureCode | undefined,
  secrets: readonly string[],
): SystemFailure | LibraryError {
  if (error instanceof SystemFailure) return error
  const known: LibraryError = error instanceof Error ? error : new Error(String(error))
  const detail = withoutSecrets(known.message, secrets)
  if (code) return new SystemFailure(code, detail)
  if (isCertificateRefused(known))
    return new SystemFailure('unsupported', `the certificate of the server is not accepted: ${detail}`)
  return Object.assign(new Error(detail), typeof known.code === 'string' ? { code: known.code } : {})
}

/** @throws SystemFailure `bad_name` for what no account is called */
export function demandName(username: string, longestBytes = 1024): void {
  if (username === '' || username.includes('\0') || Buffer.byteLength(username) > longestBytes)
    throw new SystemFailure('bad_name', `the name of an account has 1 to ${longestBytes} bytes`)
}

/** @throws SystemFailure for what no method of a database sets */
export function demandPassword(secretType: string, secret: string): void {
  if (secretType !== 'password') throw new SystemFailure('unsupported', 'a database has passwords only')
  if (secret === '' || secret.includes('\0'))
    throw new SystemFailure('secret_rejected', 'a password has at least one character, and no NUL')
}

/** @throws SystemFailure `bad_answer` instead of an incomplete list */
export function demandWhole<T>(accounts: readonly T[]): readonly T[] {
  if (accounts.length > mostAccounts)
    throw new SystemFailure('bad_answer', `the server has more than ${mostAccounts} accounts`)
  return accounts
}

/** An account of which the system knows no last sign-in. */
export const listed = (username: string) => ({ username, address: '', lastLogin: null })

export const accountMissing = (username: string) =>
  new SystemFailure('account_missing', `there is no account ${JSON.stringify(username)}`)
