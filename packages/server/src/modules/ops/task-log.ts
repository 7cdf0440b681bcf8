import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { WebSocket } from 'ws'
import { normalUuid } from '../../kernel/fields/index.ts'
import { hear, type SocketRoute } from '../../kernel/http/sockets.ts'
import { readLog } from '../../kernel/jobs/log.ts'
import { jobLogged } from '../../kernel/jobs/queue.ts'
import { isFinal } from '../../kernel/jobs/states.ts'
import type { JobRow } from '../../kernel/jobs/tables.ts'
import type { Context } from '../../kernel/module/context.ts'
import { mayFollow } from './task-access.ts'

export async function jobById(ctx: Context, id: string): Promise<JobRow | undefined> {
  return ctx.services.database.reader
    .selectFrom('kernel_job')
    .selectAll()
    .$castTo<JobRow>()
    .where('id', '=', id)
    .executeTakeFirst()
}

export const isOver = (job: { state: string } | undefined) => job !== undefined && isFinal(job.state)

const nothing = { text: '', position: 0 }

/** A job its log may be shown of. Somebody else's looks like one that does not exist. */
export async function jobForCaller(ctx: Context, id: string): Promise<JobRow | undefined> {
  const job = await jobById(ctx, id)
  return job && mayFollow(ctx, job) ? job : undefined
}

/** How often an unchanged log is read again. Milliseconds. */
const lookEvery = 500

/** Sends a job's log from its start to its end, as it grows; ends early when the client leaves. */
async function follow(ctx: Context, socket: WebSocket, id: string): Promise<void> {
  const send = (message: object) => socket.send(JSON.stringify(message))
  let wake = () => {}
  const stop = ctx.services.events.on(jobLogged, (news) => {
    if (news.id === id) wake()
  })
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookEvery)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  socket.once('close', () => wake())
  try {
    let started = false
    let position = 0
    while (socket.readyState === socket.OPEN) {
      const job = await jobForCaller(ctx, id)
      // Lines written before the state was read are sent before the end event.
      const { text, position: next } = job ? await readLog(ctx.services.database.reader, id, position) : nothing
      if (!started && !text && !isOver(job)) {
        send({ message: '.', task: id })
        await pause()
        continue
      }
      if (!started) send({ message: '\r\n' })
      started = true
      position = next
      if (text) send({ message: text, task: id })
      else if (isOver(job)) {
        send({ event: 'end', task: id, message: '' })
        return
      } else await pause()
    }
  } finally {
    stop()
  }
}

/** Logs that may wait for the one being followed, and bytes of answers for a client that reads none. */
const mostWaiting = 100
const mostUnread = 8 * 1024 * 1024

/** Follows logs of background tasks, one after the other. */
export const taskLogSocket: SocketRoute = {
  path: '/ws/ops/tasks/log/',
  allow: (ctx) => ctx.caller?.isActive === true && !ctx.caller.isExpired,
  open(ctx, socket) {
    let queue = Promise.resolve()
    let waiting = 0
    hear(socket, ({ task = null, type = 'celery' }) => {
      const isFlood = waiting >= mostWaiting || socket.bufferedAmount > mostUnread
      if ((type !== 'celery' && type !== 'ansible') || isFlood) {
        socket.terminate()
        return
      }
      const id = normalUuid(task)
      waiting += 1
      queue = queue.then(async () => {
        waiting -= 1
        if (id) await follow(ctx, socket, id).catch(() => socket.close(1011))
        else socket.send(JSON.stringify({ message: `${taskLogs.not_a_task[ctx.language]}\r\n`, task }))
      })
    })
  },
}
