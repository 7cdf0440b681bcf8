import { CommandMachine } from './command-machine.ts'
import type { Decision, LoggedCommand, ReaderEffect, ReaderEvent } from './reader-events.ts'
import type { ReaderPorts } from './reader-ports.ts'
import type { Screen } from './screen.ts'

type Happening = ReaderEvent extends infer Event ? (Event extends { at: number } ? Omit<Event, 'at'> : never) : never

/**
 * Reads the commands of an interactive session and lets none reach the target before it was decided on. Bytes of a line go
 * to the target as they are typed; its Enter is held until the decision. This is the machine's place in the world: its
 * clock, its timer, and whoever does what it wants done.
 */
export class CommandReader {
  private readonly machine: CommandMachine
  private readonly ports: ReaderPorts
  private waiting: ReaderEvent[] = []
  private isStepping = false
  private timer: NodeJS.Timeout | undefined
  private timerAt = Number.POSITIVE_INFINITY
  private idlers: (() => void)[] = []
  private begun: { at: number; timestamp: number } | undefined

  constructor(size: { cols: number; rows: number }, ports: ReaderPorts) {
    this.machine = new CommandMachine(size, ports.guarded)
    this.ports = ports
  }

  get screen(): Screen {
    return this.machine.screen
  }

  /** Takes what the person sent. False asks the caller to stop until `drained`. */
  input(chunk: Buffer): boolean {
    this.happened({ kind: 'keys', bytes: chunk })
    return this.machine.hasRoom
  }

  /** Takes what the target sent, after it went to the person. */
  output(chunk: Buffer): void {
    this.happened({ kind: 'output', bytes: chunk })
  }

  resize(cols: number, rows: number): void {
    this.happened({ kind: 'resize', cols, rows })
  }

  /** Resolves when everything taken so far has gone on or was refused. */
  idle(): Promise<void> {
    return this.machine.isIdle ? Promise.resolve() : new Promise((resolve) => this.idlers.push(resolve))
  }

  /** Ends reading; the command still collecting output is handed over. */
  close(): void {
    this.happened({ kind: 'close' })
  }

  /** Tells the machine, and does what it wants done; what that brings about is told afterwards. */
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
        ports.notice(ports.unseenNotice())
        return
      case 'decide': {
        const decision = ports.decide(effect.command)
        const tell = (made: Decision) => this.happened({ kind: 'decided', decision: made })
        if (decision instanceof Promise) void decision.then(tell)
        else tell(decision)
        return
      }
      case 'begun':
        ports.begun(this.entry(effect.command))
        return
      case 'completed': {
        const { output, program } = effect.command
        const entry = this.entry(effect.command)
        ports.completed({ ...entry, output: program ? `${ports.programNote()}\n${output}`.trimEnd() : output })
        return
      }
      case 'drained':
        ports.drained()
    }
  }

  /** As the log has it: by the clock on the wall, the same for a command's beginning and its end. */
  private entry({ text, shown, risk, at }: LoggedCommand): { text: string; risk: number; timestamp: number } {
    if (this.begun?.at !== at) this.begun = { at, timestamp: Math.round(Date.now() - (performance.now() - at)) }
    const both = shown === undefined ? text : this.ports.differing(text, shown)
    return { text: both, risk, timestamp: this.begun.timestamp }
  }

  private schedule(): void {
    const { wakeAt } = this.machine
    // A timer that comes too soon costs less than one set anew with every key.
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
