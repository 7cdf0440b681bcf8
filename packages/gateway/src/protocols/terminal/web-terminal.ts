import { randomUUID } from 'node:crypto'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type {
  ShareParticipant,
  TerminalConnect,
  TerminalErrorData,
  TerminalFrame,
  TerminalSessionInfo,
  TerminalShareLink,
} from '@castellan/contract/web-terminal'
import type WebSocket from 'ws'
import type { Broker } from '../../brokering/broker.ts'
import { redeemToken } from '../../brokering/grants.ts'
import { refusalOf, SessionDenied } from '../../brokering/session-denied.ts'
import { type SessionSharing, sharingByLink, sharingOf } from '../../brokering/session-sharing.ts'
import { runTerminal } from '../../brokering/terminal.ts'
import type { User } from '../../brokering/user.ts'
import { mayStillWatch, type Session, type SessionView, watchable } from '../../brokering/watch.ts'
import { Frames, hearBrowser, objectIn, readAck, readDrawn, readSize, textIn } from './frames.ts'
import { ShownSession } from './shown-session.ts'
import { SocketStream } from './socket-stream.ts'

const initLimit = 30_000
/** Interval of pings; a browser that has not answered three of them is gone. */
const pingEvery = 30_000
const silenceLimit = 100_000
/** Interval at which a watcher's permission is checked again, the same as for sessions. Milliseconds. */
const watcherCheckEvery = 30_000

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
  /** The code of a link that the user entered. */
  private code = ''
  /** Another user's session that is shown here. */
  private shown: ShownSession | undefined
  /** Input for the session; undefined for those who only watch. */
  private receive: ((data: Buffer) => void) | undefined
  /** The sharing of the user's own session. */
  private sharing: SessionSharing | undefined
  private readonly origin: string

  /** @param origin scheme and host of the page, for links to it */
  constructor(broker: Broker, user: User, socket: WebSocket, origin: string) {
    this.origin = origin
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
        setting: { SECURITY_SESSION_SHARE: this.broker.config().SECURITY_SESSION_SHARE },
      }
      this.frames.send('CONNECT', connect)
      if (query.get('type') === 'monitor') await this.watch(query.get('target_id') ?? '', size)
      else if (query.get('type') === 'share') await this.join(query.get('target_id') ?? '', size)
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
      hearBrowser(socket, (heard) => {
        if ('keys' in heard) {
          this.receive?.(heard.keys)
          return
        }
        const { frame } = heard
        switch (frame.type) {
          case 'TERMINAL_INIT': {
            clearTimeout(late)
            this.acknowledges = readAck(frame.data)
            this.code = textIn(objectIn(frame.data).code)
            resolve(readSize(frame.data) ?? { cols: 80, rows: 24 })
            break
          }
          case 'TERMINAL_RESIZE': {
            const size = readSize(frame.data)
            if (size) for (const resize of this.resizers) resize(size.cols, size.rows)
            break
          }
          case 'TERMINAL_ACK':
            this.stream?.acknowledge(readDrawn(frame.data))
            this.shown?.acknowledge(readDrawn(frame.data))
            break
          case 'TERMINAL_DATA':
            this.receive?.(Buffer.from(frame.data))
            break
          case 'TERMINAL_SHARE':
          case 'TERMINAL_GET_SHARE_USER':
          case 'TERMINAL_SHARE_USER_REMOVE':
            void this.manage(frame)
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
    this.receive = (data) => stream.receive(data)
    const end = await runTerminal(this.broker, this.user, grant, {
      stream,
      term: 'xterm-256color',
      ...size,
      onResize: (listener) => {
        this.resizers.add(listener)
        return () => this.resizers.delete(listener)
      },
      onSession: (session) => {
        this.announce(session)
        this.sharing = sharingOf(session)
        if (this.sharing) this.socket.once('close', this.tellParticipants(this.sharing))
      },
    })
    this.sayEnd(end.refusal)
  }

  private announce(session: Session, actions?: string[]): void {
    const info = sessionInfo(session)
    this.frames.send('TERMINAL_SESSION', actions ? { ...info, permission: { actions } } : info)
    const paused = (user: string) => this.frames.send('TERMINAL_SESSION_PAUSE', { user })
    const resumed = (user: string) => this.frames.send('TERMINAL_SESSION_RESUME', { user })
    session.on('paused', paused).on('resumed', resumed)
    this.socket.once('close', () => session.off('paused', paused).off('resumed', resumed))
  }

  /** Shows another user's session to an auditor, as long as they may watch it. */
  private async watch(id: string, size: Promise<unknown>): Promise<void> {
    const [{ session, view }] = await Promise.all([watchable(this.broker, this.user, id), size])
    this.announce(session)
    const shown = this.show(view)
    const recheck = setInterval(() => {
      // A watcher who lost the permission or signed out is disconnected.
      mayStillWatch(this.broker, this.user, id).catch((error: unknown) => {
        if (error instanceof SessionDenied && ['permission_denied', 'signed_out'].includes(error.reason))
          shown.end(error)
      })
    }, watcherCheckEvery)
    const lost = await shown.over
    clearInterval(recheck)
    this.sayEnd(lost ?? new SessionDenied('none', gatewayMessages.watchedEnded))
  }

  private show(view: SessionView): ShownSession {
    const shown = new ShownSession(this.socket, this.frames, view, this.acknowledges)
    this.shown = shown
    return shown
  }

  /** Lets the user into another user's session by a link and a code. */
  private async join(link: string, size: Promise<unknown>): Promise<void> {
    await size
    const sharing = sharingByLink(this.broker, link)
    if (!sharing) throw new SessionDenied('token_invalid', gatewayMessages.shareUnknown)
    const joined = await sharing.join(this.user, link, this.code)
    this.socket.once('close', () => joined.leave())
    if (this.socket.readyState !== this.socket.OPEN) return joined.leave()
    this.announce(sharing.session, joined.info.writable ? ['connect'] : [])
    const shown = this.show(joined.view)
    const stop = this.tellParticipants(sharing)
    this.receive = (data) => joined.type(data)
    joined.onLeft((refusal) => {
      if (refusal?.text === gatewayMessages.shareRemoved) this.frames.send('TERMINAL_SHARE_USER_REMOVE', joined.info)
      shown.end(refusal)
    })
    const lost = await shown.over
    this.receive = undefined
    stop()
    joined.leave()
    this.sayEnd(lost ?? new SessionDenied('none', gatewayMessages.watchedEnded))
  }

  /** Tells who is in the session, and who comes and goes. */
  private tellParticipants(sharing: SessionSharing): () => void {
    const byTerminal = (participants: ShareParticipant[]) =>
      Object.fromEntries(participants.map((one) => [one.terminal_id, one]))
    const joined = (one: ShareParticipant) => this.frames.send('TERMINAL_SHARE_JOIN', one)
    const left = (one: ShareParticipant) => this.frames.send('TERMINAL_SHARE_LEAVE', one)
    this.frames.send('TERMINAL_SHARE_USERS', byTerminal(sharing.participants))
    sharing.on('joined', joined).on('left', left)
    return () => sharing.off('joined', joined).off('left', left)
  }

  /** What the owner of a session asks about sharing it. */
  private async manage(frame: TerminalFrame): Promise<void> {
    const { sharing } = this
    const wish = objectIn(frame.data)
    try {
      if (!sharing) throw new SessionDenied('permission_denied', gatewayMessages.shareNotAllowed)
      if (frame.type === 'TERMINAL_SHARE') {
        const link = await sharing.share(wish, this.origin)
        const answer: TerminalShareLink = { share_id: link.id, code: link.verify_code }
        this.frames.send('TERMINAL_SHARE', answer)
      } else if (frame.type === 'TERMINAL_GET_SHARE_USER') {
        this.frames.send(frame.type, await sharing.candidates(textIn(wish.query)))
      } else {
        const { terminal_id: id } = objectIn(JSON.stringify(wish.user_meta ?? {}))
        sharing.remove(textIn(id))
      }
    } catch (error) {
      this.frames.send(frame.type, '', refusalOf(error).say(this.user.language))
    }
  }
}
