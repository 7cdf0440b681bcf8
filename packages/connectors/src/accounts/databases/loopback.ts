import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SystemFailure, SystemTarget } from '../account-system.ts'
import { namedFailure } from './answers.ts'
import { openTargetSocket, sessionError, type TargetSocket } from './target-socket.ts'
import { secured } from './tls.ts'

/** Node.js publishes every socket that this program connects. */
const clientSockets = 'net.client.socket'

interface Forward {
  readonly port: number
}

interface ForwardOptions {
  /** Bytes that the server may send over each connection. */
  limit: number
  /** Connections that the library opens at the same time. */
  connections: number
  /** Makes for each connection what looks at the bytes of the server before the library; a failure ends the connection. */
  inspector?: () => (chunk: Buffer) => SystemFailure | undefined
}

/**
 * For client libraries that only connect to an address: a port on loopback that leads to the target, with TLS when the
 * asset uses it, as long as `use` runs. Only sockets of this program are accepted.
 */
export async function withLoopback<T>(
  target: SystemTarget,
  { limit, connections, inspector }: ForwardOptions,
  use: (forward: Forward) => Promise<T>,
): Promise<T> {
  const own = new Set<Socket>()
  const isOwn = (port: number | undefined) => [...own].some((socket) => port !== undefined && socket.localPort === port)
  const remember = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    own.add(socket)
    socket.once('close', () => own.delete(socket))
  }
  const open = new Set<Duplex>()
  const failed = Promise.withResolvers<never>()
  // It may fail when nobody waits for it any more.
  failed.promise.catch(() => undefined)
  let failure: unknown
  const lead = async (local: Socket) => {
    let socket: TargetSocket | undefined
    open.add(local)
    const end = (error?: unknown) => {
      if (error !== undefined && failure === undefined) {
        failure = namedFailure(sessionError(target, socket, error), undefined, [])
        failed.reject(failure)
      }
      local.destroy()
      socket?.destroy()
    }
    local.on('error', () => end())
    local.once('close', () => end())
    try {
      socket = await openTargetSocket(target, limit)
      open.add(socket)
      const remote = target.tls.enabled ? await secured(socket, target) : socket
      remote.on('error', end)
      remote.once('close', () => end())
      const inspect = inspector?.()
      if (inspect)
        remote.on('data', (chunk: Buffer) => {
          const refusal = inspect(chunk)
          if (refusal) end(refusal)
        })
      remote.pipe(local)
      local.pipe(remote)
    } catch (error) {
      end(error)
    }
  }
  const server = createServer((local) => {
    if (isOwn(local.remotePort) && open.size < 2 * connections) void lead(local)
    else local.destroy()
  })
  subscribe(clientSockets, remember)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve)
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port on loopback')
    return await Promise.race([use({ port: address.port }), failed.promise])
  } catch (error) {
    throw target.signal.aborted ? target.signal.reason : (failure ?? error)
  } finally {
    unsubscribe(clientSockets, remember)
    server.close()
    for (const one of open) one.destroy()
  }
}
