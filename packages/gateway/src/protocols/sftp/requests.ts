import { posix } from 'node:path'
import type { FileAction } from '../../brokering/file-session.ts'
import type { TransferKind } from '../../brokering/transfer-journal.ts'
import type { ClientSide, Operation } from './client-side.ts'
import type { OpenHandle } from './handles.ts'
import {
  directoryAttributes,
  framed,
  namePacket,
  openFlag,
  PacketReader,
  type Piece,
  packet,
  status,
  statusPacket,
  stringField,
  type,
} from './packets.ts'
import type { Upstream } from './upstream.ts'

/** Bytes of copies not yet on disk above which the client is paused. */
const backlogLimit = 16 * 1024 * 1024

/** Parses requests of the client, decides on them, and interprets the targets' answers. */
export class Requests {
  private readonly client: ClientSide
  /** Destination of the parts of a long WRITE; undefined when it was denied. */
  private writing: { upstream: Upstream; handle: OpenHandle; position: number } | undefined
  /** Handle and position of a long DATA of each target. */
  private readonly reading = new Map<Upstream, { handle: OpenHandle; position: number }>()
  private readonly expected = new Map<Upstream, Map<number, Operation>>()

  constructor(client: ClientSide) {
    this.client = client
  }

  expect(upstream: Upstream, id: number, operation: Operation): void {
    let operations = this.expected.get(upstream)
    if (!operations) {
      operations = new Map()
      this.expected.set(upstream, operations)
    }
    operations.set(id, operation)
  }

  /** Ends open transfers: a file that was not closed counts as failed. */
  async close(): Promise<void> {
    for (const handle of this.client.handles.takeAll()) {
      await handle.upload?.end(false)
      await handle.download?.end(false)
    }
  }

  /** Handles one request; returns a promise only if the next one must wait. Throws errors that become a status. */
  handle(kind: number, id: number, reader: PacketReader, body: Buffer): Promise<void> | undefined {
    switch (kind) {
      case type.READ:
      case type.WRITE:
      case type.FSTAT:
      case type.FSETSTAT:
      case type.READDIR:
      case type.CLOSE:
        return this.onHandle(kind, id, reader, body)
      case type.OPEN:
        return this.open(id, reader)
      case type.OPENDIR:
        return this.openDirectory(id, reader)
      case type.REALPATH:
        return this.realPath(id, reader, body)
      case type.LSTAT:
      case type.STAT:
      case type.READLINK:
        return this.onPath(kind, id, reader)
      case type.SETSTAT:
        return this.onPath(kind, id, reader, 'upload')
      case type.MKDIR:
        return this.onPath(kind, id, reader, 'upload', 'mkdir')
      case type.REMOVE:
        return this.onPath(kind, id, reader, 'delete', 'delete')
      case type.RMDIR:
        return this.onPath(kind, id, reader, 'delete', 'rmdir')
      case type.RENAME:
        return this.rename(id, reader, (from, to) => packet(type.RENAME, id, stringField(from), stringField(to)))
      case type.SYMLINK:
        return this.symlink(id, reader)
      case type.EXTENDED:
        return this.extended(id, reader, body)
      default:
        this.client.reply(statusPacket(id, status.UNSUPPORTED, 'unsupported'))
        return undefined
    }
  }

  /** A long WRITE in parts: decided on at its first part, then passed through. */
  writePiece(piece: Exclude<Piece, { kind: 'whole' }>): Promise<void> | undefined {
    if (piece.kind === 'more') {
      const { writing } = this
      if (!writing) return undefined
      if (piece.isLast) this.writing = undefined
      return this.passWrite(writing, piece.data, piece.data)
    }
    const { data } = piece
    const id = data.readUInt32BE(5)
    const reader = new PacketReader(data, 9)
    const name = reader.string()
    const handle = this.client.handles.get(name)
    if (!handle?.upstream) return this.refuse(id, status.FAILURE, 'no such handle')
    const denied = this.client.denied(handle.upstream)
    if (denied) return this.refuse(id, denied.code, denied.text)
    this.expect(handle.upstream, id, { kind: 'write', handle })
    this.writing = { upstream: handle.upstream, handle, position: reader.uint64() }
    reader.uint32()
    const head = withHandle(data.subarray(4), name, handle.remote)
    // With a handle of another length the packet's length changes too; the rest is unchanged.
    if (head.length !== data.length) head.writeUInt32BE(data.readUInt32BE(0) + head.length - data.length, 0)
    return this.passWrite(this.writing, reader.rest(), head)
  }

