import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A port that leads to another one over a long line. */
export interface DistantPort extends AsyncDisposable {
  port: number
}

/** Every byte takes `milliseconds` longer in each direction. */
export async function startDistantPort(to: { host: string; port: number }, milliseconds: number): Promise<DistantPort> {
  const open = new Set<Socket>()
  const carry = (from: Socket, into: Socket) => {
    open.add(from)
    from.on('error', () => into.destroy())
    from.on('data', (data) => setTimeout(() => into.write(data), milliseconds))
    from.on('close', () => {
      open.delete(from)
      setTimeout(() => into.end(), milliseconds)
    })
  }
  const server = createServer((socket) => {
    const far = connect(to)
    carry(socket, far)
    carry(far, socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
