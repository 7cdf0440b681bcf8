import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { newKeyPair } from './key-pair.ts'

/** The step after which a target stops responding. */
export type Hang = 'greeting' | 'key-exchange' | 'sign-in' | 'channel' | 'shell' | 'files'

/** A target that always hangs at one step; a stopped process would hang only sometimes. */
export interface HangingTarget extends AsyncDisposable {
  port: number
  /** Number of open connections. */
  connections(): number
}

export async function startHangingTarget(hang: Hang): Promise<HangingTarget> {
  const open = new Set<Socket>()
  const server = hang === 'greeting' || hang === 'key-exchange' ? mute(hang) : speaking(hang)
  const plain = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => undefined)
    server(socket)
  })
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  return {
    port: (plain.address() as AddressInfo).port,
    connections: () => open.size,
    [Symbol.asyncDispose]: () => close(plain, open),
  }
}

const mute = (hang: Hang) => (socket: Socket) => {
  socket.resume()
  if (hang === 'key-exchange') socket.write('SSH-2.0-OpenSSH_9.2\r\n')
}

function speaking(hang: Hang): (socket: Socket) => void {
  const { private: hostKey } = newKeyPair()
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (context) => {
      if (hang !== 'sign-in') context.accept()
    })
    client.on('session', (accept) => {
      if (hang === 'channel') return
      const session = accept()
      session.on('pty', (yes) => yes?.())
      session.on('env', (yes) => yes?.())
      session.on('shell', () => undefined)
      session.on('exec', () => undefined)
      // The subsystem starts, but its program is silent.
      session.on('subsystem', (yes) => yes?.())
    })
  })
  return (socket) => server.injectSocket(socket)
}

async function close(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  for (const socket of open) socket.destroy()
  server.close()
  await once(server, 'close')
}
