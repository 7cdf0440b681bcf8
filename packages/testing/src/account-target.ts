import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import type { Duplex } from 'node:stream'

interface TargetOptions {
  host?: string
  tls?: { enabled: boolean; ca?: string; acceptInvalid?: boolean }
  database?: string
  settings?: Record<string, unknown>
  signal?: AbortSignal
}

/** A port on loopback in the form in which systems with accounts are reached. */
export function accountTarget(port: number, options: TargetOptions = {}) {
  const { host = '127.0.0.1', tls = { enabled: false }, signal = new AbortController().signal } = options
  return {
    host,
    port,
    dial: async (): Promise<Duplex> => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      await once(socket, 'connect')
      return socket
    },
    signal,
    verifyHostKey: async () => undefined,
    tls,
    database: options.database,
    settings: options.settings,
  }
}

export const passwordLogin = (username: string, secret: string) =>
  ({ username, secretType: 'password', secret }) as const

/** A new password for an account, which is not created unless `create` says so. */
export const passwordChange = (username: string, secret: string, create = false) =>
  ({ username, secretType: 'password', secret, keyStrategy: 'set', keyComment: '', create, params: {} }) as const

/** A server of one program's making, for what no real one does. */
export async function startPeer(serve: (socket: Socket) => void): Promise<{ port: number } & AsyncDisposable> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => undefined)
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
