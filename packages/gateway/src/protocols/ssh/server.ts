import { createServer } from 'node:net'
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

const loginGrace = 120_000

/** Our SSH server: people's terminals, commands, files and forwards on one port. */
export async function startSshServer(
  broker: Broker,
  options: { host: string; port: number; runSftp: SftpRunner },
): Promise<{ port: number; close(): void }> {
  const kept = broker.config().TERMINAL_HOST_KEY
  const languages = new Languages()
  const server = new ssh2.Server(
    {
      hostKeys: [kept ? readableHostKey(kept) : newHostKey()],
      ident: 'Castellan',
      algorithms: serverAlgorithms,
      keepaliveInterval: 30_000,
      keepaliveCountMax: 6,
    },
    (client, info) => {
      const language = languageOf(process.env.CASTELLAN_LANGUAGE) ?? 'en'
      const remoteAddr = info.ip.replace(/^::ffff:/, '')
      const grace = setTimeout(() => client.end(), loginGrace)
      const authentication = new Authentication(broker, { remoteAddr, language }, (arrival) => {
        clearTimeout(grace)
        const connection = new Connection(broker, client, arrival, { runSftp: options.runSftp, languages })
        client.on('ready', () => connection.open())
      })
      client.on('authentication', (context) => {
        void authentication.handle(context).then((mayGoOn) => {
          if (!mayGoOn) client.end()
        })
      })
      client.on('error', (error) => log.debug({ detail: error.message, remote: remoteAddr }, 'ssh connection'))
      client.on('close', () => clearTimeout(grace))
    },
  )
  // A keystroke must not wait for the acknowledgement of the one before.
  const listener = createServer({ noDelay: true }, (socket) => server.injectSocket(gatherWrites(socket)))
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(options.port, options.host, () => resolve())
  })
  listener.on('error', (error: Error) => log.error({ err: error }, 'ssh server'))
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  return { port, close: () => listener.close() }
}
