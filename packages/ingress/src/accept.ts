import { rmSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { type Guest, readGreeting } from './greeting.ts'

/** Timeout for the greeting of a connection. Milliseconds. */
const patience = 5000

/** Replaces the socket's remote address, so that the program sees the client instead of the ingress. */
function dress(socket: Socket, { address, secure }: Guest): void {
  Object.defineProperty(socket, 'remoteAddress', { value: address, configurable: true })
  if (secure) Object.defineProperty(socket, 'encrypted', { value: true, configurable: true })
}

function introduce(socket: Socket, http: HttpServer): void {
  let seen = Buffer.alloc(0)
  const timer = setTimeout(() => socket.destroy(), patience)
  const listen = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk])
    const greeting = readGreeting(seen)
    if (greeting === undefined) return
    clearTimeout(timer)
    socket.off('data', listen)
    if (greeting === null) {
      socket.destroy()
      return
    }
    dress(socket, greeting.guest)
    socket.pause()
    if (greeting.rest.length > 0) socket.unshift(greeting.rest)
    http.emit('connection', socket)
    socket.resume()
  }
  socket.on('data', listen)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => clearTimeout(timer))
}

/** Serves connections that the ingress hands over at a Unix socket (or named pipe) with an HTTP server. */
export function acceptFromIngress(path: string, http: HttpServer): Promise<Server> {
  // A socket file left by a killed program would prevent listening.
  if (!path.startsWith('\\\\')) rmSync(path, { force: true })
  const server = createServer({ noDelay: true }, (socket) => introduce(socket, http))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })
}
