import { type Language, type Message, type Placeholders, say, withoutControls } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type { SessionEndReason } from '@castellan/contract/web-terminal'
import { log } from '../log.ts'
import { ServerRefusal, ServerUnreachable } from '../server-client/http.ts'
import { allows, type Grant } from '../server-client/wire.ts'

/** Why a connection is denied or ends, with a text for the user. */
export class SessionDenied extends Error {
  override name = 'SessionDenied'
  readonly reason: SessionEndReason
  readonly text: Message
  readonly values: Placeholders

  constructor(reason: SessionEndReason, text: Message, values: Placeholders = {}, options?: ErrorOptions) {
    super(say(text, 'en', values), options)
    this.reason = reason
    this.text = text
    this.values = values
  }

  say(language: Language): string {
    return say(this.text, language, this.values)
  }
}

/** An action that cannot be recorded must not happen. */
export const notRecorded = (cause: unknown) =>
  new SessionDenied('recording_failed', gatewayMessages.recordingFailed, {}, { cause })

/** Throws unless a grant has the action `connect`, which every kind of connection needs. */
export function requireConnect(grant: Grant): void {
  if (!allows(grant, 'connect')) throw new SessionDenied('permission_denied', gatewayMessages.permissionDenied)
}

/** A text of the server or a target, unchanged in every language. */
export const verbatim = (words: string): Message => {
  const text = withoutControls(words)
  return { en: text, zh: text, ja: text }
}

/** Converts any error to a `SessionDenied`; an unexpected one is logged and shown as an internal error. */
export function refusalOf(error: unknown): SessionDenied {
  if (error instanceof SessionDenied) return error
  if (error instanceof ServerUnreachable) {
    return new SessionDenied('server_unreachable', gatewayMessages.serverUnreachable, {}, { cause: error })
  }
  if (error instanceof ServerRefusal) {
    const known: Record<string, SessionDenied> = {
      acl_reject: new SessionDenied('permission_denied', gatewayMessages.loginRejected),
      acl_review: new SessionDenied('permission_denied', gatewayMessages.loginNeedsReview),
      perm_expired: new SessionDenied('permission_expired', gatewayMessages.permissionEnded),
      perm_account_invalid: new SessionDenied('permission_denied', gatewayMessages.permissionDenied),
    }
    if (known[error.code]) return known[error.code] as SessionDenied
    if (error.status === 403) return new SessionDenied('permission_denied', gatewayMessages.permissionDenied)
    if (error.status === 404) return new SessionDenied('token_invalid', gatewayMessages.tokenInvalid)
    log.warn({ err: error }, 'the server denied the session')
    if (error.status < 500 && error.detail) return new SessionDenied('permission_denied', verbatim(error.detail))
    return new SessionDenied('server_unreachable', gatewayMessages.serverUnreachable, {}, { cause: error })
  }
  log.error({ err: error }, 'unexpected error')
  return new SessionDenied('internal', gatewayMessages.internalError, {}, { cause: error })
}
