import { type Language, type Message, type Placeholders, say } from '@castellan/contract/messages'
import { fileMessages, gatewayMessages } from '@castellan/contract/messages/gateway'
import type { FileError, FileErrorCode } from '@castellan/contract/web-terminal'
import type { Denial } from '../../brokering/file-session.ts'
import { refusalOf, SessionDenied } from '../../brokering/session-denied.ts'

const statuses: Record<FileErrorCode, number> = {
  bad_request: 400,
  unauthenticated: 401,
  token_invalid: 403,
  permission_denied: 403,
  not_found: 404,
  exists: 409,
  offset_mismatch: 409,
  too_large: 413,
  locked: 423,
  session_ended: 404,
  connect_failed: 502,
  host_key_mismatch: 502,
  recording_failed: 502,
  target_error: 502,
}

const texts: Partial<Record<FileErrorCode, Message>> = {
  bad_request: fileMessages.badRequest,
  unauthenticated: fileMessages.unauthenticated,
  token_invalid: gatewayMessages.tokenInvalid,
  permission_denied: gatewayMessages.permissionDenied,
  not_found: fileMessages.notFound,
  exists: fileMessages.exists,
  offset_mismatch: fileMessages.offsetMismatch,
  too_large: fileMessages.tooLarge,
  locked: fileMessages.locked,
  session_ended: fileMessages.ended,
}

/** An error of the file manager, as in its contract. */
export class FileFailure extends Error {
  readonly code: FileErrorCode
  readonly offset: number | undefined
  private readonly text: Message
  private readonly values: Placeholders

  constructor(code: FileErrorCode, options: { text?: Message; values?: Placeholders; offset?: number } = {}) {
    super(code)
    this.code = code
    this.offset = options.offset
    this.text = options.text ?? texts[code] ?? fileMessages.badRequest
    this.values = options.values ?? {}
  }

  get status(): number {
    return statuses[this.code]
  }

  body(language: Language): FileError {
    const error: FileError = { code: this.code, detail: say(this.text, language, this.values) }
    return this.offset === undefined ? error : { ...error, offset: this.offset }
  }
}

export function denied(denial: Denial): FileFailure {
  return new FileFailure(denial)
}

/** Converts a status of the target's sftp server, or any other error. */
export function failureOf(error: unknown): FileFailure {
  if (error instanceof FileFailure) return error
  // ssh2 returns the status code of the sftp answer as a number.
  const code = (error as { code?: unknown } | null)?.code
  if (code === 2) return new FileFailure('not_found')
  if (code === 3) return new FileFailure('permission_denied', { text: fileMessages.targetDenied })
  if (typeof code === 'number') {
    return new FileFailure('target_error', {
      text: fileMessages.targetFailed,
      values: { reason: (error as Error).message },
    })
  }
  if (
    !(error instanceof SessionDenied) &&
    error instanceof Error &&
    /no response from server|not connected|channel/i.test(error.message)
  ) {
    return new FileFailure('session_ended')
  }
  const refusal = refusalOf(error)
  const known: Partial<Record<string, FileErrorCode>> = {
    token_invalid: 'token_invalid',
    permission_denied: 'permission_denied',
    permission_expired: 'permission_denied',
    host_key_mismatch: 'host_key_mismatch',
    recording_failed: 'recording_failed',
    connect_failed: 'connect_failed',
  }
  return new FileFailure(known[refusal.reason] ?? 'target_error', { text: refusal.text, values: refusal.values })
}
