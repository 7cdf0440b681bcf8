import type { Place } from './screen.ts'

/** A line somebody is typing. */
export interface OpenLine {
  place: Place
  /** Begun while a full-screen program had the screen: not a command. */
  foreign: boolean
  /** Begun there and gone on with after that program ended: only the screen knows the line. */
  resumed: boolean
  /** Begun at a shell's prompt on a screen that was switched by hand. */
  byHand: boolean
  /** Begun while the shell was still starting the command before: its keys wait unread, and neither show nor go away. */
  ahead: boolean
}
