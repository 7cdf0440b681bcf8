import { Duplex } from 'node:stream'
import type WebSocket from 'ws'

/** Bytes on their way to a browser above which the target has to wait. */
const inFlightLimit = 512 * 1024

/** The bytes of a web terminal as a stream: a browser that does not read stops the writer, and the other way round. */
export class SocketStream extends Duplex {
  private readonly socket: WebSocket

  constructor(socket: WebSocket) {
    super({ writableHighWaterMark: 256 * 1024, readableHighWaterMark: 64 * 1024, allowHalfOpen: false })
    this.socket = socket
    socket.on('close', () => this.destroy())
    this.on('error', () => undefined)
  }

  /** Bytes the person sent. */
  receive(data: Buffer): void {
    if (!this.destroyed && !this.push(data)) this.socket.pause()
  }

  override _read(): void {
    if (this.socket.isPaused) this.socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.socket.readyState !== this.socket.OPEN) {
      done()
      return
    }
    const waits = this.socket.bufferedAmount > inFlightLimit
    this.socket.send(chunk, { binary: true }, (error) => {
      if (waits) done(error ?? null)
    })
    if (!waits) done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    done(error)
  }
}
