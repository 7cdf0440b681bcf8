import type { FileAction } from '../../brokering/file-session.ts'
import type { TransferKind } from '../../brokering/transfer-journal.ts'
import type { Handles, OpenHandle } from './handles.ts'
import type { Upstream } from './upstream.ts'

/** What a path of the client means: a place on a target, or a folder that exists only here. */
export type Resolved = { upstream: Upstream; path: Buffer } | { names: string[] } | undefined

/** What the answer of a forwarded request has to do. */
export type Operation =
  | { kind: 'open'; handle: OpenHandle }
  | { kind: 'read'; handle: OpenHandle; offset: number }
  | { kind: 'write'; handle: OpenHandle }
  | { kind: 'close'; handle: OpenHandle }
  | { kind: 'log'; operate: TransferKind; path: string }

/** The client of an sftp connection, as its requests need it: what it may reach, and the way to it and to its targets. */
export interface ClientSide {
  readonly handles: Handles
  /** The client asked for one target, and sees that one's paths as they are. */
  readonly isDirect: boolean
  /** Sends a whole packet to the client; a slow client stops the targets. */
  reply(data: Buffer): void
  /** Sends a piece of a long answer; nothing else goes between its pieces. */
  stream(upstream: Upstream, data: Buffer, isLast: boolean): void
  /** Sends a request on to its target and remembers what its answer means. */
  forward(upstream: Upstream, id: number, data: Buffer, operation: Operation | undefined): void
  /** Bytes for a target; a slow one stops the client. */
  send(upstream: Upstream, data: Buffer): void
  /** Stops taking the client's packets until the copies of its transfers are on disk. */
  waitFor(work: Promise<unknown>): Promise<void>
  resolve(path: Buffer): Promise<Resolved>
  /** Status code and words for an operation that may not be done; undefined when it may. */
  denied(upstream: Upstream, action?: FileAction): { code: number; text: string } | undefined
}
