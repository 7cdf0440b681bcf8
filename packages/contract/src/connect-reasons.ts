/** Why a connection to a target failed, as people read it. */

import { gatewayMessages } from './messages/gateway.ts'
import type { Message } from './messages.ts'

/** What the system (`code`) or the SSH library (`level`) says of a failed connection. */
export interface ConnectError extends Error {
  code?: string
  level?: string
}

/** The reason behind an error of a TCP or SSH connection; "the host closed the connection" when it says nothing known. */
export function connectReason({ code, level }: ConnectError): Message {
  if (level === 'client-authentication') return gatewayMessages.reasonAuth
  if (level === 'client-timeout' || code === 'ETIMEDOUT') return gatewayMessages.reasonTimeout
  if (code === 'ECONNREFUSED') return gatewayMessages.reasonRefused
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return gatewayMessages.reasonNoHost
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return gatewayMessages.reasonUnreachable
  return gatewayMessages.reasonClosed
}
