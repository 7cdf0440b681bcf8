import { timingSafeEqual } from 'node:crypto'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { isUuid, type TokenRequest } from '../server-client/api.ts'
import { ServerRefusal } from '../server-client/http.ts'
import { type Grant, plain, type ReviewTicket } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { SessionDenied } from './session-denied.ts'
import type { User } from './user.ts'

/** How a person is asked about a review; without one, a connection that needs a review is refused. */
export interface ReviewDialog {
  /** Whether to ask for the review at all. */
  confirm(): Promise<boolean>
  /** Shows whom to wait for; resolves when the person gives up. */
  waiting(ticket: ReviewTicket): { cancelled: Promise<void>; close(): void }
  /** Says how it ended. */
  decided(approved: boolean, processor: string): void
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

const reviewPoll = 3000

/** Gets a grant for what a person chose in a menu or named on a command line; login rules are decided by the server here. */
export async function requestGrant(
  broker: Broker,
  person: User,
  wanted: ConnectRequest,
  dialog?: ReviewDialog,
): Promise<Grant> {
  const request: TokenRequest = {
    user: person.id,
    asset: wanted.asset,
    account: wanted.account,
    protocol: wanted.protocol,
    connect_method: wanted.connectMethod,
    input_username: wanted.inputUsername ?? '',
    input_secret: wanted.inputSecret ?? '',
    remote_addr: person.remoteAddr,
  }
  try {
    const token = await broker.api.createToken(request, false)
    return ofPerson(await broker.api.grant(token.id), person)
  } catch (error) {
    if (!(error instanceof ServerRefusal) || error.code !== 'acl_review' || !dialog) throw error
  }
  if (!(await dialog.confirm())) throw new SessionDenied('permission_denied', gatewayMessages.reviewCancelled)
  const token = await broker.api.createToken(request, true)
  if (!('check_ticket_api' in token.from_ticket_info)) {
    return ofPerson(await broker.api.grant(token.id), person)
  }
  await reviewed(broker, token.from_ticket_info as ReviewTicket, token.id, dialog)
  return ofPerson(await broker.api.grant(token.id), person)
}

async function reviewed(broker: Broker, ticket: ReviewTicket, token: string, dialog: ReviewDialog): Promise<void> {
  const wait = dialog.waiting(ticket)
  let cancelled = false
  const giveUp = wait.cancelled.then(() => {
    cancelled = true
  })
  try {
    for (;;) {
      await Promise.race([giveUp, new Promise((resolve) => setTimeout(resolve, reviewPoll))])
      if (cancelled) {
        await broker.api.closeTicket(ticket.close_ticket_api)
        throw new SessionDenied('permission_denied', gatewayMessages.reviewCancelled)
      }
      const { status, state, processor } = await broker.api.ticketState(ticket.check_ticket_api)
      if (plain(status) !== 'closed') {
        await broker.api.renewToken(token)
        continue
      }
      const approved = plain(state) === 'approved'
      dialog.decided(approved, processor ?? '')
      if (approved) return
      throw new SessionDenied('permission_denied', gatewayMessages.reviewRejected, { name: processor ?? '' })
    }
  } finally {
    wait.close()
  }
}

/** A grant must be the person's own, whatever token was named. */
function ofPerson(grant: Grant, person: User): Grant {
  if (grant.user.id !== person.id) throw new SessionDenied('token_invalid', gatewayMessages.tokenInvalid)
  return grant
}

/** Redeems the connection token a browser brought. The token must be this person's and made for such a use. */
export async function redeemToken(broker: Broker, person: User, token: string, methods: string[]): Promise<Grant> {
  if (!isUuid(token)) throw new SessionDenied('token_invalid', gatewayMessages.tokenInvalid)
  const look = await lookAt(broker, token)
  if (look.user.id !== person.id || !methods.includes(plain(look.connect_method))) {
    throw new SessionDenied('token_invalid', gatewayMessages.tokenInvalid)
  }
  return ofPerson(await redeem(broker, token), person)
}

/**
 * Redeems a token by its value, as native clients do (`JMS-<token id>` and the value as password). The person is the
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

/** Reads a token without using it up, so that a stranger's guess does not burn it. */
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
