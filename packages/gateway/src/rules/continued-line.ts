/** One command as it stood on its line when Enter was pressed. */
export interface ReadCommand {
  /** What stands in the command log; empty when the input was not shown (a password). */
  text: string
  /** Every reading rules are matched against. */
  readings: string[]
}

/** A shell takes a backslash at the end of a line out, together with the line's end. */
const continuation = /\\\r?\n/gu
const longestCarried = 16 * 1024

/** A command as the shell reads it when it stands on several lines; the same text when it does not. */
export const joinedLines = (text: string): string => text.replace(continuation, '')

/** The lines a shell still collects: what they and the next one mean together is what rules are about. */
export class ContinuedLine {
  private before = ''

  /** True while the shell waits for the rest of a command. */
  get isOpen(): boolean {
    return this.before !== ''
  }

  /** A line together with those it goes on from. */
  join(line: ReadCommand): ReadCommand {
    if (!this.isOpen) return line
    const whole = line.readings.map((reading) => this.before + reading)
    return { text: line.text && this.before + line.text, readings: [...line.readings, ...whole] }
  }

  /** Says what the shell was given; with a backslash at its end it waits for more. */
  given(text: string): void {
    const slashes = /\\*$/u.exec(text)?.[0].length ?? 0
    this.before = slashes % 2 === 1 ? text.slice(-longestCarried, -1) : ''
  }
}
