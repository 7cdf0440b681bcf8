import { Duplex } from 'node:stream'
import { terminalWindow } from '@castellan/contract/web-terminal'
import type WebSocket from 'ws'

/** Unacknowledged bytes to a browser above which the target is paused. */
const inFlightLimit = 512 * 1024

/** The bytes of a web terminal as a stream: a browser that does not read stops the writer, and vice versa. */
export class SocketStream extends Duplex {
  private readonly socket: WebSocket
  private readonly acknowledges: boolean
  private sent = 0
  private drawn = 0
  private held: (() => void) | undefined

  /** `acknowledges`: the browser reports drawn bytes, and is sent at most `terminalWindow` more than that. */
  constructor(socket: WebSocket, acknowledges: boolean) {
    super({ writableHighWaterMark: 256 * 1024, readableHighWaterMark: 64 * 1024, allowHalfOpen: false })
    this.socket = socket
    this.acknowledges = acknowledges
    socket.on('close', () => this.destroy())
    this.on('error', () => undefined)
  }

  /** Bytes sent by the user. */
  receive(data: Buffer): void {
    if (!this.destroyed && !this.push(data)) this.socket.pause()
  }

  /** The browser has drawn this many bytes since the socket opened. */
  acknowledge(total: number): void {
    this.drawn = Math.max(this.drawn, Math.min(total, this.sent))
    if (this.sent - this.drawn > terminalWindow) return
    const go = this.held
    this.held = undefined
    go?.()
  }

  override _read(): void {
    if (this.socket.isPaused) this.socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.socket.readyState !== this.socket.OPEN) {
      done()
      return
    }
    this.sent += chunk.length
    if (this.acknowledges && this.sent - this.drawn > terminalWindow) {
      this.socket.send(chunk, { binary: true })
      this.held = () => done()
      return
    }
    const waits = this.socket.bufferedAmount > inFlightLimit
    this.socket.send(chunk, { binary: true }, (error) => {
      if (waits) done(error ?? null)
    })
    if (!waits) done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.held?.()
    this.held = undefined
    done(error)
  }
}
