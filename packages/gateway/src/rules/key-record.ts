import type { LineKeys } from './key-readings.ts'
import { LineMemory } from './line-memory.ts'

/** Bytes; longer than any line that rules check. */
const longestRecord = 72 * 1024
const longestCarried = 4096
const lineFeed = 0x0a

/** The keys of the open line as sent, and preceding keys that may be on the same line. */
export class KeyRecord {
  readonly memory = new LineMemory()
  private parts: Buffer[] = []
  private size = 0
  private carried = Buffer.alloc(0)
  private isOpen = false
  private atStart = new LineMemory()

  /** The keys of the open line, for `keyReadings`. */
  get line(): LineKeys {
    return { bytes: Buffer.concat(this.parts), carried: this.carried, isOpen: this.isOpen, memory: this.atStart }
  }

  /** The lines among the preceding keys, each of which was decided on separately. */
  get decided(): string[] {
    return this.carried.toString('utf8').split(/[\r\n]/u)
  }

  begin(): void {
    this.parts = []
    this.size = 0
    this.atStart = this.memory.copy()
  }

  keep(bytes: Buffer): void {
    if (this.size > longestRecord) return
    this.parts.push(bytes)
    this.size += bytes.length
  }

  /** The line seems to have ended: with the key that ended it, it may precede the next one. */
  carry(end: Buffer): void {
    const whole = Buffer.concat([this.carried, ...this.parts, end])
    const isOver = end.includes(lineFeed)
    this.carried = isOver ? Buffer.alloc(0) : Buffer.from(whole.subarray(Math.max(0, whole.length - longestCarried)))
    this.isOpen = this.carried.length > 0
    this.begin()
  }

  /**
   * The key that seemed to end the line did.
   * @param forGood no other cause is possible
   */
  confirm(forGood: boolean): void {
    this.isOpen = false
    if (forGood) this.carried = Buffer.alloc(0)
  }

  /** None of the input so far is on a line any longer. */
  clear(): void {
    this.carried = Buffer.alloc(0)
    this.isOpen = false
    this.begin()
  }
}
