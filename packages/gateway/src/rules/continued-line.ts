/** Readings of a line that are less than certain. */
export interface Suspicions {
  /** What the line may amount to where something is not as it seems. */
  possible?: string[]
  /** Lines that were decided on before and stand in those again: what they hit counts no second time. */
  decided?: string[]
  /** So much was typed that nobody can say what the line amounts to. */
  isTooLong?: boolean
}

/** One command as it stood on its line when Enter was pressed. */
export interface ReadCommand extends Suspicions {
  /** What stands in the command log; empty when the input was not shown (a password). */
  text: string
  /** What the screen shows in its place, where that is something else than what was typed. */
  shown?: string
  /** Every reading rules are matched against. */
  readings: string[]
}

const longestCarried = 16 * 1024

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
    const whole = (readings: string[] = []) => [...readings, ...readings.map((reading) => this.before + reading)]
    const text = line.text && this.before + line.text
    return { ...line, text, readings: whole(line.readings), possible: whole(line.possible) }
  }

  /** Says what the shell was given; with a backslash at its end it waits for more. */
  given(text: string): void {
    const slashes = /\\*$/u.exec(text)?.[0].length ?? 0
    this.before = slashes % 2 === 1 ? text.slice(-longestCarried, -1) : ''
  }
}
