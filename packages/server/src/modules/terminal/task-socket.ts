import type { WebSocket } from 'ws'
import { hear, type SocketRoute } from '../../kernel/http/sockets.ts'
import type { Context, Services } from '../../kernel/module/context.ts'
import { ApiError } from '../../kernel/module/errors.ts'
import { loginsEnded } from '../authentication/index.ts'
import { componentOf } from './components/component.ts'
import { noteBeat } from './components/heartbeat.ts'
import { readBeat } from './components/status.ts'
import { endForgotten } from './sessions/orphans.ts'
import { approvalDecided } from './sessions/ticket-sessions.ts'
import { pendingTasks, tasksPushed } from './task.ts'

async function take(ctx: Context, component: string, payload: unknown, first: boolean): Promise<void> {
  try {
    const beat = readBeat(ctx, payload)
    await noteBeat(ctx.services, component, beat)
    if (first) await endForgotten(ctx, component, beat.sessions)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    ctx.services.log.warn({ component, problem: error.body('en') }, 'invalid heartbeat')
  }
}

/** Whether users have sessions of a component that were opened in a browser whose session may have ended. */
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

/** Pushes tasks to a component, and receives its heartbeats. */
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
    // Listening starts before pending tasks are read, so that none is missed in between.
    const stop = events.on(tasksPushed, ({ terminal, ids }) => (terminal === own.id ? send(ids) : undefined))
    // For other components an empty list of tasks means nothing; ours then check the sign-ins of their browser
    // sessions, and the approvals they wait for.
    const lookAgain = () => socket.send(Buffer.from('[]'), { binary: true })
    const stopLogins = events.on(loginsEnded, async ({ userIds }) => {
      if (await hasBrowserSessions(ctx.services, own.id, userIds)) lookAgain()
    })
    const stopApprovals = events.on(approvalDecided, lookAgain)
    socket.on('close', () => {
      stop()
      stopLogins()
      stopApprovals()
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
