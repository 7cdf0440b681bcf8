/** The parts of SFTP version 3 (draft-ietf-secsh-filexfer-02) that a proxy must read and write. */
export const type = {
  INIT: 1,
  VERSION: 2,
  OPEN: 3,
  CLOSE: 4,
  READ: 5,
  WRITE: 6,
  LSTAT: 7,
  FSTAT: 8,
  SETSTAT: 9,
  FSETSTAT: 10,
  OPENDIR: 11,
  READDIR: 12,
  REMOVE: 13,
  MKDIR: 14,
  RMDIR: 15,
  REALPATH: 16,
  STAT: 17,
  RENAME: 18,
  READLINK: 19,
  SYMLINK: 20,
  STATUS: 101,
  HANDLE: 102,
  DATA: 103,
  NAME: 104,
  ATTRS: 105,
  EXTENDED: 200,
  EXTENDED_REPLY: 201,
} as const

export const status = {
  OK: 0,
  EOF: 1,
  NO_SUCH_FILE: 2,
  PERMISSION_DENIED: 3,
  FAILURE: 4,
  BAD_MESSAGE: 5,
  UNSUPPORTED: 8,
} as const

export const openFlag = { READ: 1, WRITE: 2, APPEND: 4, CREAT: 8, TRUNC: 16 } as const

/** Longest packet accepted from either side: OpenSSH's limit and a margin. Bytes. */
const longestPacket = 256 * 1024 + 4096

/** Longer packets with file data are passed on in parts as they arrive. Bytes. */
const streamedFrom = 16 * 1024
/** Minimum bytes of the first part of a streamed packet: its fields before the data. */
const streamedHead = 64

/** A complete packet (its body, surrounded by its frame in memory), or a part of one with file data. */
export type Piece =
  | { kind: 'whole'; body: Buffer }
  /** The first bytes of the frame, including the length. */
  | { kind: 'start'; data: Buffer }
  | { kind: 'more'; data: Buffer; isLast: boolean }

/** Splits a byte stream into packets. Throws on one that is too long. */
export class PacketSplitter {
  private readonly streamed: number
  private chunks: Buffer[] = []
  private size = 0
  private left = 0

  /** `streamed` is the packet type passed on in parts: WRITE from clients, DATA from targets. */
  constructor(streamed: number) {
    this.streamed = streamed
  }

  push(chunk: Buffer): Piece[] {
    const pieces: Piece[] = []
    this.chunks.push(chunk)
    this.size += chunk.length
    while (this.size > 0) {
      if (this.left > 0) {
        const data = this.takeUpTo(this.left)
        this.left -= data.length
        pieces.push({ kind: 'more', data, isLast: this.left === 0 })
        continue
      }
      if (this.size < 5) break
      if ((this.chunks[0] as Buffer).length < 5) this.join()
      const first = this.chunks[0] as Buffer
      const length = first.readUInt32BE(0)
      if (length < 1 || length > longestPacket) throw new Error(`an sftp packet of ${length} bytes`)
      const whole = length + 4
      if (first[4] === this.streamed && whole > streamedFrom && this.size < whole) {
        if (this.size < streamedHead) break
        if (first.length < streamedHead) this.join()
        const data = this.takeUpTo(whole)
        this.left = whole - data.length
        pieces.push({ kind: 'start', data })
        continue
      }
      if (this.size < whole) break
      if (first.length < whole) this.join()
      pieces.push({ kind: 'whole', body: this.takeUpTo(whole).subarray(4) })
    }
    return pieces
  }

  /** Up to `count` bytes of the first chunk. */
  private takeUpTo(count: number): Buffer {
    const first = this.chunks[0] as Buffer
    const data = first.length <= count ? first : first.subarray(0, count)
    if (data.length === first.length) this.chunks.shift()
    else this.chunks[0] = first.subarray(count)
    this.size -= data.length
    return data
  }

  private join(): void {
    this.chunks = [Buffer.concat(this.chunks)]
  }
}

/** Reads the fields of a packet in order; throws when they are truncated. */
export class PacketReader {
  private readonly data: Buffer
  at: number

  constructor(data: Buffer, at: number) {
    this.data = data
    this.at = at
  }

  uint32(): number {
    const value = this.data.readUInt32BE(this.at)
    this.at += 4
    return value
  }

  uint64(): number {
    const value = Number(this.data.readBigUInt64BE(this.at))
    this.at += 8
    return value
  }

  string(): Buffer {
    const length = this.uint32()
    if (this.at + length > this.data.length) throw new Error('an sftp string beyond its packet')
    const value = this.data.subarray(this.at, this.at + length)
    this.at += length
    return value
  }

  rest(): Buffer {
    return this.data.subarray(this.at)
  }
}

const word = (value: number) => {
  const data = Buffer.alloc(4)
  data.writeUInt32BE(value >>> 0)
  return data
}

export function stringField(value: Buffer | string): Buffer {
  const data = Buffer.from(value)
  return Buffer.concat([word(data.length), data])
}

/** A complete packet with its length, ready to send. */
export function packet(kind: number, id: number | undefined, ...fields: (Buffer | number)[]): Buffer {
  const parts = fields.map((field) => (typeof field === 'number' ? word(field) : field))
  const head = id === undefined ? [Buffer.from([kind])] : [Buffer.from([kind]), word(id)]
  const body = Buffer.concat([...head, ...parts])
  return Buffer.concat([word(body.length), body])
}

/** The frame around a body returned by `PacketSplitter`: the same memory, four bytes earlier. */
export function framed(body: Buffer): Buffer {
  return Buffer.from(body.buffer, body.byteOffset - 4, body.length + 4)
}

export function statusPacket(id: number, code: number, text: string): Buffer {
  return packet(type.STATUS, id, code, stringField(text), stringField(''))
}

const directoryMode = 0o40755

/** Attributes of a virtual directory. */
export function directoryAttributes(): Buffer {
  const now = Math.floor(Date.now() / 1000)
  // flags: permissions and times
  return Buffer.concat([word(0x4 | 0x8), word(directoryMode), word(now), word(now)])
}

/** A NAME answer listing virtual directories. */
export function namePacket(id: number, names: string[], withAttributes: boolean): Buffer {
  const attributes = withAttributes ? directoryAttributes() : word(0)
  const fields = names.flatMap((name) => {
    const long = withAttributes ? `drwxr-xr-x    1 castellan castellan        0 Jan  1  1970 ${name}` : name
    return [stringField(name), stringField(long), attributes]
  })
  return packet(type.NAME, id, names.length, ...fields)
}
