import type { Unreadable } from './continued-line.ts'
import { withoutSequences } from './control-sequences.ts'
import { limits } from './limits.ts'

/** A command that was sent to the target. */
export interface RunningCommand {
  text: string
  /** The text on the screen, if it differs. */
  shown?: string | undefined
  /** The typed text where a shell shows nothing at its own prompt. */
  blind?: string | undefined
  /** It could not be read: the text is what was typed, or empty. */
  unread?: Unreadable | undefined
  risk: number
  /** When its Enter was sent, by the clock of the events. */
  at: number
}

const sizeLimit = 4096

/** Collects the first output of the running command, and delivers both once. */
export class OutputCapture {
  private readonly done: (command: RunningCommand, output: Buffer) => void
  private running: { command: RunningCommand; chunks: Buffer[]; size: number } | undefined
  private until = 0

  constructor(done: (command: RunningCommand, output: Buffer) => void) {
    this.done = done
  }

  /** When the output counts as ended unless more arrives. */
  get deadline(): number | undefined {
    return this.running && this.until
  }

  /** Ends the previous collection. */
  start(command: RunningCommand): void {
    this.finish()
    this.running = { command, chunks: [], size: 0 }
    // Until the target answers, it has not even echoed the Enter.
    this.until = command.at + limits.output
  }

  keep(chunk: Buffer, now: number): void {
    const { running } = this
    if (!running) return
    const part = Buffer.from(chunk.subarray(0, sizeLimit - running.size))
    running.chunks.push(part)
    running.size += part.length
    if (running.size >= sizeLimit) this.finish()
    else if (now - running.command.at < limits.output) this.until = now + limits.outputCalm
  }

  expire(now: number): void {
    if (this.running && now >= this.until) this.finish()
  }

  finish(): void {
    const { running } = this
    this.running = undefined
    if (running) this.done(running.command, Buffer.concat(running.chunks))
  }
}

/** Output without control sequences, the echo of the line end and the following prompt. */
export function plainText(data: Buffer, prompt: string): string {
  const text = withoutSequences(data.toString('utf8')).replace(/^\n/, '')
  const end = prompt.trim()
  const trimmed = text.trimEnd()
  const last = trimmed.slice(trimmed.lastIndexOf('\n') + 1)
  const isPrompt = end !== '' && last.startsWith(end.slice(0, 3)) && last.endsWith(end.slice(-1))
  return (isPrompt ? trimmed.slice(0, trimmed.length - last.length) : trimmed).trimEnd()
}