  private passWrite(
    writing: NonNullable<Requests['writing']>,
    content: Buffer,
    data: Buffer,
  ): Promise<void> | undefined {
    const { upload } = writing.handle
    upload?.keep(content, writing.position)
    writing.position += content.length
    this.client.send(writing.upstream, data)
    return upload && upload.backlog > backlogLimit ? this.client.waitFor(upload.settled()) : undefined
  }

  /** A long DATA in parts from a target. */
  dataPiece(upstream: Upstream, piece: Exclude<Piece, { kind: 'whole' }>): void {
    if (piece.kind === 'start') {
      const id = piece.data.readUInt32BE(5)
      const operation = this.expected.get(upstream)?.get(id)
      this.expected.get(upstream)?.delete(id)
      if (operation?.kind === 'read')
        this.reading.set(upstream, { handle: operation.handle, position: operation.offset })
    }
    const reading = this.reading.get(upstream)
    if (reading) {
      const content = piece.kind === 'start' ? piece.data.subarray(13) : piece.data
      this.keepDownload(upstream, reading.handle, content, reading.position)
      reading.position += content.length
    }
    const isLast = piece.kind === 'more' && piece.isLast
    if (isLast) this.reading.delete(upstream)
    this.client.stream(upstream, piece.data, isLast)
  }

  private keepDownload(upstream: Upstream, handle: OpenHandle, content: Buffer, position: number): void {
    const { download } = handle
    if (!download) return
    download.keep(content, position)
    if (download.backlog <= backlogLimit) return
    upstream.pause()
    void download.settled().then(() => upstream.resume())
  }

  /** Processes an answer of a target on its way to the client. */
  answer(upstream: Upstream, body: Buffer): void {
    const id = body.readUInt32BE(1)
    const operations = this.expected.get(upstream)
    const operation = operations?.get(id)
    operations?.delete(id)
    this.client.reply((operation && this.understand(upstream, id, operation, body)) ?? framed(body))
  }

  /** Updates the log by an answer; returns the packet to send instead, if any. */
  private understand(upstream: Upstream, id: number, operation: Operation, body: Buffer): Buffer | undefined {
    const code = body[0] === type.STATUS && body.length >= 9 ? body.readUInt32BE(5) : undefined
    switch (operation.kind) {
      case 'open': {
        if (body[0] !== type.HANDLE || body.length < 9) {
          void operation.handle.upload?.end(false)
          void operation.handle.download?.end(false)
          break
        }
        operation.handle.remote = Buffer.from(body.subarray(9, 9 + body.readUInt32BE(5)))
        const name = this.client.handles.add(operation.handle)
        if (operation.handle.download) this.foreseeSize(upstream, operation.handle)
        return packet(type.HANDLE, id, stringField(name))
      }
      case 'read':
        if (body[0] === type.DATA) this.keepDownload(upstream, operation.handle, body.subarray(9), operation.offset)
        else if (code !== undefined && code !== status.EOF) operation.handle.failed = true
        break
      case 'write':
        if (code !== status.OK) operation.handle.failed = true
        break
      case 'close': {
        const isSuccess = code === status.OK && !operation.handle.failed
        void operation.handle.upload?.end(isSuccess)
        void operation.handle.download?.end(isSuccess)
        break
      }
      case 'log':
        upstream.files.note(operation.operate, operation.path, code === status.OK)
        break
    }
    return undefined
  }

  /** Asks for the size of a download, so that no copy is started of a file too large to store. */
  private foreseeSize(upstream: Upstream, handle: OpenHandle): void {
    upstream.sizeOf(handle.remote).then(
      (size) => size !== undefined && handle.download?.expect(size),
      () => undefined,
    )
  }

  private onHandle(kind: number, id: number, reader: PacketReader, body: Buffer): Promise<void> | undefined {
    const name = reader.string()
    const handle = this.client.handles.get(name)
    if (!handle) return this.refuse(id, status.FAILURE, 'no such handle')
    if (!handle.upstream) return this.onOwnDirectory(kind, id, name, handle)
    const { upstream } = handle
    if (kind === type.CLOSE) this.client.handles.remove(name)
    else {
      const denied = this.client.denied(upstream, kind === type.FSETSTAT ? 'upload' : undefined)
      if (denied) return this.refuse(id, denied.code, denied.text)
    }
    let operation: Operation | undefined
    let wait: Promise<void> | undefined
    if (kind === type.CLOSE) operation = { kind: 'close', handle }
    else if (kind === type.READ) operation = { kind: 'read', handle, offset: reader.uint64() }
    else if (kind === type.WRITE) {
      operation = { kind: 'write', handle }
      const offset = reader.uint64()
      handle.upload?.keep(reader.string(), offset)
      if (handle.upload && handle.upload.backlog > backlogLimit) wait = this.client.waitFor(handle.upload.settled())
    }
    this.client.forward(upstream, id, withHandle(body, name, handle.remote), operation)
    return wait
  }

