import type { FileErrorCode } from '@castellan/contract/web-terminal'
import { type PlainKey, t } from '../text.ts'
import { fileErrorCode } from './files-api.ts'

const sentences: Record<FileErrorCode, PlainKey> = {
  bad_request: 'fileBadRequest',
  unauthenticated: 'endUnauthenticated',
  token_invalid: 'endTokenInvalid',
  permission_denied: 'filePermission',
  not_found: 'fileNotFound',
  exists: 'fileExists',
  offset_mismatch: 'fileCut',
  too_large: 'fileTooLarge',
  locked: 'fileLocked',
  session_ended: 'fileSessionEnded',
  connect_failed: 'endConnectFailed',
  host_key_mismatch: 'endHostKey',
  recording_failed: 'endRecording',
  target_error: 'fileTargetError',
}

/** The message for an error of the file manager, followed by the target's own message if it adds details. */
export function fileErrorText(error: unknown): string {
  const code = fileErrorCode(error)
  const message = error instanceof Error ? error.message : String(error)
  const key = code && sentences[code]
  if (!key) return message
  return code === 'target_error' || code === 'bad_request' ? `${t(key)} ${message}`.trim() : t(key)
}
