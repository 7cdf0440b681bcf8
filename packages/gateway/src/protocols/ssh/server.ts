import { createServer, type Socket } from 'node:net'
import { languageOf } from '@castellan/contract/messages'
import ssh2 from 'ssh2'
import type { Broker } from '../../brokering/broker.ts'
import { serverAlgorithms } from '../../brokering/ciphers.ts'
import { gatherWrites } from '../../brokering/gather-writes.ts'
import { log } from '../../log.ts'
import { Authentication } from './authentication.ts'
import { Connection, type SftpRunner } from './connection.ts'
import { newHostKey, readableHostKey } from './host-key.ts'
import { Languages } from './languages.ts'

/** How long a connection may take from its first packet to a person who is signed in. Milliseconds. */
const loginGrace = 120_000
const originOf = (ip = '', port = 0) => `${ip} ${port}`

/** Our SSH server: people's terminals, commands, files and forwards on one port. */
export async function startSshServer(
  broker: Broker,
  options: { host: string; port: number; runSftp: SftpRunner },
): Promise<{ port: number; close(): void }> {
  const kept = broker.config().TERMINAL_HOST_KEY
  const languages = new Languages()
  // By origin: ssh2 tells of a client when it has greeted, and some never do.
  const graces = new Map<string, NodeJS.Timeout>()
  const sockets = new Map<string, Socket>()
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
        clearTimeout(graces.get(originOf(info.ip, info.port)))
        const connection = new Connection(broker, client, arrival, { runSftp: options.runSftp, languages })
        client.on('ready', () => connection.open())
      })
      client.on('authentication', (context) => {
        void authentication.handle(context).then((mayGoOn) => {
          if (!mayGoOn) client.end()
        })
      })
      client.on('close', () => authentication.close())
      client.on('error', (error: Error & { level?: string }) => {
        log.debug({ detail: error.message, remote: remoteAddr }, 'ssh connection')
        // ssh2 only says goodbye then, and waits for the answer of a client that answers nothing.
        if (error.level === 'client-timeout') sockets.get(originOf(info.ip, info.port))?.destroy()
      })
    },
  )
  // A keystroke must not wait for the acknowledgement of the one before.
  const listener = createServer({ noDelay: true }, (socket) => {
    const origin = originOf(socket.remoteAddress, socket.remotePort)
    const grace = setTimeout(() => socket.destroy(), loginGrace)
    graces.set(origin, grace)
    sockets.set(origin, socket)
    socket.once('close', () => {
      clearTimeout(grace)
      graces.delete(origin)
      sockets.delete(origin)
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
