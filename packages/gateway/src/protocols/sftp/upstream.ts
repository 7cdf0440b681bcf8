import { gatherChannelWrites } from '@castellan/connectors/ssh'
import type ssh2 from 'ssh2'
import { type FileSession, refusedFiles } from '../../brokering/file-session.ts'
import { openChannel } from '../../brokering/target.ts'
import { PacketReader, PacketSplitter, type Piece, packet, stringField, type } from './packets.ts'

/** Ids of our own requests, far above those that clients use. */
const firstOwnId = 0xf0000000

/** One target's sftp subsystem behind the proxy. */
export class Upstream {
  readonly files: FileSession
  /** The directory of the target that its root in the tree maps to; undefined for a direct connection. */
  base: string | undefined
  extensions = new Set<string>()
  onPacket: ((body: Buffer) => void) | undefined
  /** Receives the parts of a long DATA answer. */
  onPiece: ((piece: Exclude<Piece, { kind: 'whole' }>) => void) | undefined
  onDrain: (() => void) | undefined
  private readonly channel: ssh2.ClientChannel
  private readonly splitter = new PacketSplitter(type.DATA)
  private readonly own = new Map<number, (body: Buffer) => void>()
  private nextId = firstOwnId
  private greeted: ((body: Buffer) => void) | undefined

  private constructor(files: FileSession, channel: ssh2.ClientChannel) {
    this.files = files
    this.channel = channel
  }

  static async open(files: FileSession): Promise<Upstream> {
    const channel = gatherChannelWrites(await files.rawChannel())
    const upstream = new Upstream(files, channel)
    channel.on('data', (data: Buffer) => upstream.take(data))
    channel.on('drain', () => upstream.onDrain?.())
    channel.on('error', () => undefined)
    channel.on('close', () => void files.session.end())
    const version = await openChannel<Buffer>(files.session.assetDisplay, (done) => {
      upstream.greeted = (body) => done(undefined, body)
      channel.once('close', () => done(refusedFiles(files.session), Buffer.alloc(0)))
      channel.write(packet(type.INIT, undefined, 3))
    })
    const reader = new PacketReader(version, 5)
    while (reader.rest().length > 0) {
      upstream.extensions.add(reader.string().toString('latin1'))
      reader.string()
    }
    return upstream
  }

  /** Returns false when the target is slow and the sender should wait for `onDrain`. */
  send(data: Buffer): boolean {
    return this.channel.write(data)
  }

  pause(): void {
    this.channel.pause()
  }

  resume(): void {
    this.channel.resume()
  }

  /** Sends a request of our own: resolves a path to its real path. */
  realPath(path: string): Promise<string | undefined> {
    return this.ask(type.REALPATH, stringField(path)).then((body) => {
      if (body[0] !== type.NAME) return undefined
      const reader = new PacketReader(body, 9)
      return reader.string().toString('utf8')
    })
  }

  /** Whether a path is a directory on the target. */
  async isDirectory(path: Buffer): Promise<boolean> {
    const body = await this.ask(type.LSTAT, stringField(path))
    if (body[0] !== type.ATTRS) return false
    const reader = new PacketReader(body, 5)
    const flags = reader.uint32()
    if (flags & 0x1) reader.uint64()
    if (flags & 0x2) reader.uint64()
    return (flags & 0x4) !== 0 && (reader.uint32() & 0o170000) === 0o040000
  }

  /** Size of an open file in bytes; undefined when the target does not report it. */
  async sizeOf(handle: Buffer): Promise<number | undefined> {
    const body = await this.ask(type.FSTAT, stringField(handle))
    const reader = new PacketReader(body, 5)
    return body[0] === type.ATTRS && reader.uint32() & 0x1 ? reader.uint64() : undefined
  }

  private ask(kind: number, ...fields: Buffer[]): Promise<Buffer> {
    const id = this.nextId
    this.nextId = this.nextId === 0xffffffff ? firstOwnId : this.nextId + 1
    return new Promise((resolve, reject) => {
      const onClose = () => reject(new Error('the target closed'))
      this.channel.once('close', onClose)
      this.own.set(id, (body) => {
        this.channel.removeListener('close', onClose)
        resolve(body)
      })
      this.channel.write(packet(kind, id, ...fields))
    })
  }

  private take(data: Buffer): void {
    let pieces: Piece[]
    try {
      pieces = this.splitter.push(data)
    } catch {
      this.channel.close()
      return
    }
    for (const piece of pieces) {
      if (piece.kind !== 'whole') {
        this.onPiece?.(piece)
        continue
      }
      const { body } = piece
      if (this.greeted) {
        this.greeted(body)
        this.greeted = undefined
        continue
      }
      if (body.length < 5) continue
      const id = body.readUInt32BE(1)
      const own = this.own.get(id)
      if (own) {
        this.own.delete(id)
        own(body)
      } else this.onPacket?.(body)
    }
  }
}
