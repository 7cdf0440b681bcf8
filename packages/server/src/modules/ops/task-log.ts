import { rootOrgId } from '@castellan/contract/ids'
import type { Catalogue } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { tasksMessages } from '@castellan/contract/messages/tasks'
import type { WebSocket } from 'ws'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/index.ts'
import { normalUuid } from '../../kernel/fields/index.ts'
import { hear, type SocketRoute } from '../../kernel/http/sockets.ts'
import { readLog } from '../../kernel/jobs/log.ts'
import { jobLogged } from '../../kernel/jobs/queue.ts'
import { isFinal } from '../../kernel/jobs/states.ts'
import { formatTimestamp } from '../../kernel/timestamps.ts'

export type JobRow = AnyRow

export async function jobById(ctx: Context, id: string): Promise<JobRow | undefined> {
  return ctx.services.database.reader.selectFrom('kernel_job').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Whether the caller may follow a job: it is theirs, or they hold the right, in the job's organization or, with the
 * right to look at all of them, anywhere. Jobs of no organization are the system's.
 */
export function mayFollow(ctx: Context, job: JobRow): boolean {
  if (ctx.caller && job.created_by === ctx.caller.id) return true
  if (!ctx.can('ops.view_celerytaskexecution')) return false
  const isOfSystem = ctx.isRootOrg || job.org_id === null || job.org_id === rootOrgId
  return isOfSystem ? ctx.can('orgs.view_rootorg') : job.org_id === ctx.orgId || ctx.caller?.isSuperuser === true
}

export const isOver = (job: JobRow | undefined) => job !== undefined && isFinal(job.state)

const nameOf = (ctx: Context, name: string): string => (tasksMessages as Catalogue)[name]?.[ctx.language] ?? name

/** Clients of the v3 contract know no LOST: to them the run has failed, and its log says why. */
export const wireState = (job: JobRow): string => (job.state === 'LOST' ? 'FAILURE' : job.state)

/** A job as the task centre shows an execution. */
export function executionOf(ctx: Context, job: JobRow): AnyRow {
  const timestamp = (value: unknown) => (value === null ? null : formatTimestamp(Number(value), ctx.zone))
  const seconds =
    job.date_start !== null && job.date_finished !== null
      ? (Number(job.date_finished) - Number(job.date_start)) / 1000
      : null
  return {
    id: job.id,
    name: job.name,
    task_name: nameOf(ctx, job.name),
    args: [],
    kwargs: {},
    time_cost: seconds,
    timedelta: seconds === null ? null : String(seconds),
    state: wireState(job),
    is_success: job.state === 'SUCCESS',
    is_finished: isOver(job),
    date_published: timestamp(job.date_created),
    date_start: timestamp(job.date_start),
    date_finished: timestamp(job.date_finished),
  }
}

const nothing = { text: '', position: 0 }

/** A job its log may be shown of. Somebody else's looks like one that does not exist. */
export async function jobForCaller(ctx: Context, id: string): Promise<JobRow | undefined> {
  const job = await jobById(ctx, id)
  return job && mayFollow(ctx, job) ? job : undefined
}

/** How often a log nobody wrote to is looked at again. Milliseconds. */
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
      // What was written before the state was read is sent before the end is told.
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
