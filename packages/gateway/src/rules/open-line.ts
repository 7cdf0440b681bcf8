import type { Place } from './screen.ts'
import type { Owner } from './screen-owner.ts'

/** The line being typed. */
export interface OpenLine {
  place: Place
  /** The program that was reading when it began. */
  owner: Owner
  /** Begun after a shell's prompt: the line is the shell's, even if a program takes over the screen. */
  atPrompt: boolean
  /** Begun in a full-screen program and continued after it exited: only the screen knows the line. */
  resumed: boolean
  /**
   * Begun while the shell was still starting the previous command: its keys wait unread, so they are neither shown nor
   * lost.
   */
  ahead: boolean
  /** Begun before the target responded to the previous Enter: it may answer a question not shown yet. */
  early: boolean
  /** Output appeared on the terminal that no key caused. */
  disturbed: boolean
  /** Successive texts of the line, in case a job overwrites it. */
  seen: Set<string>
}
