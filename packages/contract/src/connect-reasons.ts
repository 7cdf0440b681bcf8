/** Readable reasons of failed connections to a target. */

import { gatewayMessages } from './messages/gateway.ts'
import type { Message } from './messages.ts'

/** Error codes of the system (`code`) and the SSH library (`level`) for failed connections. */
export interface ConnectError extends Error {
  code?: string
  level?: string
  /** Why a channel was not opened (RFC 4254 §5.1). */
  reason?: number
}

/** Values of `ConnectError.reason`. */
const channelProhibited = 1

/** The reason of a TCP or SSH connection error; "the host closed the connection" for unknown errors. */
export function connectReason({ code, level }: ConnectError): Message {
  if (level === 'client-authentication') return gatewayMessages.reasonAuth
  if (level === 'password-expired') return gatewayMessages.reasonPasswordExpired
  if (level === 'client-timeout' || code === 'ETIMEDOUT') return gatewayMessages.reasonTimeout
  if (code === 'ECONNREFUSED') return gatewayMessages.reasonRefused
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return gatewayMessages.reasonNoHost
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return gatewayMessages.reasonUnreachable
  return gatewayMessages.reasonClosed
}

/** Why a gateway could not be used for a connection to a target. */
export function gatewayReason(error: ConnectError): Message {
  if (error.reason === channelProhibited) return gatewayMessages.reasonNoForwarding
  return error.reason === undefined ? connectReason(error) : gatewayMessages.reasonNotReachedFromGateway
}
