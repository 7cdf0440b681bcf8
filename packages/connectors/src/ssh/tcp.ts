import { connect, type Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { bareAddress } from './address.ts'
import { timedOut } from './opened-in-time.ts'

/** How long a TCP connection may take. Milliseconds. */
const connectTimeout = 10_000

/**
 * Opens a TCP connection, which ends with the signal. Rejects with the system's error, after ten seconds with
 * `ETIMEDOUT`, or with an `AbortError`.
 */
export function openTcp(host: string, port: number, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: bareAddress(host), port, noDelay: true, timeout: connectTimeout })
    // The option `signal` of a socket keeps its listener, and with it the connection, when the socket has closed.
    if (signal) addAbortSignal(signal, socket)
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
