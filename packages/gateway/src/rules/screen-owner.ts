import { alternateScreen, cursorDrawing, promptSign, screenDrawing, withoutSequences } from './control-sequences.ts'
import type { Screen } from './screen.ts'
import { definedNames, definesUnknown, type ScreenProgram, screenProgramOf } from './screen-programs.ts'

/**
 * Who reads what is typed. `program`: one that is proven to have the screen, whose keys are no commands. `shell`: lines
 * are commands. `doubt`: the screen says that a program may have it, without proof; lines are read and checked as well.
 */
export type Owner = 'shell' | 'program' | 'doubt'

/** Has the screen and shows shells on it. */
const multiplexer = /\b(?:tmux|screen|byobu|zellij)\b/u
const promptEnd = /[$#%>❯➜»]\s*$/u
const esc = '\u001b'
const longestSequence = 64

/**
 * Follows who has the screen. The proof is that a program known to have it was started by a line that was decided on, has
 * then entered the alternate screen and draws by addressing the cursor. A hidden cursor, a prompt or a job in the
 * background prove nothing.
 */
export class ScreenOwner {
  private readonly screen: Screen
  private readonly redefined = new Set<string>()
  /** No name can be trusted to mean its program. */
  private isRedefined = false
  private candidate: ScreenProgram | undefined
  private startedBy = ''
  private hasJobs = false
  private hasEntered = false
  private hasDrawn = false
  private tail = ''
  /** A shell has asked for bracketed pastes, as it does at each prompt, and nothing has drawn on the screen since. */
  isPromptSigned = false

  constructor(screen: Screen) {
    this.screen = screen
  }

  /**
   * A command goes on to be run. Typed to a program that has the screen, it starts none.
   * @param prompt what stood before it: where a shell shows none, nobody can tell when it is back
   */
  enter(command: string, owner: Owner, { prompt, hasJobs }: { prompt: string; hasJobs: boolean }): void {
    this.isPromptSigned = false
    this.tail = ''
    if (owner === 'program') return
    for (const name of definedNames(command)) this.redefined.add(name)
    if (definesUnknown(command)) this.isRedefined = true
    if (owner === 'shell' && !this.screen.isFullScreen) this.startedBy = command
    const isTelling = prompt.trim() !== '' && !this.screen.hasAlternateBuffer
    this.candidate = isTelling && !this.isRedefined ? screenProgramOf(command, this.redefined) : undefined
    this.hasJobs = hasJobs
    this.hasEntered = false
    this.hasDrawn = false
  }

  /** Takes output of the target before the screen does. */
  output(chunk: Buffer, isAtPrompt: () => boolean): void {
    // Looked at only where it can matter: plain output must cost nothing.
    const mayEnd = this.hasJobs && this.candidate !== undefined && !this.hasEntered
    if (!chunk.includes(0x1b) && this.tail === '' && !mayEnd) return
    const text = this.tail + chunk.toString('latin1')
    this.followPrompt(text)
    if (this.candidate) this.followProof(text, isAtPrompt)
    const start = text.lastIndexOf(esc)
    // A sequence that the chunk's end may have cut; a whole one read again says the same.
    this.tail = start >= 0 && text.length - start < longestSequence ? text.slice(start) : ''
  }

  /** Who reads a line that begins, or is ended, behind `before`. */
  of(before: string, lastPrompt: string): Owner {
    this.screen.flush()
    if (!this.screen.isFullScreen || this.isPromptSigned) return 'shell'
    const left = before.split(/[│|]/u).at(-1) ?? ''
    const known = lastPrompt.trim()
    const isKnown =
      known !== '' && left.trimStart().startsWith(known.slice(0, 3)) && left.trimEnd().endsWith(known.slice(-1))
    if (isKnown) return 'shell'
    if (multiplexer.test(this.startedBy)) return promptEnd.test(left) ? 'shell' : 'doubt'
    return this.isProven ? 'program' : 'doubt'
  }

  get isProven(): boolean {
    if (!this.candidate || !this.hasDrawn) return false
    this.screen.flush()
    return this.hasEntered
      ? this.screen.hasAlternateBuffer
      : this.candidate.onOrdinaryScreen && this.screen.isFullScreen
  }

  private followPrompt(text: string): void {
    const last = [...text.matchAll(promptSign)].at(-1)
    if (last) this.isPromptSigned = true
    if (screenDrawing.test(text.slice(last ? last.index + last[0].length : 0))) this.isPromptSigned = false
  }

  private followProof(text: string, isAtPrompt: () => boolean): void {
    let from = 0
    const changes = [...text.matchAll(alternateScreen)]
    // A job may enter the screen for a program that is over: one that has said anything may be.
    const before = text.slice(0, changes[0]?.index)
    if (this.hasJobs && !this.hasEntered && withoutSequences(before).trim() !== '') this.candidate = undefined
    for (const change of changes) {
      from = change.index + change[0].length
      const isEntry = change[1] === 'h'
      // One line has started one program: what enters the alternate screen next is another.
      if (this.hasEntered ? !isEntry : isEntry && isAtPrompt()) this.candidate = undefined
      if (isEntry) this.hasEntered = true
    }
    if (cursorDrawing.test(text.slice(from))) this.hasDrawn = true
  }
}