  private onOwnDirectory(kind: number, id: number, name: Buffer, handle: OpenHandle): undefined {
    if (kind === type.READDIR) {
      const names = handle.names
      handle.names = undefined
      this.client.reply(names ? namePacket(id, ['.', '..', ...names], true) : statusPacket(id, status.EOF, 'end'))
    } else if (kind === type.CLOSE) {
      this.client.handles.remove(name)
      this.client.reply(statusPacket(id, status.OK, ''))
    } else if (kind === type.FSTAT) this.client.reply(packet(type.ATTRS, id, directoryAttributes()))
    else this.client.reply(statusPacket(id, status.PERMISSION_DENIED, 'a folder of assets'))
    return undefined
  }

  private async open(id: number, reader: PacketReader): Promise<void> {
    const asked = reader.string()
    const flags = reader.uint32()
    const rest = reader.rest()
    const place = await this.client.resolve(asked)
    if (!place || 'names' in place) return this.notHere(id, place !== undefined)
    const { upstream, path } = place
    const writes = (flags & (openFlag.WRITE | openFlag.APPEND | openFlag.CREAT | openFlag.TRUNC)) !== 0
    const reads = (flags & openFlag.READ) !== 0 || !writes
    const name = path.toString('utf8')
    const denied =
      (writes ? this.client.denied(upstream, 'upload') : undefined) ??
      (reads ? this.client.denied(upstream, 'download') : undefined)
    if (denied) {
      upstream.files.note(writes ? 'upload' : 'download', name, false)
      return this.refuse(id, denied.code, denied.text)
    }
    const handle: OpenHandle = {
      upstream,
      remote: Buffer.alloc(0),
      upload: writes ? await upstream.files.begin('upload', name) : undefined,
      download: reads ? await upstream.files.begin('download', name) : undefined,
      failed: false,
      names: undefined,
    }
    this.client.forward(upstream, id, packet(type.OPEN, id, stringField(path), flags, rest), { kind: 'open', handle })
  }

  private async openDirectory(id: number, reader: PacketReader): Promise<void> {
    const place = await this.client.resolve(reader.string())
    if (!place) return this.notHere(id, false)
    const handle: OpenHandle = {
      upstream: undefined,
      remote: Buffer.alloc(0),
      upload: undefined,
      download: undefined,
      failed: false,
      names: undefined,
    }
    if ('names' in place) {
      const name = this.client.handles.add({ ...handle, names: place.names })
      return this.client.reply(packet(type.HANDLE, id, stringField(name)))
    }
    const denied = this.client.denied(place.upstream)
    if (denied) return this.refuse(id, denied.code, denied.text)
    const data = packet(type.OPENDIR, id, stringField(place.path))
    this.client.forward(place.upstream, id, data, { kind: 'open', handle: { ...handle, upstream: place.upstream } })
  }

  private async realPath(id: number, reader: PacketReader, body: Buffer): Promise<void> {
    const path = reader.string()
    if (!this.client.isDirect) {
      return this.client.reply(namePacket(id, [posix.normalize(`/${path.toString('utf8')}`)], false))
    }
    const place = await this.client.resolve(path)
    if (place && 'upstream' in place) this.client.forward(place.upstream, id, framed(body), undefined)
  }

  /** Handles a request about one path; the rest of the packet is passed on. */
  private async onPath(
    kind: number,
    id: number,
    reader: PacketReader,
    action?: FileAction,
    operate?: TransferKind,
  ): Promise<void> {
    const asked = reader.string()
    const rest = reader.rest()
    const place = await this.client.resolve(asked)
    if (!place || 'names' in place) {
      if (place && (kind === type.STAT || kind === type.LSTAT)) {
        return this.client.reply(packet(type.ATTRS, id, directoryAttributes()))
      }
      return this.notHere(id, place !== undefined)
    }
    const { upstream, path } = place
    const name = path.toString('utf8')
    const denied = this.client.denied(upstream, action)
    if (denied) {
      if (operate) upstream.files.note(operate, name, false)
      return this.refuse(id, denied.code, denied.text)
    }
    const operation: Operation | undefined = operate ? { kind: 'log', operate, path: name } : undefined
    this.client.forward(upstream, id, packet(kind, id, stringField(path), rest), operation)
  }

