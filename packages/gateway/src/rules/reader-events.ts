import type { ReadCommand } from './continued-line.ts'
import type { Key } from './key-splitter.ts'
import type { OpenLine } from './open-line.ts'

export type Decision = { run: true; risk: number } | Refused

export interface Refused {
  run: false
  risk: number
  notice: string
  /** The part of the line that a rule hit. */
  matched?: string
  /** The line as its keys may amount to, where only that was hit. */
  suspicion?: string | undefined
}

/** Everything a reader hears of. `at` is a clock in milliseconds that only goes forward. */
export type ReaderEvent = { at: number } & (
  | { kind: 'keys'; bytes: Buffer }
  | { kind: 'output'; bytes: Buffer }
  | { kind: 'decided'; decision: Decision }
  | { kind: 'resize'; cols: number; rows: number }
  | { kind: 'time' }
  | { kind: 'close' }
)

/** A command with what the log says of it. */
export interface LoggedCommand {
  text: string
  /** What the screen showed in its place, where that is something else. */
  shown?: string | undefined
  risk: number
  /** By the clock of the events. */
  at: number
}

/** What a reader wants done, in this order. */
export type ReaderEffect =
  | { kind: 'send'; bytes: Buffer }
  | { kind: 'notice'; text: string }
  /** Says that a line was edited where its result cannot be seen. */
  | { kind: 'unseen' }
  /** Wants a `decided` event; until then no key goes on. */
  | { kind: 'decide'; command: ReadCommand }
  | { kind: 'begun'; command: LoggedCommand }
  /** `program`: it has the screen, and what is typed to it is not read as commands. */
  | { kind: 'completed'; command: LoggedCommand & { output: string; program?: boolean } }
  | { kind: 'drained' }

/** What the reader is about. In every phase but the first, keys wait. */
export type Phase =
  | { kind: 'reading' }
  /** Enter was pressed: waits for the screen to show what the line has become. */
  | { kind: 'settling'; key: Key; line: OpenLine; since: number }
  /** Enter behind keys that a program may have left to its shell: waits for their effect. */
  | { kind: 'resuming'; key: Key; until: number }
  /** Enter behind keys nobody has seen: waits for a prompt, then for silence. */
  | { kind: 'awaiting-prompt'; key: Key; until: number; isThere: boolean }
  /** A Ctrl-E was sent: the terminal writes `^E` while no program reads its keys. */
  | { kind: 'probing'; key: Key; line: OpenLine; command: ReadCommand; until: number }
  | { kind: 'deciding'; key: Key; line: OpenLine; command: ReadCommand; unseen?: Unseen | undefined }
  | { kind: 'deciding-paste'; lines: ReadCommand[]; at: number; text: string; bytes: Buffer }
  /** A line is being emptied at the target. */
  | { kind: 'clearing'; line: OpenLine; until: number; isAborted: boolean; then: AfterClearing }
  /** Something was said to the person, which the terminal shows first. */
  | { kind: 'saying'; line: OpenLine | undefined; then: AfterClearing; heard: number; until: number }
  /** A key that may have ended the line went on: the screen shows whether it did. */
  | { kind: 'trying'; line: OpenLine; running: RunningText | undefined; until: number; key: Key }
  /** Waits for the target's next word. */
  | { kind: 'pausing'; until: number; heard: number }

export interface RunningText {
  text: string
  shown?: string | undefined
  /** What was typed where a shell shows nothing at its own prompt. */
  blind?: string | undefined
  risk: number
}

/** Why a line is emptied: it was refused, or nobody can see what it holds. */
export type AfterClearing =
  | { kind: 'refused'; command: ReadCommand; decision: Refused }
  | Unseen
  /** A refused line could not be emptied, and was to be ended. */
  | { kind: 'stuck' }

export type Unseen = { kind: 'unseen'; isAnswered: boolean }
