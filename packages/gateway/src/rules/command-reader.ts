import { CommandMachine } from './command-machine.ts'
import type { Decision, LoggedCommand, ReaderEffect, ReaderEvent } from './reader-events.ts'
import type { ReaderPorts } from './reader-ports.ts'
import type { Screen } from './screen.ts'

type Happening = ReaderEvent extends infer Event ? (Event extends { at: number } ? Omit<Event, 'at'> : never) : never

/**
 * Reads the commands of an interactive session and decides on each before it reaches the target. Bytes of a line are
 * sent to the target as they are typed; its Enter is held until the decision. This class connects the state machine to
 * the clock, a timer and the code that executes its effects.
 */
export class CommandReader {
  private readonly machine: CommandMachine
  private readonly ports: ReaderPorts
  private waiting: ReaderEvent[] = []
  private isStepping = false
  private timer: NodeJS.Timeout | undefined
  private timerAt = Number.POSITIVE_INFINITY
  private idlers: (() => void)[] = []
  private begun: { at: number; timestamp: number; text?: string } | undefined

  constructor(size: { cols: number; rows: number }, ports: ReaderPorts) {
    this.machine = new CommandMachine(size, ports.guarded)
    this.ports = ports
  }

  get screen(): Screen {
    return this.machine.screen
  }

  /** Rules apply from now on, until the end. */
  guard(): void {
    this.machine.guard()
  }

  /** Input of the user. Returns false to pause the caller until `drained`. */
  input(chunk: Buffer): boolean {
    this.happened({ kind: 'keys', bytes: chunk })
    return this.machine.hasRoom
  }

  /** Output of the target, after it was sent to the user. */
  output(chunk: Buffer): void {
    this.happened({ kind: 'output', bytes: chunk })
  }

  resize(cols: number, rows: number): void {
    this.happened({ kind: 'resize', cols, rows })
  }

  /** All input so far was sent or rejected. */
  get isIdle(): boolean {
    return this.machine.isIdle
  }

  /** Resolves when all input so far was sent or rejected. */
  idle(): Promise<void> {
    return this.machine.isIdle ? Promise.resolve() : new Promise((resolve) => this.idlers.push(resolve))
  }

  /** Ends reading; the command whose output is still being collected is logged. */
  close(): void {
    this.happened({ kind: 'close' })
  }

  /** Passes an event to the machine and executes its effects; events caused by them are processed afterwards. */
  private happened(happening: Happening): void {
    this.waiting.push({ ...happening, at: performance.now() } as ReaderEvent)
    if (this.isStepping) return
    this.isStepping = true
    try {
      for (let event = this.waiting.shift(); event; event = this.waiting.shift())
        this.performAll(event, this.machine.step(event))
    } finally {
      this.isStepping = false
    }
    if (this.idlers.length > 0 && this.machine.isIdle) for (const resolve of this.idlers.splice(0)) resolve()
    this.schedule()
  }

  private performAll(event: ReaderEvent, effects: ReaderEffect[]): void {
    this.ports.trace?.(event, effects)
    for (const effect of effects) this.perform(effect)
  }

  private perform(effect: ReaderEffect): void {
    const { ports } = this
    switch (effect.kind) {
      case 'send':
        ports.toTarget(effect.bytes)
        return
      case 'notice':
        ports.notice(effect.text)
        return
      case 'unseen':
        ports.notice(ports.unseenNotice(effect.why ?? 'unseen'))
        return
      case 'decide': {
        const decision = ports.decide(effect.command)
        const tell = (made: Decision) => this.happened({ kind: 'decided', decision: made })
        if (decision instanceof Promise) void decision.then(tell)
        else tell(decision)
        return
      }
      case 'begun': {
        const entry = this.entry(effect.command)
        if (this.begun) this.begun.text = entry.text
        ports.begun(entry)
        return
      }
      case 'completed': {
        const { output, program, unread, risk } = effect.command
        const entry = this.entry(effect.command)
        const note = program
          ? ports.programNote()
          : unread && risk > 0 && output === ''
            ? ports.unseenNotice(unread)
            : ''
        ports.completed({
          ...entry,
          begunAs: this.begun?.text,
          output: note === '' ? output : `${note}\n${output}`.trimEnd(),
        })
        return
      }
      case 'drained':
        ports.drained()
    }
  }

  /** The log entry of a command: by the wall clock, the same for its beginning and its end. */
  private entry({ text, shown, unread, risk, at }: LoggedCommand): { text: string; risk: number; timestamp: number } {
    if (this.begun?.at !== at) this.begun = { at, timestamp: Math.round(Date.now() - (performance.now() - at)) }
    const both = shown !== undefined ? this.ports.differing(text, shown) : unread ? this.ports.unread(text) : text
    return { text: both, risk, timestamp: this.begun.timestamp }
  }

  private schedule(): void {
    const { wakeAt } = this.machine
    // A timer that fires too early is cheaper than resetting it with every key.
    if (wakeAt === undefined || wakeAt >= this.timerAt) {
      if (wakeAt === undefined) this.stopTimer()
      return
    }
    this.stopTimer()
    this.timerAt = wakeAt
    this.timer = setTimeout(
      () => {
        this.timer = undefined
        this.timerAt = Number.POSITIVE_INFINITY
        this.happened({ kind: 'time' })
      },
      Math.max(wakeAt - performance.now(), 1),
    )
  }

  private stopTimer(): void {
    clearTimeout(this.timer)
    this.timerAt = Number.POSITIVE_INFINITY
  }
}
