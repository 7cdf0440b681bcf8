import type { ReadCommand, Unreadable } from './continued-line.ts'
import type { Key } from './key-splitter.ts'
import type { OpenLine } from './open-line.ts'

export type Decision = Accepted | Refused

export interface Accepted {
  run: true
  risk: number
  /** It was held until somebody approved it: keys typed behind it before that are discarded. */
  isReviewed?: boolean
}

export interface Refused {
  run: false
  risk: number
  notice: string
  /** The part of the line that a rule matched. */
  matched?: string
  /** The possible reading of the keys, if only that was matched. */
  suspicion?: string | undefined
}

/** All events of a reader. `at` is a monotonic clock in milliseconds. */
export type ReaderEvent = { at: number } & (
  | { kind: 'keys'; bytes: Buffer }
  | { kind: 'output'; bytes: Buffer }
  | { kind: 'decided'; decision: Decision }
  | { kind: 'resize'; cols: number; rows: number }
  | { kind: 'time' }
  | { kind: 'close' }
)

/** A command with its log entry. */
export interface LoggedCommand {
  text: string
  /** The text on the screen, if it differs. */
  shown?: string | undefined
  /** It could not be read: the text is what was typed, or empty. */
  unread?: Unreadable | undefined
  risk: number
  /** By the clock of the events. */
  at: number
}

/** Effects to execute, in this order. */
export type ReaderEffect =
  | { kind: 'send'; bytes: Buffer }
  | { kind: 'notice'; text: string }
  /** Tells the user that a line was not run because it cannot be read. */
  | { kind: 'unseen'; why?: Unreadable }
  /** Requests a `decided` event; until then no key is sent. */
  | { kind: 'decide'; command: ReadCommand }
  | { kind: 'begun'; command: LoggedCommand }
  /** `program`: a full-screen program, whose input is not read as commands. */
  | { kind: 'completed'; command: LoggedCommand & { output: string; program?: boolean } }
  | { kind: 'drained' }

/** The state of the reader. In every phase but the first, keys wait. */
export type Phase =
  | { kind: 'reading' }
  /** Enter was pressed: waits for the screen to show the final line. */
  | { kind: 'settling'; key: Key; line: OpenLine; since: number }
  /** Enter after keys that a program may have left to its shell: waits for their effect. */
  | { kind: 'resuming'; key: Key; until: number }
  /** Enter after unechoed keys: waits for a prompt, then for silence. */
  | { kind: 'awaiting-prompt'; key: Key; until: number; isThere: boolean }
  /** A Ctrl-E was sent: the terminal writes `^E` while no program reads its keys. */
  | { kind: 'probing'; key: Key; line: OpenLine; command: ReadCommand; until: number }
  | { kind: 'deciding'; key: Key; line: OpenLine; command: ReadCommand; unseen?: Unseen | undefined }
  | { kind: 'deciding-paste'; lines: ReadCommand[]; at: number; text: string; bytes: Buffer }
  /** A line is being cleared at the target. */
  | { kind: 'clearing'; line: OpenLine; until: number; isAborted: boolean; then: AfterClearing }
  /** A notice to the user, which must appear on the terminal first. */
  | { kind: 'saying'; line: OpenLine | undefined; then: AfterClearing; heard: number; until: number }
  /** A key that may have ended the line was sent: the screen shows whether it did. */
  | { kind: 'trying'; line: OpenLine; running: RunningText | undefined; until: number; key: Key }
  /** Waits for the next output of the target. */
  | { kind: 'pausing'; until: number; heard: number }

export interface RunningText {
  text: string
  shown?: string | undefined
  /** The typed text where a shell shows nothing at its own prompt. */
  blind?: string | undefined
  unread?: Unreadable | undefined
  risk: number
}

/** Why a line is cleared: it was rejected, or it is not completely visible. */
export type AfterClearing =
  | { kind: 'refused'; command: ReadCommand; decision: Refused }
  | Unseen
  /** A rejected line could not be cleared, and its end was requested. */
  | { kind: 'stuck' }

export type Unseen = { kind: 'unseen'; isAnswered: boolean; why?: Unreadable; text: string }
