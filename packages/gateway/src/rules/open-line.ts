import type { Place } from './screen.ts'
import type { Owner } from './screen-owner.ts'

/** A line somebody is typing. */
export interface OpenLine {
  place: Place
  /** Who was to read it when it began. */
  owner: Owner
  /** Begun behind a shell's prompt: whatever takes the screen now, the line is the shell's. */
  atPrompt: boolean
  /** Begun while a program had the screen and gone on with after it ended: only the screen knows the line. */
  resumed: boolean
  /** Begun while the shell was still starting the command before: its keys wait unread, and neither show nor go away. */
  ahead: boolean
  /** Begun before the target had said anything to the Enter before: it may be for a question still to be put. */
  early: boolean
  /** Something wrote on the terminal that no key has asked for. */
  disturbed: boolean
  /** What stood on the line one after the other, kept where a job may paint over it. */
  seen: Set<string>
}
