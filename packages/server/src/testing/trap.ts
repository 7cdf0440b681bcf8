import { type AddressInfo, connect } from 'node:net'
import { newKeyPair } from '@castellan/testing/key-pair'
import ssh2 from 'ssh2'

/** A listener that somebody leads secrets to. */
export interface Trap {
  port: number
  /** Every password that was sent to it, and what was written to its commands. */
  caught: string[]
  close(): Promise<void>
}

/**
 * An SSH server that accepts and records every password, forwards to local ports, and carries out nothing: what is
 * written to a command is recorded too.
 */
export async function openTrap(port = 0): Promise<Trap> {
  const caught: string[] = []
  const clients = new Set<ssh2.Connection>()
  const { private: key } = newKeyPair()
  const listener = new ssh2.Server({ hostKeys: [key] }, (client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('authentication', (context) => {
      if (context.method === 'password') {
        caught.push(context.password)
        context.accept()
      } else context.reject(['password'])
    })
    client.on('session', (acceptSession) => {
      const session = acceptSession()
      session.on('pty', (accept) => accept?.())
      session.on('exec', (accept) => {
        const stream = accept()
        stream.on('error', () => {})
        // It answers nothing, so whoever waits for a word learns at once that none will come.
        stream.on('data', (chunk: Buffer) => caught.push(chunk.toString()))
        stream.exit(1)
        stream.end()
      })
    })
    client.on('tcpip', (accept, _reject, { destPort }) => {
      const stream = accept()
      const socket = connect(destPort, '127.0.0.1')
      socket.on('error', () => stream.close())
      stream.on('error', () => {})
      stream.pipe(socket).pipe(stream)
    })
  })
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve))
  const close = async () => {
    for (const client of clients) client.end()
    await new Promise<void>((resolve) => listener.close(() => resolve()))
  }
  return { port: (listener.address() as AddressInfo).port, caught, close }
}
