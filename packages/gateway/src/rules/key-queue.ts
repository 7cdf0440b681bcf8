import { type Key, KeySplitter } from './typed-line.ts'

const sizeLimit = 64 * 1024
/** An escape sequence comes in one go: ESC alone for longer than this was the key. Milliseconds. */
const escapeWait = 30
const ctrlC = 0x03

interface QueuePorts {
  /** Handles one key; gives a promise only when something has to be waited for. */
  take(key: Key): Promise<void> | undefined
  /** There is room again after `put` said that there is none. */
  drained(): void
}

/** What a person sends, in its order: each key is taken when the one before is done with. */
export class KeyQueue {
  private readonly ports: QueuePorts
  private readonly splitter = new KeySplitter()
  private keys: Key[] = []
  private size = 0
  private busy = false
  private working = Promise.resolve()
  private closed = false
  private escapeTimer: NodeJS.Timeout | undefined

  constructor(ports: QueuePorts) {
    this.ports = ports
  }

  get isEmpty(): boolean {
    return this.keys.length === 0
  }

  /** Takes a chunk as it came. False asks the caller to stop until `drained`. */
  put(chunk: Buffer): boolean {
    if (this.escapeTimer) clearTimeout(this.escapeTimer)
    this.escapeTimer = undefined
    this.enqueue(this.splitter.split(chunk))
    if (this.splitter.hasRest) {
      const giveUp = () => this.enqueue([{ kind: 'edit', bytes: this.splitter.takeRest() }])
      this.escapeTimer = setTimeout(giveUp, escapeWait)
    }
    return this.size < sizeLimit
  }

  /** Resolves when everything put so far was handled. */
  idle(): Promise<void> {
    return this.working
  }

  /** Forgets what waits. */
  drop(): void {
    this.keys = []
    this.size = 0
  }

  close(): void {
    this.closed = true
    if (this.escapeTimer) clearTimeout(this.escapeTimer)
  }

  private enqueue(keys: Key[]): void {
    if (this.closed) return
    for (const key of keys) {
      if (this.busy && key.kind === 'interrupt' && key.bytes[0] === ctrlC) this.drop()
      this.keys.push(key)
      this.size += key.bytes.length
    }
    if (!this.busy) this.working = this.work()
  }

  private async work(): Promise<void> {
    this.busy = true
    try {
      for (let key = this.keys.shift(); key && !this.closed; key = this.keys.shift()) {
        const wasFull = this.size >= sizeLimit
        this.size -= key.bytes.length
        const pending = this.ports.take(key)
        if (pending) await pending
        if (wasFull && this.size < sizeLimit) this.ports.drained()
      }
    } finally {
      this.busy = false
    }
  }
}
