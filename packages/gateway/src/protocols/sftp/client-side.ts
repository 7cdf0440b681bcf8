import type { FileAction } from '../../brokering/file-session.ts'
import type { TransferKind } from '../../brokering/transfer-journal.ts'
import type { Handles, OpenHandle } from './handles.ts'
import type { Upstream } from './upstream.ts'

/** The meaning of a client's path: a path on a target, or a virtual folder. */
export type Resolved = { upstream: Upstream; path: Buffer } | { names: string[] } | undefined

/** What to do with the answer to a forwarded request. */
export type Operation =
  | { kind: 'open'; handle: OpenHandle }
  | { kind: 'read'; handle: OpenHandle; offset: number }
  | { kind: 'write'; handle: OpenHandle }
  | { kind: 'close'; handle: OpenHandle }
  | { kind: 'log'; operate: TransferKind; path: string }

/** The client of an sftp connection, as the request handler needs it. */
export interface ClientSide {
  readonly handles: Handles
  /** The client requested one target, and sees its paths unchanged. */
  readonly isDirect: boolean
  /** Sends a complete packet to the client; a slow client stops the targets. */
  reply(data: Buffer): void
  /** Sends a part of a long answer; no other packet is sent between its parts. */
  stream(upstream: Upstream, data: Buffer, isLast: boolean): void
  /** Forwards a request to its target and records how to treat its answer. */
  forward(upstream: Upstream, id: number, data: Buffer, operation: Operation | undefined): void
  /** Sends bytes to a target; a slow one stops the client. */
  send(upstream: Upstream, data: Buffer): void
  /** Stops reading the client's packets until the copies of its transfers are on disk. */
  waitFor(work: Promise<unknown>): Promise<void>
  resolve(path: Buffer): Promise<Resolved>
  /** Status code and text of a denied operation; undefined when it is allowed. */
  denied(upstream: Upstream, action?: FileAction): { code: number; text: string } | undefined
}
