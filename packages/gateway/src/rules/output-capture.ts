import { withoutSequences } from './control-sequences.ts'

/** A command that was let go to the target. */
export interface RunningCommand {
  text: string
  risk: number
  /** Milliseconds since 1970, when its Enter went on. */
  timestamp: number
}

const sizeLimit = 4096
const timeLimit = 10_000
/** Silence after which a command's output is taken to be over. */
const calm = 800

/** Collects the first output of the command that runs, and hands both over once. */
export class OutputCapture {
  private readonly done: (command: RunningCommand, output: Buffer) => void
  private running: { command: RunningCommand; chunks: Buffer[]; size: number; begun: number } | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(done: (command: RunningCommand, output: Buffer) => void) {
    this.done = done
  }

  /** Ends what was collected before. */
  start(command: RunningCommand): void {
    this.finish()
    this.running = { command, chunks: [], size: 0, begun: performance.now() }
    this.timer = setTimeout(() => this.finish(), calm)
  }

  keep(chunk: Buffer): void {
    const { running } = this
    if (!running) return
    const part = Buffer.from(chunk.subarray(0, sizeLimit - running.size))
    running.chunks.push(part)
    running.size += part.length
    if (running.size >= sizeLimit) this.finish()
    else if (performance.now() - running.begun < timeLimit) this.timer?.refresh()
  }

  finish(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = undefined
    const { running } = this
    this.running = undefined
    if (running) this.done(running.command, Buffer.concat(running.chunks))
  }
}

/** Output without control sequences, its echo of the line end and the prompt that follows it. */
export function plainText(data: Buffer, prompt: string): string {
  const text = withoutSequences(data.toString('utf8')).replace(/^\n/, '')
  const end = prompt.trim()
  const trimmed = text.trimEnd()
  const last = trimmed.slice(trimmed.lastIndexOf('\n') + 1)
  const isPrompt = end !== '' && last.startsWith(end.slice(0, 3)) && last.endsWith(end.slice(-1))
  return (isPrompt ? trimmed.slice(0, trimmed.length - last.length) : trimmed).trimEnd()
}
