import { ApiError } from '../../kit/api/errors.ts'
import { type PlainKey, t } from '../text.ts'

/** Why no connection came about: a sentence of ours, and what the server said beside it. */
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

/** Code of a refused call; 404 has none of its own. */
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

/** The refusal for a code that came by another way than an error. */
export function refusalFor(code: string): Refusal {
  return { code, title: t(sentences[code] ?? 'refusedOther'), detail: '' }
}
