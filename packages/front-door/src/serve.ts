import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { awayAnswer } from './away.ts'
import { greeting } from './greeting.ts'

export interface DoorOptions {
  host: string
  port: number
  tls?: { cert: Buffer; key: Buffer } | undefined
  /** Unix socket (or named pipe) of the program that answers a path; asked once per connection. */
  behind(path: string): string
}

/** How long a guest may take to say what they want, and how much of it is kept until then. */
const patience = 30_000
const longestLine = 16_384
/** How long the program behind may take to come back after a crash. Milliseconds. */
const comingBack = 8000

const requestLine = /^[A-Z]+ (\S+) HTTP\/1\.[01]\r\n/

function knock(path: string, until: number, done: (socket: Socket | undefined) => void): void {
  const socket = connect(path)
  socket.once('connect', () => {
    socket.removeAllListeners('error')
    done(socket)
  })
  socket.once('error', () => {
    if (Date.now() < until) setTimeout(knock, 100, path, until, done)
    else done(undefined)
  })
}

const noRequest = 'This is not an HTTP request.\n'
const refusal = `HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: ${noRequest.length}\r\n\r\n${noRequest}`

/** Joins a guest with the program behind: bytes only, held back when either side is slow. */
function join(guest: Socket, host: Socket): void {
  host.setNoDelay(true)
  guest.pipe(host)
  host.pipe(guest)
  const end = () => {
    guest.destroy()
    host.destroy()
  }
  guest.on('error', end).on('close', () => host.end())
  host.on('error', end).on('close', () => guest.end())
}

function receive(guest: Socket, options: DoorOptions, secure: boolean): void {
  let seen = Buffer.alloc(0)
  guest.setNoDelay(true)
  // Counted from the beginning: who says one letter now and then is as slow as who says nothing.
  const late = setTimeout(() => guest.destroy(), patience)
  guest.once('close', () => clearTimeout(late))
  guest.on('error', () => guest.destroy())
  const listen = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk])
    const match = requestLine.exec(seen.subarray(0, longestLine).toString('latin1'))
    if (!match) {
      if (seen.length > longestLine || seen.includes('\r\n')) guest.end(refusal)
      return
    }
    guest.off('data', listen)
    guest.pause()
    clearTimeout(late)
    const path = (match[1] ?? '/').split('?')[0] ?? '/'
    knock(options.behind(path), Date.now() + comingBack, (host) => {
      if (!host) {
        guest.end(awayAnswer(seen.toString('latin1')))
        return
      }
      host.write(greeting({ address: guest.remoteAddress ?? '', secure }))
      host.write(seen)
      join(guest, host)
    })
  }
  guest.on('data', listen)
}

/**
 * The one address of an installation. It looks at the first line of each connection, joins it with the program that
 * answers that path, and from then on only moves bytes: a terminal never waits for the API, and the API may crash
 * without cutting a terminal.
 */
export function openFrontDoor(options: DoorOptions): Promise<Server> {
  const server = options.tls
    ? createTlsServer({ ...options.tls, ALPNProtocols: ['http/1.1'] }, (guest) => receive(guest, options, true))
    : createServer((guest) => receive(guest, options, false))
  if (options.tls) server.on('tlsClientError', (_error: Error, guest: Socket) => guest.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: options.host, port: options.port, backlog: 1024 }, () => resolve(server))
  })
}
