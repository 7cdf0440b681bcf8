import type { ReadCommand, Unreadable } from './continued-line.ts'
import type { Decision, ReaderEffect, ReaderEvent } from './reader-events.ts'

/** The reader's connections. `decide` may take as long as a review. */
export interface ReaderPorts {
  toTarget(data: Buffer): void
  /** True when rules exist, so that an invisible line must not pass. */
  guarded: boolean
  decide(command: ReadCommand): Decision | Promise<Decision>
  /** Shows a text to the user (it is recorded and part of the screen). */
  notice(text: string): void
  /** The notice that a line was not run because it cannot be read. */
  unseenNotice(why: Unreadable): string
  /** Log text of a line whose keys and screen differ. */
  differing(typed: string, shown: string): string
  /** Log text of a line that could not be read; `typed` may be empty. */
  unread(typed: string): string
  /** Log text of a full-screen program, whose input is not read as commands. */
  programNote(): string
  /** A command is sent to the target; its output is still to come. */
  begun(command: { text: string; risk: number; timestamp: number }): void
  /** A command with its output, once; `begunAs` is its text at its beginning, when less was known. */
  completed(command: {
    text: string
    begunAs?: string | undefined
    output: string
    risk: number
    timestamp: number
  }): void
  /** The input queue has space again. */
  drained(): void
  /** Receives every event and its effects, for a trace that can be replayed. */
  trace?(event: ReaderEvent, effects: ReaderEffect[]): void
}
