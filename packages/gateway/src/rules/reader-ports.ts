import type { ReadCommand } from './continued-line.ts'
import type { Decision, ReaderEffect, ReaderEvent } from './reader-events.ts'

/** What the reader needs around it. `decide` may take as long as a person's review takes. */
export interface ReaderPorts {
  toTarget(data: Buffer): void
  /** True when rules exist, so that a line nobody could see must not pass. */
  guarded: boolean
  decide(command: ReadCommand): Decision | Promise<Decision>
  /** Shows a text to the person (it is recorded and part of the picture). */
  notice(text: string): void
  /** Said when a line was edited where its result cannot be seen. */
  unseenNotice(): string
  /** What the log says of a line of which the keys and the screen tell different things. */
  differing(typed: string, shown: string): string
  /** What the log says of a program that has the screen, whose keys are not read as commands. */
  programNote(): string
  /** A command goes on to the target; its output is still to come. */
  begun(command: { text: string; risk: number; timestamp: number }): void
  /** A command and the output it gave, once. */
  completed(command: { text: string; output: string; risk: number; timestamp: number }): void
  /** The queue of held input has room again. */
  drained(): void
  /** Told of every event and what came of it, for a record that can be played again. */
  trace?(event: ReaderEvent, effects: ReaderEffect[]): void
}
