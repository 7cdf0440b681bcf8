import { alternateScreen, cursorDrawing, promptSign, screenDrawing, withoutSequences } from './control-sequences.ts'
import type { Screen } from './screen.ts'
import { definedNames, definesUnknown, type ScreenProgram, screenProgramOf } from './screen-programs.ts'

/**
 * The program that reads the input. `program`: a proven full-screen program, whose keys are not commands. `shell`:
 * lines are commands. `doubt`: the screen suggests a full-screen program without proof; lines are read and checked as
 * well.
 */
export type Owner = 'shell' | 'program' | 'doubt'

/** Full-screen programs that show shells. */
const multiplexer = /\b(?:tmux|screen|byobu|zellij)\b/u
const promptEnd = /[$#%>❯➜»]\s*$/u
const esc = '\u001b'
const longestSequence = 64

/**
 * Determines which program uses the screen. The proof is that a known full-screen program was started by a line that
 * was decided on, has then entered the alternate screen and draws by addressing the cursor. A hidden cursor, a prompt
 * or a background job prove nothing.
 */
export class ScreenOwner {
  private readonly screen: Screen
  private readonly redefined = new Set<string>()
  /** Names may be redefined, so no name proves its program. */
  private isRedefined = false
  private candidate: ScreenProgram | undefined
  private startedBy = ''
  private hasJobs = false
  private hasEntered = false
  private hasDrawn = false
  private tail = ''
  /** A shell has enabled bracketed paste, as it does at each prompt, and nothing has drawn on the screen since. */
  isPromptSigned = false

  constructor(screen: Screen) {
    this.screen = screen
  }

  /**
   * A command is sent. Input of a full-screen program starts none.
   * @param prompt the text before it: where a shell shows none, its return cannot be detected
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

  /** Processes output of the target before the screen does. */
  output(chunk: Buffer, isAtPrompt: () => boolean): void {
    // Plain output is skipped for speed.
    const mayEnd = this.hasJobs && this.candidate !== undefined && !this.hasEntered
    if (!chunk.includes(0x1b) && this.tail === '' && !mayEnd) return
    const text = this.tail + chunk.toString('latin1')
    this.followPrompt(text)
    if (this.candidate) this.followProof(text, isAtPrompt)
    const start = text.lastIndexOf(esc)
    // A sequence that may be cut at the end of the chunk; reading a complete one again has the same result.
    this.tail = start >= 0 && text.length - start < longestSequence ? text.slice(start) : ''
  }

  /** The program that reads a line that begins, or ends, after `before`. */
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
    // A job may enter the alternate screen after the program has exited: any output of it may mean that.
    const before = text.slice(0, changes[0]?.index)
    if (this.hasJobs && !this.hasEntered && withoutSequences(before).trim() !== '') this.candidate = undefined
    for (const change of changes) {
      from = change.index + change[0].length
      const isEntry = change[1] === 'h'
      // One line has started one program: the next one to enter the alternate screen is another.
      if (this.hasEntered ? !isEntry : isEntry && isAtPrompt()) this.candidate = undefined
      if (isEntry) this.hasEntered = true
    }
    if (cursorDrawing.test(text.slice(from))) this.hasDrawn = true
  }
}
