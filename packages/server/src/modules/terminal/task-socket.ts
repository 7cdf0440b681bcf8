import type { WebSocket } from 'ws'
import type { Context, Services } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import { hear, type SocketRoute } from '../../kernel/http/sockets.ts'
import { loginsEnded } from '../authentication/index.ts'
import { componentOf } from './components/component.ts'
import { noteBeat } from './components/heartbeat.ts'
import { readBeat } from './components/status.ts'
import { endForgotten } from './sessions/orphans.ts'
import { pendingTasks, tasksPushed } from './task.ts'

async function take(ctx: Context, component: string, payload: unknown, first: boolean): Promise<void> {
  try {
    const beat = readBeat(ctx, payload)
    await noteBeat(ctx.services, component, beat)
    if (first) await endForgotten(ctx, component, beat.sessions)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    ctx.services.log.warn({ component, problem: error.body('en') }, 'a heartbeat was not understood')
  }
}

/** Whether people have sessions of a component that began in a browser, which may have been signed out. */
const hasBrowserSessions = async ({ database }: Services, component: string, userIds: readonly string[]) =>
  (await database.reader
    .selectFrom('terminal_session')
    .select('id')
    .where('terminal_id', '=', component)
    .where('is_finished', '=', false)
    .where('login_from', '=', 'WT')
    .where('user_id', 'in', userIds)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Brings a component its tasks as they are made, and takes its heartbeats. */
export const taskSocket: SocketRoute = {
  path: '/ws/terminal-task/',
  allow: async (ctx) => {
    const { caller } = ctx
    return caller?.isActive === true && !caller.isExpired && (await componentOf(ctx)) !== undefined
  },
  async open(ctx: Context, socket: WebSocket) {
    const own = await componentOf(ctx)
    if (!own) return
    const { log, events } = ctx.services
    const send = async (ids?: readonly string[]) => {
      const tasks = await pendingTasks(ctx, own.id, ids)
      if (!ids || tasks.length > 0) socket.send(Buffer.from(JSON.stringify(tasks)), { binary: true })
    }
    // Listening starts before the waiting tasks are read, so that none falls between.
    const stop = events.on(tasksPushed, ({ terminal, ids }) => (terminal === own.id ? send(ids) : undefined))
    // A frame without tasks tells a component nothing; ours takes it to look at its browsers' sign-ins.
    const stopLogins = events.on(loginsEnded, async ({ userIds }) => {
      if (await hasBrowserSessions(ctx.services, own.id, userIds)) socket.send(Buffer.from('[]'), { binary: true })
    })
    socket.on('close', () => {
      stop()
      stopLogins()
    })
    let first = true
    hear(socket, (message) => {
      if (message.type !== 'status') return
      const isFirst = first
      first = false
      void take(ctx, own.id, message.payload, isFirst).catch((error) => log.error({ err: error }, 'heartbeat failed'))
    })
    await send()
  },
}
