import { connect, type Socket } from 'node:net'
import { bareAddress } from './address.ts'
import { timedOut } from './opened-in-time.ts'

/** How long a TCP connection may take. Milliseconds. */
const connectTimeout = 10_000

/** Opens a TCP connection; rejects with the system's error or after ten seconds with `ETIMEDOUT`. */
export function openTcp(host: string, port: number, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: bareAddress(host),
      port,
      noDelay: true,
      timeout: connectTimeout,
      ...(signal ? { signal } : {}),
    })
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
    socket.once('timeout', () =>
      socket.destroy(timedOut(`no answer from ${host}:${port} within ${connectTimeout / 1000} s`)),
    )
    socket.once('error', reject)
  })
}
