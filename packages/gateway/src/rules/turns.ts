import { limits } from './limits.ts'

/** Number of round-trip times recorded; their median is the usual one. */
const remembered = 5
/** Maximum number of inputs tracked one by one. */
const mostUnderway = 1000

/** The turn-taking of user and target, and the target's response time. Milliseconds. */
export class Turns {
  /** The target has written output since the user's last input. */
  isAnswered = true
  /** The same since the last Enter that was sent. */
  isEnterAnswered = true
  /** Usual time from an input to its first response. */
  latency = 20
  /** Number of outputs of the target. */
  heard = 0
  /** Monotonic time of the target's last output. */
  lastOutput = 0
  private lastInput = 0
  private enterAnswered = 0
  /** Times of inputs that may still be in flight, the oldest first. */
  private underway: number[] = []
  /** An input while nothing was in flight: the next output is its response. */
  private alone: number | undefined
  /** The last response times of such inputs. */
  private ways: number[] = []
  /** When all of them have likely been answered, judging by the oldest. */
  private expected = 0

  /** The target has responded and has then been silent for a while. */
  isQuiet(now: number): boolean {
    return this.isAnswered && now - this.lastOutput >= limits.calm
  }

  /** An Enter was just sent: a shell may be about to run the line. */
  isStarting(now: number): boolean {
    return !this.isEnterAnswered || now - this.enterAnswered < limits.handingOver
  }

  /** Output at this time responds to no key: another program writes on the terminal. */
  isUnasked(now: number): boolean {
    const patience = Math.max(limits.echo, this.latency * limits.echoLatencies)
    return this.isAnswered && now - this.lastInput > patience
  }

  /**
   * How much longer the target may be responding to input before the last one: an early response belongs to an earlier
   * key, whose line is not the one that would be run.
   */
  missing(now: number): number {
    return this.expected + (this.underway.length > 0 ? limits.overdue : 0) - now
  }

  /** Usual round-trip time. */
  private get way(): number {
    return this.ways.toSorted((one, other) => one - other)[this.ways.length >> 1] ?? 0
  }

  /** @param keys number of keys sent at once; 2 means several */
  input(keys: 1 | 2, now: number): void {
    if (this.isAnswered && now >= this.expected) this.underway = []
    if (this.underway.length === 0) this.alone = now
    for (let key = 0; key < keys && this.underway.length < mostUnderway; key++) this.underway.push(now)
    this.lastInput = now
    this.isAnswered = false
  }

  enter(): void {
    this.isEnterAnswered = false
  }

  /** The window was resized: the redraw was requested. */
  resized(now: number): void {
    this.lastInput = now
  }

  /** The target wrote output, and the screen has processed it. */
  output(now: number): void {
    if (!this.isAnswered) this.latency = this.latency * 0.8 + Math.min(now - this.lastInput, 1000) * 0.2
    this.answered(now)
    this.lastOutput = now
    this.heard += 1
    this.isAnswered = true
    if (!this.isEnterAnswered) this.enterAnswered = now
    this.isEnterAnswered = true
  }

  /** A response consists of several chunks, and no input is answered faster than a round trip. */
  private answered(now: number): void {
    if (this.alone !== undefined) {
      this.ways = [...this.ways, now - this.alone].slice(-remembered)
      this.alone = undefined
    }
    const [oldest] = this.underway
    if (oldest === undefined) return
    const { way } = this
    const age = now - oldest
    if (age >= way * 0.8) this.underway.shift()
    // One chunk may answer several.
    this.underway = this.underway.filter((sent) => now - sent < way * 1.5 + limits.unevenness)
    if (this.underway.length > 0) this.expected = this.lastInput + Math.max(age, way) + limits.unevenness
  }
}
