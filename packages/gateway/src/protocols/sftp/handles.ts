import type { Transfer } from '../../brokering/transfer-journal.ts'
import type { Upstream } from './upstream.ts'

/** An open file or directory of a client. Virtual directories have no upstream. */
export interface OpenHandle {
  upstream: Upstream | undefined
  remote: Buffer
  upload: Transfer | undefined
  download: Transfer | undefined
  failed: boolean
  /** Entries of a virtual directory, until they were read. */
  names: string[] | undefined
}

/** The handles of one client: four bytes each, so that the usual handle of a target can be swapped in place. */
export class Handles {
  private readonly open = new Map<number, OpenHandle>()
  private next = 1

  add(handle: OpenHandle): Buffer {
    const index = this.next
    this.next = this.next === 0xffffffff ? 1 : this.next + 1
    this.open.set(index, handle)
    const name = Buffer.alloc(4)
    name.writeUInt32BE(index)
    return name
  }

  get(name: Buffer): OpenHandle | undefined {
    return name.length === 4 ? this.open.get(name.readUInt32BE(0)) : undefined
  }

  remove(name: Buffer): void {
    if (name.length === 4) this.open.delete(name.readUInt32BE(0))
  }

  /** Removes and returns all open handles. */
  takeAll(): OpenHandle[] {
    const all = [...this.open.values()]
    this.open.clear()
    return all
  }
}
