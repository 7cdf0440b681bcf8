import { randomUUID } from 'node:crypto'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type { TerminalConnect, TerminalErrorData, TerminalSessionInfo } from '@castellan/contract/web-terminal'
import type WebSocket from 'ws'
import type { Broker } from '../../brokering/broker.ts'
import { redeemToken } from '../../brokering/grants.ts'
import { refusalOf, SessionDenied } from '../../brokering/session-denied.ts'
import { runTerminal } from '../../brokering/terminal.ts'
import type { User } from '../../brokering/user.ts'
import { mayStillWatch, type Session, watchable } from '../../brokering/watch.ts'
import { Frames, readAck, readDrawn, readFrame, readSize } from './frames.ts'
import { SocketStream } from './socket-stream.ts'

const initLimit = 30_000
/** Interval of pings; a browser that has not answered three of them is gone. */
const pingEvery = 30_000
const silenceLimit = 100_000
/** Interval at which a watcher's permission is checked again, the same as for sessions. Milliseconds. */
const watcherCheckEvery = 30_000
/** Bytes a watcher may lag behind before the screen is redrawn instead. */
const watcherLimit = 2 * 1024 * 1024

/** The facts of a session sent to its terminal and its watchers. */
function sessionInfo(session: Session): TerminalSessionInfo {
  const { grant } = session
  return {
    session: {
      id: session.id,
      user: session.userDisplay,
      asset: session.assetDisplay,
      account: session.accountDisplay,
      protocol: grant.protocol,
      date_start: new Date(session.startedAt).toISOString(),
      expire_at: grant.expire_at,
    },
    permission: { actions: grant.actions.map((action) => action.value) },
    backspaceAsCtrlH: [true, '1', 'true'].includes(grant.connect_options.backspaceAsCtrlH as string | boolean),
    ctrlCAsCtrlZ: false,
    themeName: String(grant.connect_options.terminal_theme_name ?? 'Default'),
  }
}

/** One socket of a web terminal: a user's own session, or another user's being watched. */
export class WebTerminal {
  private readonly broker: Broker
  private readonly user: User
  private readonly socket: WebSocket
  private readonly frames: Frames
  private readonly resizers = new Set<(cols: number, rows: number) => void>()
  private stream: SocketStream | undefined
  private acknowledges = false
  /** Bytes sent to a watcher, and how many of them are drawn. */
  private sent = 0
  private drawn = 0

  constructor(broker: Broker, user: User, socket: WebSocket) {
    this.broker = broker
    this.user = user
    this.socket = socket
    this.frames = new Frames(socket, randomUUID())
  }

  /** Serves the socket to its end. Never throws. */
  async run(query: URLSearchParams): Promise<void> {
    const { socket } = this
    socket.on('error', () => undefined)
    // A socket that we have paused cannot send pongs.
    const silence = setTimeout(() => (socket.isPaused ? silence.refresh() : socket.terminate()), silenceLimit)
    const ping = setInterval(() => socket.ping(), pingEvery)
    socket.on('message', () => silence.refresh())
    socket.on('pong', () => silence.refresh())
    socket.once('close', () => {
      clearTimeout(silence)
      clearInterval(ping)
    })
    try {
      const size = this.firstSize()
      size.catch(() => undefined)
      const connect: TerminalConnect = {
        user: { id: this.user.id, name: this.user.name, username: this.user.username },
        setting: { SECURITY_SESSION_SHARE: false },
      }
      this.frames.send('CONNECT', connect)
      if (query.get('type') === 'monitor') await this.watch(query.get('target_id') ?? '', size)
      else if (query.has('type')) throw new SessionDenied('token_invalid', gatewayMessages.tokenInvalid)
      else await this.work(query.get('token') ?? '', await size)
    } catch (error) {
      this.sayEnd(refusalOf(error))
    }
    this.frames.send('CLOSE')
    socket.close(1000)
  }

  private sayEnd(refusal: SessionDenied | undefined): void {
    if (!refusal) return
    const data: TerminalErrorData = { reason: refusal.reason }
    this.frames.send('TERMINAL_ERROR', data, refusal.say(this.user.language))
  }

