import type { TerminalFrame, TerminalFrameType } from '@castellan/contract/web-terminal'
import type WebSocket from 'ws'
import { log } from '../../log.ts'

/** Unsent bytes above which a browser that does not read is disconnected; terminal output remains far below. */
const unreadLimit = 8 * 1024 * 1024

/** Sends the contract's text frames on one socket, with its connection id. */
export class Frames {
  private readonly socket: WebSocket
  private readonly id: string

  constructor(socket: WebSocket, id: string) {
    this.socket = socket
    this.id = id
  }

  send(type: TerminalFrameType, data: unknown = '', err = ''): void {
    if (this.socket.readyState !== this.socket.OPEN) return
    // A client that sends requests without reading the responses would fill the memory.
    if (this.socket.bufferedAmount > unreadLimit) {
      this.socket.terminate()
      return
    }
    const frame: TerminalFrame = {
      id: this.id,
      type,
      data: typeof data === 'string' ? data : JSON.stringify(data),
      err,
    }
    this.socket.send(JSON.stringify(frame))
  }
}

/** What a browser sends: keys as bytes, everything else as a frame. */
export type Heard = { keys: Buffer } | { frame: TerminalFrame }

/**
 * Registers a handler for a browser's messages; what is no frame is ignored. A message that the handler cannot take ends
 * this connection only: an error that left it would end the program, and with it the sessions of everybody.
 */
export function hearBrowser(socket: WebSocket, heard: (message: Heard) => void): void {
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    try {
      const frame = isBinary ? undefined : readFrame(data.toString('utf8'))
      if (isBinary) heard({ keys: data })
      else if (frame) heard({ frame })
    } catch (error) {
      log.warn({ err: error }, 'a message of a browser could not be read')
      socket.close(1008)
    }
  })
}

/** A text in a frame; empty for anything else, which may have no text form at all. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Parses a frame of the browser; undefined when it is invalid. */
export function readFrame(text: string): TerminalFrame | undefined {
  try {
    const frame = JSON.parse(text) as Partial<TerminalFrame> | null
    if (!frame || typeof frame.type !== 'string') return undefined
    const data = typeof frame.data === 'string' ? frame.data : JSON.stringify(frame.data ?? '')
    return { id: String(frame.id ?? ''), type: frame.type, data, err: '' }
  } catch {
    return undefined
  }
}

/** The size in a TERMINAL_INIT or TERMINAL_RESIZE frame, limited to a plausible screen. */
export function readSize(data: string): { cols: number; rows: number } | undefined {
  try {
    const { cols, rows } = JSON.parse(data) as { cols?: unknown; rows?: unknown }
    if (!Number.isInteger(cols) || !Number.isInteger(rows)) return undefined
    const within = (value: number, most: number) => Math.min(Math.max(value, 2), most)
    return { cols: within(cols as number, 500), rows: within(rows as number, 300) }
  } catch {
    return undefined
  }
}

/** The object in a frame's data; an empty one when it is invalid. */
export function objectIn(data: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Whether the client of a TERMINAL_INIT frame acknowledges drawn bytes. */
export const readAck = (data: string): boolean => objectIn(data).ack === true

/** Bytes drawn since the socket opened, from a TERMINAL_ACK frame; 0 when it is invalid. */
export function readDrawn(data: string): number {
  const { bytes } = objectIn(data)
  return typeof bytes === 'number' && bytes > 0 ? bytes : 0
}
