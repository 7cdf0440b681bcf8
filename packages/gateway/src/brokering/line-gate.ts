import { ContinuedLine, type ReadCommand } from '../rules/continued-line.ts'
import type { Decision } from '../rules/reader-events.ts'

interface GatePorts {
  pass(data: Buffer): void
  end(): void
  decide(line: ReadCommand): Decision | Promise<Decision>
  decided(line: ReadCommand, decision: Decision): void
}

/**
 * Bytes; longer than any line that can be checked against rules, so that rules reject it without waiting for its end.
 */
const longestLine = 64 * 1024

/**
 * Passes a script line by line: each line is decided on before it reaches the shell. A rejected line ends the script
 * there: the shell sees the end of its input, so that the lines before it finish and their output arrives.
 */
export class LineGate {
  private readonly ports: GatePorts
  private rest = Buffer.alloc(0)
  private work: Promise<void> = Promise.resolve()
  private readonly continued = new ContinuedLine()
  private stopped = false

  constructor(ports: GatePorts) {
    this.ports = ports
  }

  input(data: Buffer): void {
    this.work = this.work.then(() => this.take(Buffer.concat([this.rest, data]), false))
  }

  end(): void {
    this.work = this.work.then(async () => {
      await this.take(this.rest, true)
      if (!this.stopped) this.ports.end()
    })
  }

  private async take(data: Buffer, isLast: boolean): Promise<void> {
    let from = 0
    while (!this.stopped && from < data.length) {
      const newline = data.indexOf(0x0a, from)
      const end = newline === -1 ? (isLast || data.length - from > longestLine ? data.length : -1) : newline + 1
      if (end === -1) break
      await this.one(data.subarray(from, end))
      from = end
    }
    this.rest = this.stopped ? Buffer.alloc(0) : Buffer.from(data.subarray(from))
  }

  private async one(line: Buffer): Promise<void> {
    // Shells drop NULs from their input.
    const text = line.toString('utf8').replaceAll('\0', '')
    if (text.trim() !== '') {
      const command = this.continued.join({ text: text.trim(), readings: [text] })
      const decision = await this.ports.decide(command)
      this.ports.decided(command, decision)
      this.continued.given(command.text)
      if (!decision.run) {
        this.stopped = true
        this.ports.end()
        return
      }
    }
    this.ports.pass(line)
  }
}
