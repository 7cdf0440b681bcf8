import { timingSafeEqual } from 'node:crypto'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { isUuid, type TokenRequest } from '../server-client/api.ts'
import { ServerRefusal } from '../server-client/http.ts'
import { type Grant, plain, type ReviewTicket } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { SessionDenied } from './session-denied.ts'
import type { User } from './user.ts'

/** The user interface of a connection review; without it, a connection that needs a review is denied. */
export interface ReviewDialog {
  /** Asks whether to request the review. */
  confirm(): Promise<boolean>
  /** Shows the reviewers; resolves when the user cancels. */
  waiting(ticket: ReviewTicket): { cancelled: Promise<void>; close(): void }
  /** Shows who approved; a rejection is shown as the reason why the connection is denied. */
  approved(name: string): void
}

export type ConnectMethod = 'ssh_client' | 'sftp_client'

export interface ConnectRequest {
  asset: string
  /** Alias of the account: its name, or `@INPUT`, `@USER`. */
  account: string
  protocol: string
  connectMethod: ConnectMethod
  inputUsername?: string
  inputSecret?: string
}

/** Requests a grant for a choice in a menu or on a command line; the server evaluates its login rules here. */
export async function requestGrant(
  broker: Broker,
  user: User,
  wanted: ConnectRequest,
  dialog?: ReviewDialog,
): Promise<Grant> {
  const request: TokenRequest = {
    user: user.id,
    asset: wanted.asset,
    account: wanted.account,
    protocol: wanted.protocol,
    connect_method: wanted.connectMethod,
    input_username: wanted.inputUsername ?? '',
    input_secret: wanted.inputSecret ?? '',
    remote_addr: user.remoteAddr,
  }
  try {
    const token = await broker.api.createToken(request, false)
    return ofUser(await broker.api.grant(token.id), user)
  } catch (error) {
    if (!(error instanceof ServerRefusal) || error.code !== 'acl_review' || !dialog) throw error
  }
  if (!(await dialog.confirm())) throw new SessionDenied('permission_denied', gatewayMessages.reviewCancelled)
  const token = await broker.api.createToken(request, true)
  if (!('check_ticket_api' in token.from_ticket_info)) {
    return ofUser(await broker.api.grant(token.id), user)
  }
  await reviewed(broker, token.from_ticket_info as ReviewTicket, token.id, dialog)
  return ofUser(await broker.api.grant(token.id), user)
}

async function reviewed(broker: Broker, ticket: ReviewTicket, token: string, dialog: ReviewDialog): Promise<void> {
  const wait = dialog.waiting(ticket)
  try {
    const outcome = await broker.approvals.decision(ticket, wait.cancelled, () => broker.api.renewToken(token))
    switch (outcome.kind) {
      case 'approved':
        return dialog.approved(outcome.name)
      case 'rejected':
        throw new SessionDenied('permission_denied', gatewayMessages.reviewRejected, { name: outcome.name })
      case 'withdrawn':
        throw new SessionDenied('permission_denied', gatewayMessages.reviewCancelled)
      case 'closed':
        throw new SessionDenied('permission_denied', gatewayMessages.reviewClosed)
    }
  } finally {
    wait.close()
  }
}

/** Throws unless a grant is the user's own, whatever token was sent. */
function ofUser(grant: Grant, user: User): Grant {
  if (grant.user.id !== user.id) throw new SessionDenied('token_invalid', gatewayMessages.tokenInvalid)
  return grant
}

/** Redeems a connection token from a browser. It must belong to this user and to one of these methods. */
export async function redeemToken(broker: Broker, user: User, token: string, methods: string[]): Promise<Grant> {
  if (!isUuid(token)) throw new SessionDenied('token_invalid', gatewayMessages.tokenInvalid)
  const look = await lookAt(broker, token)
  if (look.user.id !== user.id || !methods.includes(plain(look.connect_method))) {
    throw new SessionDenied('token_invalid', gatewayMessages.tokenInvalid)
  }
  return ofUser(await redeem(broker, token), user)
}

/**
 * Redeems a token by its value, as native clients do (`JMS-<token id>`, with the value as password). The user is the
 * token's. Undefined when id or value is wrong.
 */
export async function redeemTokenByValue(
  broker: Broker,
  token: string,
  value: string,
  methods: string[],
): Promise<Grant | undefined> {
  if (!isUuid(token)) return undefined
  let look: Grant
  try {
    look = await lookAt(broker, token)
  } catch (error) {
    if (error instanceof SessionDenied && error.reason === 'token_invalid') return undefined
    throw error
  }
  const given = Buffer.from(value)
  const known = Buffer.from(look.value ?? '')
  if (known.length === 0 || given.length !== known.length || !timingSafeEqual(given, known)) return undefined
  return methods.includes(plain(look.connect_method)) ? redeem(broker, token) : undefined
}

/** Reads a token without consuming it, so that a wrong guess does not invalidate it. */
function lookAt(broker: Broker, token: string): Promise<Grant> {
  return asTokenError(broker.api.look(token))
}

function redeem(broker: Broker, token: string): Promise<Grant> {
  return asTokenError(broker.api.grant(token))
}

async function asTokenError(answer: Promise<Grant>): Promise<Grant> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ServerRefusal && (error.status === 403 || error.status === 404)) {
      throw new SessionDenied('token_invalid', gatewayMessages.tokenInvalid, {}, { cause: error })
    }
    throw error
  }
}
