import { createServer, type Socket } from 'node:net'
import { gatherWrites } from '@castellan/connectors/ssh'
import { languageOf } from '@castellan/contract/messages'
import ssh2 from 'ssh2'
import type { Broker } from '../../brokering/broker.ts'
import { serverAlgorithms } from '../../brokering/ciphers.ts'
import { log } from '../../log.ts'
import { Authentication } from './authentication.ts'
import { Connection, type SftpRunner } from './connection.ts'
import { newHostKey, readableHostKey } from './host-key.ts'
import { Languages } from './languages.ts'

/** Time from the first packet of a connection to a signed-in user. Milliseconds. */
const loginGrace = 120_000
/** Time for the greeting and the key exchange, which need no user input. Milliseconds. */
const handshakeGrace = 20_000
/** Connections of one address before sign-in. */
const mostUnknown = 100
const originOf = (ip = '', port = 0) => `${ip} ${port}`

/** Connections before sign-in, limited per address. */
class UnknownConnections {
  readonly #most: number
  readonly #addresses = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Returns false when the address has too many of them. */
  enter(origin: string, address: string): boolean {
    const count = this.#counts.get(address) ?? 0
    if (count >= this.#most) return false
    this.#addresses.set(origin, address)
    this.#counts.set(address, count + 1)
    return true
  }

  leave(origin: string): void {
    const address = this.#addresses.get(origin)
    if (address === undefined) return
    this.#addresses.delete(origin)
    const left = (this.#counts.get(address) ?? 1) - 1
    if (left > 0) this.#counts.set(address, left)
    else this.#counts.delete(address)
  }
}

/** Our SSH server: terminals, commands, files and forwards of users on one port. */
export async function startSshServer(
  broker: Broker,
  options: { host: string; port: number; runSftp: SftpRunner },
): Promise<{ port: number; close(): void }> {
  const kept = broker.config().TERMINAL_HOST_KEY
  const languages = new Languages()
  // By origin: ssh2 reports a client only after its greeting, which some never send.
  const graces = new Map<string, NodeJS.Timeout>()
  const handshakes = new Map<string, NodeJS.Timeout>()
  const sockets = new Map<string, Socket>()
  const unknown = new UnknownConnections(mostUnknown)
  const welcome = (origin: string) => {
    clearTimeout(graces.get(origin))
    unknown.leave(origin)
  }
  const server = new ssh2.Server(
    {
      hostKeys: [kept ? readableHostKey(kept) : newHostKey()],
      ident: 'Castellan',
      algorithms: serverAlgorithms,
      keepaliveInterval: 30_000,
      keepaliveCountMax: 3,
    },
    (client, info) => {
      const language = languageOf(process.env.CASTELLAN_LANGUAGE) ?? 'en'
      const remoteAddr = info.ip.replace(/^::ffff:/, '')
      const authentication = new Authentication(broker, { remoteAddr, language }, (arrival) => {
        welcome(originOf(info.ip, info.port))
        const connection = new Connection(broker, client, arrival, { runSftp: options.runSftp, languages })
        client.on('ready', () => connection.open())
      })
      client.once('handshake', () => clearTimeout(handshakes.get(originOf(info.ip, info.port))))
      client.on('authentication', (context) => {
        void authentication.handle(context).then((mayGoOn) => {
          if (!mayGoOn) client.end()
        })
      })
      client.on('close', () => authentication.close())
      client.on('error', (error: Error & { level?: string }) => {
        log.debug({ detail: error.message, remote: remoteAddr }, 'ssh connection')
        // ssh2 only sends a disconnect then, and waits for the answer of a client that does not respond.
        if (error.level === 'client-timeout') sockets.get(originOf(info.ip, info.port))?.destroy()
      })
    },
  )
  // A keystroke must not wait for the acknowledgement of the previous one.
  const listener = createServer({ noDelay: true }, (socket) => {
    const origin = originOf(socket.remoteAddress, socket.remotePort)
    if (!unknown.enter(origin, socket.remoteAddress ?? '')) {
      socket.destroy()
      return
    }
    graces.set(
      origin,
      setTimeout(() => socket.destroy(), loginGrace),
    )
    handshakes.set(
      origin,
      setTimeout(() => socket.destroy(), handshakeGrace),
    )
    sockets.set(origin, socket)
    socket.once('close', () => {
      for (const timers of [graces, handshakes]) {
        clearTimeout(timers.get(origin))
        timers.delete(origin)
      }
      sockets.delete(origin)
      unknown.leave(origin)
    })
    server.injectSocket(gatherWrites(socket))
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(options.port, options.host, () => resolve())
  })
  listener.on('error', (error: Error) => log.error({ err: error }, 'ssh server'))
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  return { port, close: () => listener.close() }
}
