import type WebSocket from 'ws'
import type { SessionDenied } from '../../brokering/session-denied.ts'
import type { SessionView } from '../../brokering/session-view.ts'
import type { Frames } from './frames.ts'

/** Bytes a viewer may lag behind before the screen is redrawn instead. */
const lagLimit = 2 * 1024 * 1024

/** Another user's session on one socket: its screen at once, then all further output, without slowing it. */
export class ShownSession {
  /** Resolves at the end, with the reason if it is not the session's own. */
  readonly over: Promise<SessionDenied | undefined>
  private readonly socket: WebSocket
  private readonly frames: Frames
  private readonly view: SessionView
  private readonly acknowledges: boolean
  private sent = 0
  private drawn = 0
  private isBehind = false
  private finish: (reason: SessionDenied | undefined) => void = () => undefined

  constructor(socket: WebSocket, frames: Frames, view: SessionView, acknowledges: boolean) {
    this.socket = socket
    this.frames = frames
    this.view = view
    this.acknowledges = acknowledges
    this.draw()
    const timer = setInterval(() => {
      if (this.isBehind && this.behind < lagLimit / 4) this.draw()
    }, 200)
    const stop = view.watch({
      output: (data) => {
        if (this.behind > lagLimit) this.isBehind = true
        if (!this.isBehind && socket.readyState === socket.OPEN) this.send(data)
      },
      resize: (cols, rows) => frames.send('TERMINAL_RESIZE', { cols, rows }),
      ended: () => this.end(),
    })
    this.over = new Promise((resolve) => {
      this.finish = (reason) => {
        stop()
        clearInterval(timer)
        resolve(reason)
      }
    })
    socket.once('close', () => this.end())
  }

  end(reason?: SessionDenied): void {
    this.finish(reason)
  }

  /** The browser has drawn this many bytes since the socket opened. */
  acknowledge(total: number): void {
    this.drawn = Math.max(this.drawn, total)
  }

  private get behind(): number {
    return this.acknowledges ? this.sent - this.drawn : this.socket.bufferedAmount
  }

  private send(data: Buffer): void {
    this.sent += data.length
    this.socket.send(data, { binary: true })
  }

  private draw(): void {
    this.isBehind = false
    this.frames.send('TERMINAL_RESIZE', this.view.size())
    this.send(Buffer.from(`\u001bc${this.view.picture()}`))
  }
}
