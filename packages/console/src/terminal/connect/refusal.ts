import { ApiError } from '../../kit/api/errors.ts'
import { type PlainKey, t } from '../text.ts'

/** Why a connection failed: a localized message, and the server's own message. */
export interface Refusal {
  code: string
  title: string
  detail: string
}

const sentences: Record<string, PlainKey> = {
  acl_reject: 'refusedByRule',
  ticket_review_pending: 'reviewPending',
  ticket_review_rejected: 'reviewRejected',
  ticket_review_closed: 'reviewClosed',
  perm_account_invalid: 'refusedNoPermission',
  perm_expired: 'refusedExpired',
  not_found: 'refusedGone',
}

/** Error code of a rejected request; 404 has no code of its own. */
export function refusalCode(error: unknown): string {
  if (!(error instanceof ApiError)) return ''
  const code = (error.body as { code?: unknown } | undefined)?.code
  if (typeof code === 'string') return code
  return error.status === 404 ? 'not_found' : ''
}

export function refusalOf(error: unknown): Refusal {
  const code = refusalCode(error)
  if (sentences[code]) return refusalFor(code)
  return { code, title: t('refusedOther'), detail: error instanceof Error ? error.message : String(error) }
}

/** The failure for a code that did not arrive as an exception. */
export function refusalFor(code: string): Refusal {
  return { code, title: t(sentences[code] ?? 'refusedOther'), detail: '' }
}
