import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { say } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import {
  fileManagerSocketPath,
  filesPath,
  type TerminalErrorData,
  webTerminalPath,
  webTerminalProtocol,
} from '@castellan/contract/web-terminal'
import { acceptFromIngress } from '@castellan/ingress/accept'
import { mostSocketsOfUser, OpenSockets, refusedUpgrade } from '@castellan/ingress/open-sockets'
import { isOwnOrigin } from '@castellan/ingress/origin'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Broker } from '../../brokering/broker.ts'
import type { User } from '../../brokering/user.ts'
import { log } from '../../log.ts'
import { FileFailure, failureOf } from './file-error.ts'
import { FileSessions } from './file-sessions.ts'
import { answer, FileRequests } from './files.ts'
import { Frames, hearBrowser } from './frames.ts'
import { pageOf } from './pages.ts'
import { languageOfRequest, userOfRequest } from './request.ts'
import { WebTerminal } from './web-terminal.ts'

const messageLimit = 1024 * 1024

/** The response of `/koko/health/`. */
export interface Health {
  server: boolean
  sessions: number
  waiting: number
}

/** The gateway's HTTP port: web terminals, watching, the file manager and its health. */
export async function startHttpServer(
  broker: Broker,
  options: { host: string; port: number; door: string | undefined; health: () => Health },
): Promise<{ port: number; close(): void }> {
  const sessions = new FileSessions(broker)
  const files = new FileRequests(sessions)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageLimit,
    handleProtocols: (offered) => (offered.has(webTerminalProtocol) ? webTerminalProtocol : false),
  })
  const server = createServer((request, response) => {
    serve(broker, files, options.health, request, response).catch((error: unknown) => fail(request, response, error))
  })
  // Uploads of large files may take long.
  server.requestTimeout = 0
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    void upgrade(broker, sessions, sockets, request, socket, head)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => resolve())
  })
  // A connection passed on by the ingress may carry a request for the API next, so it is used for one request only.
  if (options.door) server.maxRequestsPerSocket = 1
  const door = options.door ? await acceptFromIngress(options.door, server) : undefined
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    close() {
      door?.close()
      server.close()
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
    },
  }
}

function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const failure = failureOf(error)
  if (response.headersSent) {
    response.destroy()
    return
  }
  // An unread body would keep the connection busy.
  if (!request.complete) response.setHeader('connection', 'close')
  answer(response, failure.status, failure.body(languageOfRequest(request)))
}

async function serve(
  broker: Broker,
  files: FileRequests,
  health: () => Health,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://gateway.invalid')
  if (url.pathname === '/koko/health/') {
    const state = health()
    return answer(response, state.server ? 200 : 503, { status: state.server ? 'ok' : 'waiting', ...state })
  }
  const page = request.method === 'GET' ? pageOf(url) : undefined
  if (page) {
    response.writeHead(302, { location: page }).end()
    return
  }
  if (!url.pathname.startsWith(filesPath)) throw new FileFailure('not_found')
  const changes = request.method !== 'GET' && request.method !== 'HEAD'
  const foreign = request.headers.origin !== undefined && !isOwnOrigin(request)
  if (foreign || (changes && !isOwnOrigin(request)) || request.headers['sec-fetch-site'] === 'cross-site') {
    throw new FileFailure('permission_denied')
  }
  const user = await userOfRequest(broker, request)
  if (!user) throw new FileFailure('unauthenticated')
  await files.handle(user, request, response, url.pathname.slice(filesPath.length), url.searchParams)
}

/** The web terminals and file sessions that users have open here. */
const counted = new OpenSockets()

async function upgrade(
  broker: Broker,
  sessions: FileSessions,
  sockets: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  try {
    const url = new URL(request.url ?? '/', 'http://gateway.invalid')
    if (url.pathname !== webTerminalPath && url.pathname !== fileManagerSocketPath) return void refuse('404 Not Found')
    if (!isOwnOrigin(request)) return void refuse('403 Forbidden')
    const user = await userOfRequest(broker, request)
    if (!user) return void refuse('401 Unauthorized')
    const giveBack = counted.take([[user.id, mostSocketsOfUser]])
    if (!giveBack) {
      const text = say(errors.too_many_sockets, user.language)
      return void socket.end(refusedUpgrade('429 Too Many Requests', text, 'too_many_sockets'))
    }
    socket.once('close', giveBack)
    sockets.handleUpgrade(request, socket, head, (opened) => {
      if (url.pathname === webTerminalPath)
        void new WebTerminal(broker, user, opened, request.headers.origin ?? '').run(url.searchParams)
      else watchFiles(sessions, user, opened, url.searchParams.get('session') ?? '')
    })
  } catch (error) {
    log.warn({ err: error }, 'a socket could not be opened')
    refuse('503 Service Unavailable')
  }
}

/** The control socket of a file session: informs the browser when it is paused, resumed or ended. */
function watchFiles(sessions: FileSessions, user: User, socket: WebSocket, id: string): void {
  const frames = new Frames(socket, id)
  socket.on('error', () => undefined)
  const end = (reason: TerminalErrorData['reason'], text: string) => {
    frames.send('TERMINAL_ERROR', { reason } satisfies TerminalErrorData, text)
    frames.send('CLOSE')
    socket.close(1000)
  }
  try {
    const open = sessions.get(user, id)
    const { session } = open.files
    const detach = open.attach()
    const paused = (by: string) => frames.send('TERMINAL_SESSION_PAUSE', { user: by })
    const resumed = (by: string) => frames.send('TERMINAL_SESSION_RESUME', { user: by })
    session.on('paused', paused).on('resumed', resumed)
    session.onEnd((refusal) => end(refusal?.reason ?? 'none', refusal?.say(user.language) ?? ''))
    hearBrowser(socket, (heard) => {
      const type = 'frame' in heard ? heard.frame.type : ''
      if (type === 'PING') frames.send('PONG')
      if (type === 'CLOSE') socket.close(1000)
    })
    socket.on('close', () => {
      session.off('paused', paused).off('resumed', resumed)
      detach()
    })
  } catch (error) {
    const failure = failureOf(error)
    end('token_invalid', failure.body(user.language).detail)
  }
}
