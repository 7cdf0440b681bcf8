import { say, withoutControls } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { toolTexts as texts } from '@castellan/contract/messages/tools'
import type { WebSocket } from 'ws'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import { hear, type SocketRoute } from '../../../kernel/http/sockets.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError, conflict, text } from '../../../kernel/module/errors.ts'
import { perInstallation } from '../../../kernel/module/per-installation.ts'
import { recordOperate } from '../../audits/index.ts'
import { type ToolRun, toolOf } from './tools.ts'

/** How long one request may take. Minutes. */
const minutes = 10
/** Output of one request. Megabytes of text. */
const megabytes = 2
/** Lines are sent together after this time: a capture must not answer each packet by one of its own. Milliseconds. */
const batchTime = 100

/** Users with a tool under way, in this program. */
const busy = perInstallation(() => new Set<string>())

/** Output of one request: bounded, in batches, and without what a terminal would execute. */
class Output {
  readonly #socket: WebSocket
  readonly #stop: (reason: string) => void
  #lines: string[] = []
  #left = megabytes * 1024 * 1024
  #timer: NodeJS.Timeout | undefined

  constructor(socket: WebSocket, stop: (reason: string) => void) {
    this.#socket = socket
    this.#stop = stop
  }

  /** Greetings of servers and names in packets come from others. */
  line(written: string): void {
    if (this.#left <= 0) return
    const line = withoutControls(written)
    this.#left -= line.length + 2
    this.#lines.push(`${line}\r\n`)
    this.#timer ??= setTimeout(() => this.flush(), batchTime)
    if (this.#left <= 0) this.#stop('size')
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const msg = this.#lines.join('')
    this.#lines = []
    if (msg && this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify({ msg }))
  }

  /** The last message, then the regular end. */
  end(line?: string): void {
    this.flush()
    if (this.#socket.readyState !== this.#socket.OPEN) return
    for (const msg of line === undefined ? [''] : [line, '']) this.#socket.send(JSON.stringify({ msg: `${msg}\r\n` }))
    this.#socket.close(1000)
  }
}

/** What a caller reads about an error. */
function messageOf(ctx: Context, error: unknown): string {
  const body = error instanceof ApiError ? error.body(ctx.language) : undefined
  return isObject(body) && typeof body.detail === 'string' ? body.detail : errors.server_error[ctx.language]
}

async function runTool(ctx: Context, sent: Readonly<Record<string, unknown>>, socket: WebSocket): Promise<void> {
  const stopping = new AbortController()
  const output = new Output(socket, (reason) => stopping.abort(reason))
  const timer = setTimeout(() => stopping.abort('time'), minutes * 60_000)
  const leave = () => stopping.abort('left')
  socket.once('close', leave)
  const users = busy(ctx.services)
  const { id } = ctx.me
  const isFirst = !users.has(id)
  try {
    if (!isFirst) throw conflict(text(texts.busy))
    users.add(id)
    const run: ToolRun = {
      sent,
      mayExamineServer: ctx.can('settings.change_security'),
      signal: stopping.signal,
      line: (line) => output.line(line),
      say: (message, ...values) => output.line(say(message, ctx.language, ...values)),
    }
    const { described, start } = await toolOf(sent.tool_type).prepare(run)
    await ctx.transaction((inside) =>
      recordOperate(inside, { action: 'connect', resourceType: 'System tool', resource: described }),
    )
    await start()
    const { reason } = stopping.signal
    output.end(
      reason === 'time'
        ? say(texts.stopped_by_time, ctx.language, { minutes })
        : reason === 'size'
          ? say(texts.stopped_by_size, ctx.language, { megabytes })
          : undefined,
    )
  } catch (error) {
    if (!(error instanceof ApiError)) ctx.services.log.error({ err: error }, 'A network tool failed.')
    output.end(`Exception: ${withoutControls(messageOf(ctx, error))}`)
  } finally {
    clearTimeout(timer)
    socket.off('close', leave)
    if (isFirst) users.delete(id)
  }
}

/** Ping, port tests, scans, captures and routes from the server; one request a connection. */
export const toolsSocket: SocketRoute = {
  path: '/ws/setting/tools/',
  allow: (ctx) =>
    ctx.caller?.isActive === true &&
    !ctx.caller.isExpired &&
    !ctx.caller.isServiceAccount &&
    (ctx.can('rbac.view_systemtools') || ctx.can('settings.view_setting')),
  open(ctx, socket) {
    let asked = false
    hear(socket, (sent) => {
      if (asked) return
      asked = true
      void runTool(ctx, sent, socket)
    })
  },
}
