import {
  fileManagerSocketPath,
  type SessionEndReason,
  type TerminalErrorData,
  type TerminalFrame,
  type TerminalSessionNotice,
  webTerminalProtocol,
} from '@castellan/contract/web-terminal'
import { socketAddress } from '../../kit/api/socket.ts'

const pingEvery = 25_000
const againAfter = 3000

export interface FileWatchHandlers {
  paused(by: string | undefined): void
  ended(reason: SessionEndReason, text: string): void
}

/**
 * Control socket of a file session. The gateway ends the session a minute after its last control socket has closed, and
 * reports on it when the session is paused or has ended. A broken connection is opened again.
 */
export class FileWatch {
  readonly #session: string
  readonly #handlers: FileWatchHandlers
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #over = false

  constructor(session: string, handlers: FileWatchHandlers) {
    this.#session = session
    this.#handlers = handlers
    this.#open()
  }

  stop() {
    this.#over = true
    clearTimeout(this.#timer)
    this.#socket?.close()
  }

  #open() {
    const query = new URLSearchParams({ session: this.#session })
    const socket = new WebSocket(socketAddress(`${fileManagerSocketPath}?${query}`), webTerminalProtocol)
    this.#socket = socket
    const frame = (type: TerminalFrame['type']) => {
      if (socket.readyState !== WebSocket.OPEN) return
      socket.send(JSON.stringify({ id: this.#session, type, data: '', err: '' } satisfies TerminalFrame))
    }
    const ping = setInterval(() => frame('PING'), pingEvery)
    socket.onmessage = ({ data }) => typeof data === 'string' && this.#take(data)
    socket.onclose = () => {
      clearInterval(ping)
      if (!this.#over) this.#timer = setTimeout(() => this.#open(), againAfter)
    }
  }

  #take(text: string) {
    if (this.#over) return
    const { type, data, err } = JSON.parse(text) as TerminalFrame
    if (type === 'TERMINAL_SESSION_PAUSE') this.#handlers.paused((JSON.parse(data) as TerminalSessionNotice).user)
    if (type === 'TERMINAL_SESSION_RESUME') this.#handlers.paused(undefined)
    if (type === 'TERMINAL_ERROR') {
      this.stop()
      this.#handlers.ended((JSON.parse(data || '{}') as Partial<TerminalErrorData>).reason ?? 'internal', err)
    }
  }
}
