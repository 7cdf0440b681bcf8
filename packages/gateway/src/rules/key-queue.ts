import { type Key, KeySplitter } from './key-splitter.ts'
import { limits } from './limits.ts'

const sizeLimit = 64 * 1024
const ctrlC = 0x03

/** Input of the user in order, until each key is processed. */
export class KeyQueue {
  private readonly splitter = new KeySplitter()
  private keys: Key[] = []
  private size = 0
  private wasFull = false
  /** When an incomplete escape sequence is taken as it is. */
  deadline: number | undefined

  get isEmpty(): boolean {
    return this.keys.length === 0
  }

  /** False asks to pause until `isDrained` was true. */
  get hasRoom(): boolean {
    return this.size < sizeLimit
  }

  /** @param isBusy a key is being processed: Ctrl-C then overtakes everything that waits */
  put(chunk: Buffer, now: number, isBusy: boolean): void {
    this.deadline = undefined
    this.enqueue(this.splitter.split(chunk), isBusy)
    if (this.splitter.hasRest) this.deadline = now + limits.escape
    if (!this.hasRoom) this.wasFull = true
  }

  /** Takes an incomplete escape sequence as the key ESC. */
  expire(now: number, isBusy: boolean): void {
    if (this.deadline === undefined || now < this.deadline) return
    this.deadline = undefined
    this.enqueue([{ kind: 'edit', bytes: this.splitter.takeRest() }], isBusy)
  }

  next(): Key | undefined {
    const key = this.keys.shift()
    if (key) this.size -= key.bytes.length
    return key
  }

  /** Whether there is space again after the queue was full; true once. */
  takeDrained(): boolean {
    const isDrained = this.wasFull && this.hasRoom
    if (isDrained) this.wasFull = false
    return isDrained
  }

  /** Drops all waiting keys. */
  drop(): void {
    this.keys = []
    this.size = 0
  }

  /** Sets keys that end a line as Ctrl-D does. */
  endOfFile(keys: Iterable<number>): void {
    for (const key of keys) this.splitter.endsOfFile.add(key)
  }

  private enqueue(keys: Key[], isBusy: boolean): void {
    for (const key of keys) {
      if (isBusy && key.kind === 'interrupt' && key.bytes[0] === ctrlC) this.drop()
      this.keys.push(key)
      this.size += key.bytes.length
    }
  }
}
