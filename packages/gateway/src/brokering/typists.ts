import type { CommandReader } from '../rules/command-reader.ts'
import type { User } from './user.ts'

/** Input of one user that may wait while that of another is read. Bytes. */
const mostWaiting = 64 * 1024

/**
 * The input of everybody who types into one session. Of several, one is read after the other: input waits until that
 * of the user before was sent or rejected, so that each command is logged under the name of who pressed Enter.
 */
export class Typists {
  /** Undefined until the target answered; until then only the owner types. */
  reader: CommandReader | undefined
  private current: User
  private readonly read: (user: User, data: Buffer) => boolean
  private readonly drained: () => void
  private readonly waiting: { user: User; data: Buffer }[] = []
  private isWaiting = false

  /** `drained` is called when input that waited was read, and more can follow. */
  constructor(owner: User, read: (user: User, data: Buffer) => boolean, drained: () => void) {
    this.current = owner
    this.read = read
    this.drained = drained
  }

  /** Reads input now or later. Returns false to ask for a pause; input beyond the limit is dropped. */
  take(user: User, data: Buffer): boolean {
    const isFree = this.waiting.length === 0 && (user === this.current || this.reader?.isIdle !== false)
    if (isFree) {
      this.current = user
      return this.read(user, data)
    }
    const size = this.waiting.reduce((sum, entry) => sum + (entry.user === user ? entry.data.length : 0), 0)
    if (size + data.length <= mostWaiting) this.waiting.push({ user, data })
    this.flush()
    return size + data.length < mostWaiting / 2
  }

  /** Reads what waits, as far as that is possible now. */
  flush(): void {
    while (this.waiting.length > 0) {
      const [next] = this.waiting
      if (!next) return
      if (next.user !== this.current && this.reader?.isIdle === false) {
        this.later()
        return
      }
      this.waiting.shift()
      this.current = next.user
      if (!this.read(next.user, next.data)) {
        this.later()
        return
      }
      if (this.waiting.length === 0) this.drained()
    }
  }

  /** Drops what a user who left has typed and nobody has read. */
  forget(user: User): void {
    for (let at = this.waiting.length - 1; at >= 0; at -= 1)
      if (this.waiting[at]?.user === user) this.waiting.splice(at, 1)
  }

  private later(): void {
    if (this.isWaiting || !this.reader) return
    this.isWaiting = true
    void this.reader.idle().then(() => {
      this.isWaiting = false
      this.flush()
    })
  }
}
