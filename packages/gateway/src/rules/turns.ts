import { limits } from './limits.ts'

/** Ways there and back that are remembered: the one in the middle is the usual one. */
const remembered = 5
/** So many are followed one by one. */
const mostUnderway = 1000

/** Who spoke last, the person or the target, and how long the target takes to answer. Times in milliseconds. */
export class Turns {
  /** The target has said something since the person's last input. */
  isAnswered = true
  /** The same since the last Enter that went on. */
  isEnterAnswered = true
  /** Usual time from an input to its first answer. */
  latency = 20
  /** How often the target has said something. */
  heard = 0
  /** Monotonic moment of the target's last output. */
  lastOutput = 0
  private lastInput = 0
  private enterAnswered = 0
  /** Moments of inputs that may still be on their way, the oldest first. */
  private underway: number[] = []
  /** An input while nothing was on its way: what comes next is its answer. */
  private alone: number | undefined
  /** How long such answers took, the last ones. */
  private ways: number[] = []
  /** When all of them are likely to have been answered, as their oldest one was. */
  private expected = 0

  /** The target has answered and has then been silent for a moment. */
  isQuiet(now: number): boolean {
    return this.isAnswered && now - this.lastOutput >= limits.calm
  }

  /** An Enter went on just now: a shell may be about to run what stood before it. */
  isStarting(now: number): boolean {
    return !this.isEnterAnswered || now - this.enterAnswered < limits.handingOver
  }

  /** What the target writes now answers no key: something else writes on the terminal. */
  isUnasked(now: number): boolean {
    const patience = Math.max(limits.echo, this.latency * limits.echoLatencies)
    return this.isAnswered && now - this.lastInput > patience
  }

  /**
   * How much longer the target may be answering what was sent before the last input: an answer that comes first is that of
   * an earlier key, whose line is not the one that would be run.
   */
  missing(now: number): number {
    return this.expected + (this.underway.length > 0 ? limits.overdue : 0) - now
  }

  /** How long an input and its answer usually take. */
  private get way(): number {
    return this.ways.toSorted((one, other) => one - other)[this.ways.length >> 1] ?? 0
  }

  /** @param keys how many were sent at once; of several, two stand for all */
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

  /** The window has another size: what is drawn anew now was asked for. */
  resized(now: number): void {
    this.lastInput = now
  }

  /** The target said something, and the screen knows it. */
  output(now: number): void {
    if (!this.isAnswered) this.latency = this.latency * 0.8 + Math.min(now - this.lastInput, 1000) * 0.2
    this.answered(now)
    this.lastOutput = now
    this.heard += 1
    this.isAnswered = true
    if (!this.isEnterAnswered) this.enterAnswered = now
    this.isEnterAnswered = true
  }

  /** An answer comes in several pieces, and no input is answered sooner than it can be there and back. */
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
    // One piece may answer several.
    this.underway = this.underway.filter((sent) => now - sent < way * 1.5 + limits.unevenness)
    if (this.underway.length > 0) this.expected = this.lastInput + Math.max(age, way) + limits.unevenness
  }
}
