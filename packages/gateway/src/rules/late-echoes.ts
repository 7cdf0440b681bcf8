import { limits } from './limits.ts'
import type { RunningCommand } from './output-capture.ts'
import type { Place, Screen } from './screen.ts'

/** Maximum number; more are dropped: input that was never echoed was not a command. */
const most = 8

interface Awaited {
  text: string
  place: Place
  /** Set when its output has ended. */
  command?: RunningCommand
  output: Buffer
  until: number
}

/** Lines not echoed when their Enter was sent: typed ahead of a busy shell, or hidden. */
export class LateEchoes {
  private readonly screen: Screen
  private open: Awaited | undefined
  private overdue: Awaited[] = []

  constructor(screen: Screen) {
    this.screen = screen
  }

  expect(text: string, place: Place): void {
    this.open?.place.dispose()
    this.open = { text, place, output: Buffer.alloc(0), until: 0 }
  }

  /**
   * A command without a text has ended. Returns its text if it has been echoed by now; otherwise it is recorded for
   * later.
   */
  take(command: RunningCommand, output: Buffer, now: number): string | undefined {
    const { open } = this
    this.open = undefined
    if (!open) return undefined
    const isEchoed = this.isEchoed(open)
    if (isEchoed || command.blind) open.place.dispose()
    else this.overdue.push({ ...open, command, output, until: now + limits.lateEcho })
    for (const oldest of this.overdue.splice(0, this.overdue.length - most)) oldest.place.dispose()
    return isEchoed ? open.text : undefined
  }

  /** The target has written output: returns the commands that have been echoed by now. */
  output(now: number): { command: RunningCommand; output: Buffer }[] {
    if (this.overdue.length === 0) return []
    const echoed = this.overdue.filter((awaited) => this.isEchoed(awaited))
    this.overdue = this.overdue.filter((awaited) => {
      const isWaiting = !echoed.includes(awaited) && now < awaited.until
      if (!isWaiting) awaited.place.dispose()
      return isWaiting
    })
    return echoed.flatMap(({ command, text, output }) => (command ? [{ command: { ...command, text }, output }] : []))
  }

  private isEchoed({ text, place }: Awaited): boolean {
    return this.screen.textFrom(place, { upToGap: true }).includes(text)
  }
}
