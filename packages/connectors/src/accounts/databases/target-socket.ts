import { Duplex } from 'node:stream'
import { SystemFailure, type SystemTarget } from '../account-system.ts'

/** What a server may send in a session that reads no list, and in one that does. Bytes. */
export const answerLimit = 4 * 1024 * 1024
export const listLimit = 32 * 1024 * 1024

/** How long a client library may take to notice that its connection is gone. Milliseconds. */
const noticeTimeout = 1000

const connectionClosed = () => Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' })

/**
 * A byte stream to a target in the form that client libraries expect: they call methods of a TCP socket, which a channel
 * of a gateway does not have. A server that sends more than `limit` bytes loses the connection.
 */
export class TargetSocket extends Duplex {
  /** Node.js compares certificates with this name, as it does for its own sockets. */
  readonly _host: string
  /** Set once the server has sent too much. */
  excess: SystemFailure | undefined
  private readonly inner: Duplex

  constructor(inner: Duplex, host: string, limit: number) {
    super({ allowHalfOpen: false })
    this._host = host
    this.inner = inner
    let received = 0
    inner.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > limit) {
        this.excess = new SystemFailure('bad_answer', `the server sent more than ${limit / 1024 / 1024} MiB`)
        this.destroy(this.excess)
      } else if (!this.push(chunk)) inner.pause()
    })
    inner.once('end', () => this.push(null))
    inner.once('error', (error) => this.destroy(error))
    inner.once('close', () => {
      if (!this.readableEnded && !inner.readableEnded) this.destroy(connectionClosed())
    })
    // An error without a listener would end the program; the client library has its own listener.
    this.on('error', () => undefined)
  }

  override _read(): void {
    this.inner.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.inner.write(chunk, done)
  }

  override _final(done: () => void): void {
    this.inner.end()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.inner.destroy()
    done(error)
  }

  /** The stream is open already; libraries wait for this event. */
  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  setTimeout(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

/** Dials a target; the socket ends with its signal. */
export async function openTargetSocket(target: SystemTarget, limit: number): Promise<TargetSocket> {
  target.signal.throwIfAborted()
  const socket = new TargetSocket(await target.dial(), target.host, limit)
  const abort = () => socket.destroy(connectionClosed())
  target.signal.addEventListener('abort', abort, { once: true })
  socket.once('close', () => target.signal.removeEventListener('abort', abort))
  if (target.signal.aborted) abort()
  return socket
}

/** The reason why a session failed, which its client library may know only as a closed connection. */
export function sessionError(target: SystemTarget, socket: TargetSocket | undefined, error: unknown): unknown {
  if (target.signal.aborted) return target.signal.reason
  return socket?.excess ?? error
}

/**
 * Opens a connection to a target for a client library and ends it afterwards. Rejects when the connection is lost, even if
 * the library would wait on.
 */
export async function withTargetSocket<T>(
  target: SystemTarget,
  limit: number,
  use: (socket: TargetSocket) => Promise<T>,
): Promise<T> {
  const socket = await openTargetSocket(target, limit)
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const lost = new Promise<never>((_resolve, reject) => {
    socket.once('close', () => {
      if (!isOver) timer = setTimeout(() => reject(socket.errored ?? connectionClosed()), noticeTimeout)
    })
  })
  try {
    return await Promise.race([use(socket), lost])
  } catch (error) {
    throw sessionError(target, socket, error)
  } finally {
    isOver = true
    clearTimeout(timer)
    socket.destroy()
  }
}
