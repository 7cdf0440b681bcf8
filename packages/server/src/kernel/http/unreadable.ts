import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { errors } from '@castellan/contract/messages/errors'
import { languageOfHead, rawAnswer } from '@castellan/ingress/raw-http'
import { type ApiError, failure, methodNotAllowed, parseError, text } from '../module/errors.ts'
import { methodsOfRoutes } from './route.ts'

const failures: Readonly<Record<string, ApiError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: failure(408, 'error', text(errors.request_too_slow)),
  HPE_HEADER_OVERFLOW: failure(431, 'error', text(errors.headers_too_long)),
}

function end(socket: Duplex, head: string, error: ApiError): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const status = `${error.status} ${STATUS_CODES[error.status]}`
  const body = JSON.stringify(error.body(languageOfHead(head)))
  socket.end(rawAnswer(head, { status, body, headers: error.headers }), () => socket.destroy())
}

/** Answers a request that Node.js cannot parse with an API error and closes the connection. */
export function answerUnreadable(error: Error & { code?: string; rawPacket?: Buffer }, socket: Duplex): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const head = error.rawPacket?.toString('latin1') ?? ''
  const method = error.code === 'HPE_INVALID_METHOD' && /^[!#$%&'*+.^_`|~\w-]{1,32}(?= )/.exec(head)?.[0]
  end(socket, head, method ? methodNotAllowed(method, methodsOfRoutes) : (failures[error.code ?? ''] ?? parseError()))
}

/** Node.js reports CONNECT requests only through their own event. */
export function refuseConnect({ headers }: IncomingMessage, socket: Duplex): void {
  const head = `accept-language: ${headers['accept-language'] ?? ''}\r\n`
  socket.on('error', () => socket.destroy())
  end(socket, head, methodNotAllowed('CONNECT', methodsOfRoutes))
}
