import {
  type SessionEndReason,
  type ShareParticipant,
  type TerminalConnect,
  type TerminalErrorData,
  type TerminalFrame,
  type TerminalFrameType,
  type TerminalInit,
  type TerminalSessionInfo,
  type TerminalSessionNotice,
  type TerminalShareLink,
  type TerminalShareWish,
  webTerminalPath,
  webTerminalProtocol,
} from '@castellan/contract/web-terminal'
import { socketAddress } from '../../kit/api/socket.ts'
import type { Candidate, SharingHandlers } from '../sharing/useSharing.ts'

/** Milliseconds between latency measurements; also keeps proxies from closing an idle socket. */
const pingEvery = 10_000
/** Bytes of one input frame: a long paste is split. */
const inputPiece = 16 * 1024

export interface TerminalHandlers {
  connected(connect: TerminalConnect): void
  started(session: TerminalSessionInfo): void
  output(bytes: Uint8Array): void
  paused(by: string | undefined): void
  /** The watched terminal's size; monitors only. */
  resized?(columns: number, rows: number): void
  sharing?: SharingHandlers
  /** Round-trip time in milliseconds. */
  latency(milliseconds: number): void
  /** Called once. `lost` is a socket that closed without a reason. */
  ended(reason: SessionEndReason | 'lost', text: string): void
}

/** Client of the gateway for one terminal; `web-terminal.ts` of the contract package describes the messages. */
export class TerminalSocket {
  readonly #socket: WebSocket
  readonly #handlers: TerminalHandlers
  readonly #init: TerminalInit
  readonly #encoder = new TextEncoder()
  #id = ''
  #asked = 0
  #timer: ReturnType<typeof setInterval> | undefined
  #error: { reason: SessionEndReason; text: string } | undefined
  #over = false

  /** @param query the connection: `token=…`, or `type=monitor&target_id=…`, or the same with `share` */
  constructor(query: Readonly<Record<string, string>>, init: TerminalInit, handlers: TerminalHandlers) {
    this.#handlers = handlers
    this.#init = init
    this.#socket = new WebSocket(socketAddress(`${webTerminalPath}?${new URLSearchParams(query)}`), webTerminalProtocol)
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') this.#frame(data)
      else handlers.output(new Uint8Array(data))
    }
    this.#socket.onclose = () => this.#end()
  }

  /** Keystrokes and pastes. */
  type(text: string) {
    this.typeBytes(this.#encoder.encode(text))
  }

  typeBytes(bytes: Uint8Array<ArrayBuffer>) {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    for (let i = 0; i < bytes.length; i += inputPiece) this.#socket.send(bytes.subarray(i, i + inputPiece))
  }

  resize(size: TerminalInit) {
    this.#init.cols = size.cols
    this.#init.rows = size.rows
    this.#send('TERMINAL_RESIZE', { cols: size.cols, rows: size.rows })
  }

  share(wish: TerminalShareWish) {
    this.#send('TERMINAL_SHARE', wish)
  }

  findUsers(query: string) {
    this.#send('TERMINAL_GET_SHARE_USER', { query })
  }

  removeParticipant(session: string, participant: ShareParticipant) {
    this.#send('TERMINAL_SHARE_USER_REMOVE', { session, user_meta: participant })
  }

  acknowledge(bytes: number) {
    this.#send('TERMINAL_ACK', { bytes })
  }

  /** Tells the gateway that the user is leaving; no handler is called afterwards. */
  leave() {
    this.#over = true
    clearInterval(this.#timer)
    this.#send('CLOSE', undefined)
    this.#socket.close()
  }

  #frame(text: string) {
    if (this.#over) return
    let frame: TerminalFrame
    try {
      frame = JSON.parse(text) as TerminalFrame
    } catch {
      return
    }
    const data = <T>() => JSON.parse(frame.data || '{}') as T
    switch (frame.type) {
      case 'CONNECT':
        this.#id = frame.id
        this.#send('TERMINAL_INIT', { ...this.#init, ack: true })
        this.#handlers.connected(data<TerminalConnect>())
        return
      case 'TERMINAL_SESSION':
        this.#handlers.started(data<TerminalSessionInfo>())
        this.#ping()
        this.#timer ??= setInterval(() => this.#ping(), pingEvery)
        return
      case 'TERMINAL_DATA':
        this.#handlers.output(this.#encoder.encode(frame.data))
        return
      case 'TERMINAL_SESSION_PAUSE':
        this.#handlers.paused(data<TerminalSessionNotice>().user)
        return
      case 'TERMINAL_SESSION_RESUME':
        this.#handlers.paused(undefined)
        return
      case 'TERMINAL_RESIZE': {
        const { cols, rows } = data<TerminalInit>()
        this.#handlers.resized?.(cols, rows)
        return
      }
      case 'TERMINAL_SHARE':
        this.#handlers.sharing?.shared(frame.err ? undefined : data<TerminalShareLink>(), frame.err)
        return
      case 'TERMINAL_GET_SHARE_USER':
        this.#handlers.sharing?.candidates(frame.err ? [] : data<Candidate[]>())
        return
      case 'TERMINAL_SHARE_USERS':
        this.#handlers.sharing?.all(Object.values(data<Record<string, ShareParticipant>>()))
        return
      case 'TERMINAL_SHARE_JOIN':
        this.#handlers.sharing?.came(data<ShareParticipant>())
        return
      case 'TERMINAL_SHARE_LEAVE':
        this.#handlers.sharing?.went(data<ShareParticipant>())
        return
      case 'PONG':
        if (this.#asked) this.#handlers.latency(Math.round(performance.now() - this.#asked))
        this.#asked = 0
        return
      case 'PING':
        this.#send('PONG', undefined)
        return
      case 'TERMINAL_ERROR':
      case 'ERROR':
        this.#error = { reason: data<Partial<TerminalErrorData>>().reason ?? 'internal', text: frame.err }
        return
      case 'CLOSE':
        this.#error ??= { reason: 'none', text: '' }
        this.#end()
        this.#socket.close()
        return
      default:
        return
    }
  }

  #ping() {
    if (this.#asked) return
    this.#asked = performance.now()
    this.#send('PING', undefined)
  }

  #end() {
    if (this.#over) return
    this.#over = true
    clearInterval(this.#timer)
    this.#handlers.ended(this.#error?.reason ?? 'lost', this.#error?.text ?? '')
  }

  #send(type: TerminalFrameType, data: object | undefined) {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    const frame: TerminalFrame = { id: this.#id, type, data: data ? JSON.stringify(data) : '', err: '' }
    this.#socket.send(JSON.stringify(frame))
  }
}
