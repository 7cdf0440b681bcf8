import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { awayAnswer } from './away.ts'
import { greeting } from './greeting.ts'
import { tlsOptions } from './tls.ts'

export interface DoorOptions {
  host: string
  port: number
  tls?: { cert: Buffer; key: Buffer } | undefined
  /** Clients allowed to use plain HTTP, by address; all by default. */
  admits?: ((address: string) => boolean) | undefined
  /** Unix sockets (or named pipes) of the programs for a path, in the order to try; called once per connection. */
  behind(path: string): readonly string[]
}

/** Idle time of a connection before TCP keep-alive probes. Milliseconds. */
const probeAfter = 60_000

/** Timeout and size limit of the first line of a client. */
const patience = 30_000
const longestLine = 16_384
/** How long to wait for a crashed program to restart. Milliseconds. */
const comingBack = 8000

/** A method is any token (RFC 9110 §5.6.2): the program responds to those it does not support. */
const requestLine = /^[!#$%&'*+.^_`|~\w-]+ (\S+) HTTP\/1\.[01]\r\n/
const token = /^[!#$%&'*+.^_`|~\w-]/

/** Connects with the first program that accepts; while none does, all are tried again. `at`: the one to begin with. */
function knock(paths: readonly string[], until: number, done: (socket: Socket | undefined) => void, at = 0): void {
  const socket = connect(paths[at] ?? '')
  socket.once('connect', () => {
    socket.removeAllListeners('error')
    done(socket)
  })
  socket.once('error', () => {
    if (at + 1 < paths.length) knock(paths, until, done, at + 1)
    else if (Date.now() < until) setTimeout(knock, 100, paths, until, done)
    else done(undefined)
  })
}

const refusal = (status: string, text: string, more = '') =>
  `HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\nconnection: close\r\n${more}content-length: ${text.length}\r\n\r\n${text}`

const notOneOfOurs = (address: string) =>
  refusal(
    '403 Forbidden',
    `Passwords would cross the network in the clear: this address answers only the proxies in front of it, and ${address} is none of them (CASTELLAN_TRUSTED_PROXIES).\n`,
  )

/** Connects a client with the program: bytes only, with back-pressure in both directions. */
function join(guest: Socket, host: Socket): void {
  host.setNoDelay(true)
  guest.pipe(host)
  host.pipe(guest)
  const end = () => {
    guest.destroy()
    host.destroy()
  }
  guest.on('error', end).on('close', () => host.end())
  host.on('error', end).on('close', () => leave(guest))
}

/**
 * Sends a final response and reads until the client closes: unread bytes would reset the connection before the client
 * has read it.
 */
function leave(guest: Socket, answer = ''): void {
  const late = setTimeout(() => guest.destroy(), patience)
  guest.once('close', () => clearTimeout(late))
  guest.end(answer)
  guest.resume()
}

/** Waits until enough of the first bytes have arrived; `understand` returns false until then. */
function hear(guest: Socket, understand: (seen: Buffer) => boolean): void {
  let seen = Buffer.alloc(0)
  // Measured from the start, so that single bytes do not extend the timeout.
  const late = setTimeout(() => guest.destroy(), patience)
  guest.once('close', () => clearTimeout(late))
  guest.on('error', () => guest.destroy())
  const listen = (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk])
    guest.pause()
    if (understand(seen)) {
      clearTimeout(late)
      guest.off('data', listen)
    } else guest.resume()
  }
  guest.on('data', listen)
}

function receive(guest: Socket, options: DoorOptions, secure: boolean): void {
  guest.setNoDelay(true)
  const address = guest.remoteAddress ?? ''
  hear(guest, (seen) => {
    const match = requestLine.exec(seen.subarray(0, longestLine).toString('latin1'))
    if (!match) {
      const hopeless = seen.length > longestLine || seen.includes('\r\n') || !token.test(seen.toString('latin1', 0, 1))
      if (hopeless) leave(guest, refusal('400 Bad Request', 'This is not an HTTP request.\n'))
      return hopeless
    }
    if (!secure && options.admits?.(address) === false) {
      leave(guest, notOneOfOurs(address))
      return true
    }
    const path = (match[1] ?? '/').split('?')[0] ?? '/'
    knock(options.behind(path), Date.now() + comingBack, (host) => {
      if (!host) {
        leave(guest, awayAnswer(seen.toString('latin1')))
        return
      }
      host.write(greeting({ address, secure }))
      host.write(seen)
      join(guest, host)
    })
    return true
  })
}

/** First byte of TLS; a plain request starts with a letter. */
const handshake = 0x16
/** A browser's request for a page, and its host: a name or address, with a port. */
const page =
  /^(?:GET|HEAD) (\/[!-~]*) HTTP\/1\.[01]\r\n(?:.*\r\n)*?host: *((?:[a-z\d][a-z\d.-]*|\[[\da-f:.]+\])(?::\d{1,5})?) *\r\n/i

const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** Limits on handshakes in progress, by client. */
type Handshakes = Map<string, NodeJS.Timeout>

/** Handling of HTTPS: passes TLS to `encrypted`, and redirects browsers from plain HTTP. */
function sort(guest: Socket, encrypted: TlsServer, handshakes: Handshakes): void {
  hear(guest, (seen) => {
    if (seen[0] === handshake) {
      // Also measured from the start: each byte of a slow handshake would restart the TLS timeout.
      const name = nameOf(guest)
      const late = setTimeout(() => guest.destroy(), patience)
      handshakes.set(name, late)
      guest.once('close', () => {
        clearTimeout(late)
        if (handshakes.get(name) === late) handshakes.delete(name)
      })
      guest.unshift(seen)
      encrypted.emit('connection', guest)
      return true
    }
    const isRequest = token.test(seen.toString('latin1', 0, 1))
    if (isRequest && !seen.includes('\r\n\r\n') && seen.length <= longestLine) return false
    const [, path, host] = page.exec(seen.subarray(0, longestLine).toString('latin1')) ?? []
    const text = 'This address speaks HTTPS only.\n'
    if (path && host) leave(guest, refusal('308 Permanent Redirect', text, `location: https://${host}${path}\r\n`))
    else leave(guest, refusal('400 Bad Request', text))
    return true
  })
}

/**
 * The single public address of an installation. It reads the first line of each connection, connects it with the
 * program for that path, and from then on only forwards bytes: a terminal never waits for the API, and an API crash
 * does not close terminals.
 */
export function openIngress(options: DoorOptions): Promise<Server> {
  const handshakes: Handshakes = new Map()
  const encrypted =
    options.tls &&
    createTlsServer({ ...options.tls, ...tlsOptions }, (guest) => {
      clearTimeout(handshakes.get(nameOf(guest)))
      handshakes.delete(nameOf(guest))
      receive(guest, options, true)
    })
  encrypted?.on('tlsClientError', (_error: Error, guest: Socket) => guest.destroy())
  const server = createServer({ keepAlive: true, keepAliveInitialDelay: probeAfter }, (guest) =>
    encrypted ? sort(guest, encrypted, handshakes) : receive(guest, options, false),
  )
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: options.host, port: options.port, backlog: 1024 }, () => resolve(server))
  })
}
