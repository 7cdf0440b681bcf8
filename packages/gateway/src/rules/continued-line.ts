import type { Suspicions } from '@castellan/contract/command-rules/command-filter'

/** A command as it was on its line when Enter was pressed. */
export interface ReadCommand extends Suspicions {
  /** Text for the command log; empty for hidden input (a password). */
  text: string
  /** The text on the screen, if it differs from the typed one. */
  shown?: string
  /** Every reading that rules are matched against. */
  readings: string[]
  /** Why the line that runs is not this text: it could not be read, or is one of the shell's history. */
  unread?: Unreadable | undefined
}

/** `unseen`: the screen does not show the line. `recalled`: the shell takes it from its history. */
export type Unreadable = 'unseen' | 'recalled'

const longestCarried = 16 * 1024

/** Lines of an incomplete command in a shell: rules apply to all of them together with the next one. */
export class ContinuedLine {
  private before = ''

  /** True while the shell waits for the rest of a command. */
  get isOpen(): boolean {
    return this.before !== ''
  }

  /** Joins a line with the preceding ones. */
  join(line: ReadCommand): ReadCommand {
    if (!this.isOpen) return line
    const whole = (readings: string[] = []) => [...readings, ...readings.map((reading) => this.before + reading)]
    const text = line.text && this.before + line.text
    return { ...line, text, readings: whole(line.readings), possible: whole(line.possible) }
  }

  /** Records a line sent to the shell; after a backslash at its end the shell waits for more. */
  given(text: string): void {
    const slashes = /\\*$/u.exec(text)?.[0].length ?? 0
    this.before = slashes % 2 === 1 ? text.slice(-longestCarried, -1) : ''
  }
}
