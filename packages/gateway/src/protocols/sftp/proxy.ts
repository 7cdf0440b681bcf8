import { posix } from 'node:path'
import { gatherChannelWrites } from '@castellan/connectors/ssh'
import { say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import type { Broker } from '../../brokering/broker.ts'
import type { Grant } from '../../brokering/catalog.ts'
import { type FileAction, FileSession, startDirectory } from '../../brokering/file-session.ts'
import { refusalOf } from '../../brokering/session-denied.ts'
import type { User } from '../../brokering/user.ts'
import { log } from '../../log.ts'
import type { ClientSide, Operation, Resolved } from './client-side.ts'
import { Handles } from './handles.ts'
import { PacketReader, PacketSplitter, type Piece, packet, status, statusPacket, stringField, type } from './packets.ts'
import { Requests } from './requests.ts'
import { AssetTree } from './tree.ts'
import { Upstream } from './upstream.ts'

const treeExtensions = [
  'posix-rename@openssh.com',
  'statvfs@openssh.com',
  'fsync@openssh.com',
  'hardlink@openssh.com',
  'lsetstat@openssh.com',
]
const directExtensions = [...treeExtensions, 'fstatvfs@openssh.com', 'limits@openssh.com', 'expand-path@openssh.com']
const extensionVersion: Record<string, string> = { 'statvfs@openssh.com': '2', 'fstatvfs@openssh.com': '2' }

/**
 * The sftp subsystem of one client. Packets are parsed while they pass: each operation is decided on and logged by its
 * file session, and bulk data is passed unchanged.
 */
export class SftpProxy implements ClientSide {
  readonly handles = new Handles()
  private readonly broker: Broker
  private readonly user: User
  private readonly channel: ssh2.ServerChannel
  private readonly tree: AssetTree | undefined
  private readonly direct: (() => Promise<Grant>) | undefined
  private readonly upstreams = new Map<string, Promise<Upstream>>()
  private readonly live = new Set<Upstream>()
  private readonly splitter = new PacketSplitter(type.WRITE)
  private readonly requests: Requests
  private queue: Piece[] = []
  /** The target whose long answer is being sent, and the packets that wait for its end. */
  private streaming: Upstream | undefined
  private held: { data: Buffer; upstream?: Upstream; isLast?: boolean }[] = []
  private working = false
  private closed = false
  private slowTarget = false

  constructor(broker: Broker, user: User, channel: ssh2.ServerChannel, direct?: () => Promise<Grant>) {
    this.broker = broker
    this.user = user
    this.channel = channel
    this.direct = direct
    this.tree = direct ? undefined : new AssetTree(broker, user)
    this.requests = new Requests(this)
  }

  /** Serves the client until it disconnects or its session ends. */
  async run(): Promise<void> {
    const { channel } = this
    if (this.direct) await this.directUpstream()
    const over = new Promise<void>((resolve) => channel.once('close', resolve).once('end', resolve))
    channel.on('data', (data: Buffer) => this.take(data))
    channel.on('drain', () => {
      for (const upstream of this.live) upstream.resume()
    })
    channel.resume()
    await over
    await this.close()
  }

  reply(data: Buffer): void {
    if (this.streaming) this.held.push({ data })
    else this.write(data)
  }

  stream(upstream: Upstream, data: Buffer, isLast: boolean): void {
    if (this.streaming && this.streaming !== upstream) {
      this.held.push({ data, upstream, isLast })
      return
    }
    this.streaming = isLast ? undefined : upstream
    this.write(data)
    if (!isLast) return
    for (const waiting of this.held.splice(0)) {
      if (waiting.upstream) this.stream(waiting.upstream, waiting.data, waiting.isLast ?? false)
      else this.reply(waiting.data)
    }
  }

  private write(data: Buffer): void {
    if (this.closed || !this.channel.writable) return
    if (!this.channel.write(data)) for (const upstream of this.live) upstream.pause()
  }

  forward(upstream: Upstream, id: number, data: Buffer, operation: Operation | undefined): void {
    if (operation) this.requests.expect(upstream, id, operation)
    this.send(upstream, data)
  }

  send(upstream: Upstream, data: Buffer): void {
    if (upstream.send(data)) return
    this.slowTarget = true
    this.channel.pause()
  }

  async waitFor(work: Promise<unknown>): Promise<void> {
    this.channel.pause()
    await work
    if (!this.slowTarget) this.channel.resume()
  }

  async resolve(path: Buffer): Promise<Resolved> {
    if (!this.tree) return { upstream: await this.directUpstream(), path }
    const whole = posix.normalize(`/${path.toString('utf8')}`)
    const place = await this.tree.find(whole)
    if (place.kind === 'folder') return { names: place.names }
    if (place.kind === 'none') return undefined
    const { tree } = this
    const upstream = await this.upstream(place.key, async () => tree.grant(place))
    return { upstream, path: Buffer.from(posix.join(upstream.base ?? '/', place.rest)) }
  }

  get isDirect(): boolean {
    return this.direct !== undefined
  }

  denied(upstream: Upstream, action?: FileAction): { code: number; text: string } | undefined {
    const denial = upstream.files.denial(action)
    if (!denial) return undefined
    const by = upstream.files.session.lockedBy ?? ''
    const texts = {
      permission_denied: say(gatewayMessages.permissionDenied, this.user.language),
      locked: say(gatewayMessages.paused, this.user.language, { name: by }),
      session_ended: say(gatewayMessages.permissionEnded, this.user.language),
    }
    return { code: denial === 'permission_denied' ? status.PERMISSION_DENIED : status.FAILURE, text: texts[denial] }
  }

  private directUpstream(): Promise<Upstream> {
    return this.upstream('direct', this.direct as () => Promise<Grant>)
  }

  private upstream(key: string, grant: () => Promise<Grant>): Promise<Upstream> {
    let opened = this.upstreams.get(key)
    if (!opened) {
      opened = this.open(grant)
      this.upstreams.set(key, opened)
      // An upstream that could not be opened is retried at the next use.
      opened.catch(() => this.upstreams.delete(key))
    }
    return opened
  }

  private async open(grant: () => Promise<Grant>): Promise<Upstream> {
    const granted = await grant()
    const files = await FileSession.open(this.broker, this.user, granted)
    const upstream = await Upstream.open(files).catch(async (error: unknown) => {
      await files.session.end(refusalOf(error))
      throw error
    })
    if (!this.direct) upstream.base = startDirectory(granted) ?? (await upstream.realPath('.')) ?? '/'
    upstream.onPacket = (body) => this.requests.answer(upstream, body)
    upstream.onPiece = (piece) => this.requests.dataPiece(upstream, piece)
    upstream.onDrain = () => {
      this.slowTarget = false
      this.channel.resume()
    }
    this.live.add(upstream)
    files.session.onEnd((refusal) => {
      this.live.delete(upstream)
      // An answer that is cut in the middle cannot be continued: the client is disconnected.
      if (this.streaming === upstream) this.channel.close()
      if (refusal && this.channel.writable) this.channel.stderr.write(`${refusal.say(this.user.language)}\n`)
      if (!this.direct) return
      this.channel.exit(refusal ? 255 : 0)
      this.channel.end()
    })
    return upstream
  }

  private take(data: Buffer): void {
    try {
      this.queue.push(...this.splitter.push(data))
    } catch (error) {
      log.info({ detail: (error as Error).message }, 'a client sent invalid sftp')
      this.channel.close()
      return
    }
    if (!this.working) void this.work()
  }

  /** Handles requests one by one, so that they reach the target in the client's order. */
  private async work(): Promise<void> {
    this.working = true
    try {
      for (let piece = this.queue.shift(); piece && !this.closed; piece = this.queue.shift()) {
        const pending = piece.kind === 'whole' ? this.handle(piece.body) : this.requests.writePiece(piece)
        if (!pending) continue
        this.channel.pause()
        await pending
        if (!this.slowTarget) this.channel.resume()
      }
    } finally {
      this.working = false
    }
  }

  private handle(body: Buffer): Promise<void> | undefined {
    if (body[0] === type.INIT) return this.greet()
    if (body.length < 5) return undefined
    const id = body.readUInt32BE(1)
    const fail = (error: unknown) => {
      if (error instanceof RangeError) return this.reply(statusPacket(id, status.BAD_MESSAGE, 'bad message'))
      const refusal = refusalOf(error)
      const code = refusal.reason === 'permission_denied' ? status.PERMISSION_DENIED : status.FAILURE
      return this.reply(statusPacket(id, code, refusal.say(this.user.language)))
    }
    try {
      return this.requests.handle(body[0] as number, id, new PacketReader(body, 5), body)?.catch(fail)
    } catch (error) {
      fail(error)
      return undefined
    }
  }

  private async greet(): Promise<void> {
    const known = this.direct ? (await this.directUpstream()).extensions : undefined
    const offered = this.direct ? directExtensions.filter((name) => known?.has(name)) : treeExtensions
    const fields = offered.flatMap((name) => [stringField(name), stringField(extensionVersion[name] ?? '1')])
    this.reply(packet(type.VERSION, undefined, 3, ...fields))
  }

  private async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    await this.requests.close()
    for (const opened of this.upstreams.values()) {
      const upstream = await opened.catch(() => undefined)
      await upstream?.files.session.end()
    }
  }
}

/** Serves the sftp subsystem on a channel: for one target (`direct`) or the tree of the user's assets. */
export async function runSftp(
  broker: Broker,
  user: User,
  channel: ssh2.ServerChannel,
  direct: (() => Promise<Grant>) | undefined,
): Promise<void> {
  channel.pause()
  await new SftpProxy(broker, user, gatherChannelWrites(channel), direct).run()
  channel.exit(0)
  channel.end()
}