  private async rename(id: number, reader: PacketReader, build: (from: Buffer, to: Buffer) => Buffer): Promise<void> {
    const from = await this.client.resolve(reader.string())
    const to = await this.client.resolve(reader.string())
    if (!from || !to || 'names' in from || 'names' in to) return this.notHere(id, true)
    if (from.upstream !== to.upstream) return this.refuse(id, status.UNSUPPORTED, 'not across targets')
    const path = `${from.path.toString('utf8')} -> ${to.path.toString('utf8')}`
    const denied = this.client.denied(from.upstream, 'upload')
    if (denied) {
      from.upstream.files.note('rename', path, false)
      return this.refuse(id, denied.code, denied.text)
    }
    const operate = (await from.upstream.isDirectory(from.path)) ? 'rename_dir' : 'rename'
    this.client.forward(from.upstream, id, build(from.path, to.path), { kind: 'log', operate, path })
  }

  /**
   * OpenSSH sends the link target first, then the link path (its PROTOCOL, §4.1); the link target is passed unchanged.
   */
  private async symlink(id: number, reader: PacketReader): Promise<void> {
    const target = reader.string()
    const place = await this.client.resolve(reader.string())
    if (!place || 'names' in place) return this.notHere(id, place !== undefined)
    const name = place.path.toString('utf8')
    const denied = this.client.denied(place.upstream, 'upload')
    if (denied) {
      place.upstream.files.note('symlink', name, false)
      return this.refuse(id, denied.code, denied.text)
    }
    const data = packet(type.SYMLINK, id, stringField(target), stringField(place.path))
    this.client.forward(place.upstream, id, data, { kind: 'log', operate: 'symlink', path: name })
  }

  private async extended(id: number, reader: PacketReader, body: Buffer): Promise<void> {
    const field = reader.string()
    const extended = (...fields: Buffer[]) => packet(type.EXTENDED, id, stringField(field), ...fields)
    switch (field.toString('latin1')) {
      case 'posix-rename@openssh.com':
      case 'hardlink@openssh.com':
        return this.rename(id, reader, (from, to) => extended(stringField(from), stringField(to)))
      case 'fsync@openssh.com':
      case 'fstatvfs@openssh.com': {
        const name = reader.string()
        const handle = this.client.handles.get(name)
        if (!handle?.upstream) return this.refuse(id, status.FAILURE, 'no such handle')
        return this.client.forward(handle.upstream, id, extended(stringField(handle.remote)), undefined)
      }
      case 'statvfs@openssh.com':
      case 'lsetstat@openssh.com': {
        const place = await this.client.resolve(reader.string())
        if (!place || 'names' in place) return this.notHere(id, place !== undefined)
        const denied = this.client.denied(place.upstream, field.includes('lsetstat') ? 'upload' : undefined)
        if (denied) return this.refuse(id, denied.code, denied.text)
        return this.client.forward(place.upstream, id, extended(stringField(place.path), reader.rest()), undefined)
      }
      case 'limits@openssh.com':
      case 'expand-path@openssh.com': {
        const place = this.client.isDirect ? await this.client.resolve(Buffer.from('.')) : undefined
        if (!place || 'names' in place) break
        return this.client.forward(place.upstream, id, framed(body), undefined)
      }
    }
    return this.refuse(id, status.UNSUPPORTED, 'unsupported')
  }

  private refuse(id: number, code: number, text: string): undefined {
    this.client.reply(statusPacket(id, code, text))
    return undefined
  }

  private notHere(id: number, isFolder: boolean): void {
    if (isFolder) this.refuse(id, status.PERMISSION_DENIED, 'a folder of assets')
    else this.refuse(id, status.NO_SUCH_FILE, 'no such file')
  }
}

/** Replaces our handle in a packet by the target's; in place when both have the same length. */
function withHandle(body: Buffer, name: Buffer, remote: Buffer): Buffer {
  if (name.length === remote.length) {
    remote.copy(body, 9)
    return framed(body)
  }
  return packet(body[0] as number, body.readUInt32BE(1), stringField(remote), body.subarray(9 + name.length))
}