  /** Listens to the browser; resolves with the initial size of its terminal. */
  private firstSize(): Promise<{ cols: number; rows: number }> {
    const { socket } = this
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new SessionDenied('internal', gatewayMessages.internalError)), initLimit)
      socket.once('close', () => {
        clearTimeout(late)
        reject(new SessionDenied('none', gatewayMessages.watchedEnded))
      })
      socket.on('message', (data: Buffer, isBinary: boolean) => {
        if (isBinary) {
          this.stream?.receive(data)
          return
        }
        const frame = readFrame(data.toString('utf8'))
        if (!frame) return
        switch (frame.type) {
          case 'TERMINAL_INIT': {
            clearTimeout(late)
            this.acknowledges = readAck(frame.data)
            resolve(readSize(frame.data) ?? { cols: 80, rows: 24 })
            break
          }
          case 'TERMINAL_RESIZE': {
            const size = readSize(frame.data)
            if (size) for (const resize of this.resizers) resize(size.cols, size.rows)
            break
          }
          case 'TERMINAL_ACK':
            this.drawn = Math.max(this.drawn, readDrawn(frame.data))
            this.stream?.acknowledge(this.drawn)
            break
          case 'TERMINAL_DATA':
            this.stream?.receive(Buffer.from(frame.data))
            break
          case 'PING':
            this.frames.send('PONG')
            break
          case 'CLOSE':
            socket.close(1000)
            break
        }
      })
    })
  }

  private async work(token: string, size: { cols: number; rows: number }): Promise<void> {
    const grant = await redeemToken(this.broker, this.user, token, ['web_cli'])
    const stream = new SocketStream(this.socket, this.acknowledges)
    this.stream = stream
    const end = await runTerminal(this.broker, this.user, grant, {
      stream,
      term: 'xterm-256color',
      ...size,
      onResize: (listener) => {
        this.resizers.add(listener)
        return () => this.resizers.delete(listener)
      },
      onSession: (session) => this.announce(session),
    })
    this.sayEnd(end.refusal)
  }

  private announce(session: Session): void {
    this.frames.send('TERMINAL_SESSION', sessionInfo(session))
    const paused = (user: string) => this.frames.send('TERMINAL_SESSION_PAUSE', { user })
    const resumed = (user: string) => this.frames.send('TERMINAL_SESSION_RESUME', { user })
    session.on('paused', paused).on('resumed', resumed)
    this.socket.once('close', () => session.off('paused', paused).off('resumed', resumed))
  }

  /** Shows another user's session: its screen at once, then all further output. */
  private async watch(id: string, size: Promise<unknown>): Promise<void> {
    const [{ session, view }] = await Promise.all([watchable(this.broker, this.user, id), size])
    const { socket, frames } = this
    this.announce(session)
    let isBehind = false
    const behind = () => (this.acknowledges ? this.sent - this.drawn : socket.bufferedAmount)
    const send = (data: Buffer) => {
      this.sent += data.length
      socket.send(data, { binary: true })
    }
    const draw = () => {
      isBehind = false
      frames.send('TERMINAL_RESIZE', view.size())
      send(Buffer.from(`\u001bc${view.picture()}`))
    }
    draw()
    const timer = setInterval(() => {
      if (isBehind && behind() < watcherLimit / 4) draw()
    }, 200)
    let lost: SessionDenied | undefined
    let recheck: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      // A watcher who lost the permission or signed out is disconnected.
      recheck = setInterval(() => {
        mayStillWatch(this.broker, this.user, id).catch((error: unknown) => {
          if (!(error instanceof SessionDenied) || !['permission_denied', 'signed_out'].includes(error.reason)) return
          lost = error
          stop()
          resolve()
        })
      }, watcherCheckEvery)
      const stop = view.watch({
        output(data) {
          if (behind() > watcherLimit) isBehind = true
          if (!isBehind && socket.readyState === socket.OPEN) send(data)
        },
        resize: (cols, rows) => frames.send('TERMINAL_RESIZE', { cols, rows }),
        ended: () => resolve(),
      })
      socket.once('close', () => {
        stop()
        resolve()
      })
    })
    clearInterval(timer)
    clearInterval(recheck)
    this.sayEnd(lost ?? new SessionDenied('none', gatewayMessages.watchedEnded))
  }
}
