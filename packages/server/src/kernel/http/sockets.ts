import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { say } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { mostSocketsOfSession, mostSocketsOfUser, OpenSockets, refusedUpgrade } from '@castellan/ingress/open-sockets'
import { isOwnOrigin } from '@castellan/ingress/origin'
import { type WebSocket, WebSocketServer } from 'ws'
import { isObject } from '../fields/safe-lookup.ts'
import type { Context } from '../module/context.ts'
import { ApiError } from '../module/errors.ts'
import { parseJson } from '../untrusted/json.ts'
import { isForOneHost } from './client-address.ts'

/** A WebSocket path with its access check and its handler. */
export interface SocketRoute {
  path: string
  /** Decides before the upgrade; false answers 403. */
  allow(ctx: Context): boolean | Promise<boolean>
  open(ctx: Context, socket: WebSocket): void | Promise<void>
}

/** Largest message a client may send. Bytes. */
const maxMessage = 16 * 1024 * 1024
const pingEvery = 20_000
/** How often the access of an open socket is checked again. Milliseconds. */
const proveEvery = 60_000

/** A path prefix whose upgraded connections are piped to another program. */
export interface Tunnel {
  prefix: string
  connect(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Whose open sockets are counted: the user's, and those of their browser. */
const ownersOf = ({ caller, session }: Context): [string, number][] => [
  ...(caller ? [[`user ${caller.id}`, mostSocketsOfUser] as [string, number]] : []),
  ...(caller && session?.key
    ? [[`session ${caller.id} ${session.key}`, mostSocketsOfSession] as [string, number]]
    : []),
]

/** Serves the upgrades of an HTTP server: our sockets, and tunnels to the gateway. */
export function serveSockets(
  server: Server,
  routes: readonly SocketRoute[],
  tunnels: readonly Tunnel[],
  contextOf: (request: IncomingMessage) => Promise<Context>,
): () => void {
  // We define no subprotocol, so none that a client offers is accepted.
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessage, handleProtocols: () => false })
  const alive = new WeakSet<WebSocket>()
  const counted = new OpenSockets()
  const timer = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!alive.has(socket)) {
        socket.close(1011)
        continue
      }
      alive.delete(socket)
      socket.ping()
    }
  }, pingEvery)
  timer.unref()

  const refuse = (socket: Duplex, status: string) =>
    socket.end(`HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const path = (request.url ?? '').split('?')[0] ?? ''
    const tunnel = tunnels.find(({ prefix }) => path.startsWith(prefix))
    const route = routes.find((one) => one.path === path)
    if (!isForOneHost(request, request.headers.host ?? '')) refuse(socket, '400 Bad Request')
    else if (tunnel) tunnel.connect(request, socket, head)
    else if (!route) refuse(socket, '404 Not Found')
    // Cross-site WebSocket hijacking: a page of another origin would connect with the cookies of the user who visits
    // it. Clients other than browsers send no Origin header.
    else if (request.headers.origin !== undefined && !isOwnOrigin(request)) refuse(socket, '403 Forbidden')
    else open(route, request, socket, head)
  })

  const open = (route: SocketRoute, request: IncomingMessage, socket: Duplex, head: Buffer) =>
    contextOf(request)
      .then(async (ctx) => {
        if (!(await route.allow(ctx))) {
          refuse(socket, '403 Forbidden')
          return
        }
        const giveBack = counted.take(ownersOf(ctx))
        if (!giveBack) {
          socket.end(
            refusedUpgrade('429 Too Many Requests', say(errors.too_many_sockets, ctx.language), 'too_many_sockets'),
          )
          return
        }
        // The socket ends in any case, also when the upgrade fails.
        socket.once('close', giveBack)
        sockets.handleUpgrade(request, socket, head, (open) => {
          alive.add(open)
          open.on('pong', () => alive.add(open))
          // The library closes the socket on an invalid frame, with a close frame that says why.
          open.on('error', () => undefined)
          const proving = setInterval(() => void prove(route, request, open), proveEvery)
          proving.unref()
          open.on('close', () => clearInterval(proving))
          void Promise.resolve(route.open(ctx, open)).catch(() => open.terminate())
        })
      })
      .catch(() => refuse(socket, '403 Forbidden'))

  /** Closes the socket of a user who has signed out or lost the permission. An outage does not close it. */
  const prove = (route: SocketRoute, request: IncomingMessage, socket: WebSocket) =>
    contextOf(request).then(
      async (ctx) => {
        if (!(await route.allow(ctx))) socket.close(1008)
      },
      (error) => {
        if (error instanceof ApiError && error.status < 500) socket.close(1008)
      },
    )
  return () => {
    clearInterval(timer)
    for (const socket of sockets.clients) socket.close(1001)
    sockets.close()
  }
}

/**
 * Registers a handler for a client's messages. A frame that is not a JSON object, or that the handler cannot take,
 * terminates this connection: an error that left the handler would end the program.
 */
export function hear(socket: WebSocket, heard: (message: Record<string, unknown>) => void): void {
  socket.on('message', (data, binary) => {
    const message = binary ? undefined : objectIn(data)
    try {
      if (message) heard(message)
      else socket.terminate()
    } catch {
      socket.terminate()
    }
  })
}

/** The JSON object in a client's text frame; undefined for anything else. */
function objectIn(data: unknown): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseJson(String(data))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
