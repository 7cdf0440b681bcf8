import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { newKeyPair } from './key-pair.ts'

/** A gateway in the hands of somebody hostile: it forwards, and keeps everything it is asked and everything that passes. */
export interface RecordingGateway extends AsyncDisposable {
  port: number
  username: string
  password: string
  /** `host:port` of each forward it was asked for. */
  forwards: string[]
  /** Everything else it was asked for: shells, commands, agents, environment. */
  requests: string[]
  /** All bytes that passed, in both directions. */
  passed(): Buffer
  /** Forwards go here from now on, whatever was asked for. */
  redirect: { host: string; port: number } | undefined
  /** Lets somebody in, and never answers a request to forward. */
  hangs: boolean
  /** Ends every connection, as when its machine dies. */
  drop(): void
}

export async function startRecordingGateway(): Promise<RecordingGateway> {
  const chunks: Buffer[] = []
  const open = new Set<Socket>()
  const username = 'gate'
  const password = 'the-gate-opens-1'
  const server = new ssh2.Server({ hostKeys: [newKeyPair().private] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (context) => {
      if (context.method === 'password' && context.username === username && context.password === password)
        context.accept()
      else context.reject(['password'])
    })
    client.on('session', (accept) => {
      const session = accept()
      for (const kind of ['pty', 'env', 'shell', 'exec', 'subsystem', 'auth-agent', 'x11'])
        session.on(kind as 'shell', () => gateway.requests.push(kind))
    })
    client.on('request', (_yes, no, name) => {
      gateway.requests.push(name)
      no?.()
    })
    client.on('tcpip', (accept, reject, { destIP, destPort }) => {
      gateway.forwards.push(`${destIP}:${destPort}`)
      if (gateway.hangs) return
      const { host, port } = gateway.redirect ?? { host: destIP, port: destPort }
      const socket = connect({ host, port })
      socket.once('error', () => reject())
      socket.once('connect', () => {
        const channel = accept()
        socket.on('data', (data: Buffer) => chunks.push(data))
        channel.on('data', (data: Buffer) => chunks.push(data))
        socket.on('error', () => undefined)
        channel.on('error', () => undefined)
        socket.pipe(channel)
        channel.pipe(socket)
      })
    })
  })
  const plain = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => undefined)
    server.injectSocket(socket)
  })
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  const drop = () => {
    for (const socket of open) socket.destroy()
  }
  const gateway: RecordingGateway = {
    port: (plain.address() as AddressInfo).port,
    username,
    password,
    forwards: [],
    requests: [],
    passed: () => Buffer.concat(chunks),
    redirect: undefined,
    hangs: false,
    drop,
    async [Symbol.asyncDispose]() {
      drop()
      plain.close()
      await once(plain, 'close')
    },
  }
  return gateway
}
