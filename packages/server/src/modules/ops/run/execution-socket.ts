import type { Language } from '@castellan/contract/messages'
import type { WebSocket } from 'ws'
import type { Db } from '../../../db/database.ts'
import { hear, type SocketRoute } from '../../../kernel/http/sockets.ts'
import { itemStatus } from '../../../kernel/jobs/item-resource.ts'
import { jobLogged } from '../../../kernel/jobs/queue.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { followedExecution, readOutput } from './read-output.ts'

/** A host in a message. */
interface HostState {
  asset: string
  name: string
  state: string
  /** The same as lists have it. */
  status: { value: string; label: string }
  code: string | null
  error: string | null
  date_start: number | null
  date_finished: number | null
}

/** How often an execution is looked at without news of it. Milliseconds. */
const lookEvery = 1000
/** How soon after a look the next one may be. Milliseconds. */
const atMostEvery = 50
const hostsAtOnce = 500
/** Bytes that may wait for a client; then nothing is read for it. */
const mostUnread = 1024 * 1024

/** Hosts of an execution whose state differs from what was sent. */
async function* changedHosts(
  db: Db,
  id: string,
  sent: Map<string, string>,
  language: Language,
): AsyncGenerator<HostState[]> {
  for (let from = 0; ; ) {
    const rows = await db
      .selectFrom('kernel_job_item')
      .select(['position', 'target_id', 'target_label', 'state', 'error_code', 'error', 'date_start', 'date_finished'])
      .where('job_id', '=', id)
      .where('position', '>=', from)
      .orderBy('position')
      .limit(hostsAtOnce)
      .execute()
    const changed = rows.filter((row) => sent.get(row.target_id) !== row.state)
    for (const row of changed) sent.set(row.target_id, row.state)
    if (changed.length > 0)
      yield changed.map((row) => ({
        asset: row.target_id,
        name: row.target_label,
        state: row.state,
        status: itemStatus(row.state, language),
        code: row.error_code,
        error: row.error,
        date_start: row.date_start === null ? null : Number(row.date_start),
        date_finished: row.date_finished === null ? null : Number(row.date_finished),
      }))
    const last = rows.at(-1)
    if (!last || rows.length < hostsAtOnce) return
    from = Number(last.position) + 1
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Sends the hosts and the output of one execution from a position on, until it has ended or the client leaves. */
async function follow(ctx: Context, socket: WebSocket, given: unknown, after: number): Promise<void> {
  const send = (message: object) => socket.send(JSON.stringify({ execution: given, ...message }))
  const db = ctx.services.database.reader
  const sent = new Map<string, string>()
  let position = after
  let wake = () => {}
  let isNews = false
  const stop = ctx.services.events.on(jobLogged, ({ id }) => {
    if (id !== given) return
    isNews = true
    wake()
  })
  const onClose = () => wake()
  socket.once('close', onClose)
  try {
    while (socket.readyState === socket.OPEN) {
      isNews = false
      const execution = await followedExecution(ctx, given)
      if (!execution) return send({ event: 'denied' })
      for await (const hosts of changedHosts(db, execution.id, sent, ctx.language)) send({ event: 'hosts', hosts })
      for (;;) {
        while (socket.bufferedAmount > mostUnread && socket.readyState === socket.OPEN) await pause(atMostEvery)
        const read = await readOutput(db, execution.id, position)
        if (read.parts.length === 0) break
        position = read.position
        send({ event: 'output', position, parts: read.parts })
      }
      // What was written before the end was read is sent before it.
      if (execution.date_finished !== null) return send({ event: 'end', status: execution.status })
      // Many hosts take long to look at.
      await pause(Math.max(atMostEvery, sent.size / 10))
      if (!isNews)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, lookEvery)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
    }
  } finally {
    socket.removeListener('close', onClose)
    stop()
  }
}

const mostFollowed = 8

/**
 * Follows executions host by host. The client sends `{"execution": id, "after": position}`; it receives `hosts` (those
 * whose state changed), `output` (parts with their asset and stream, whose `end` is JSON), and at last `end` with the
 * status, or `denied`.
 */
export const executionSocket: SocketRoute = {
  path: '/ws/ops/job-executions/',
  allow: (ctx) => ctx.caller?.isActive === true && !ctx.caller.isExpired,
  open(ctx, socket) {
    let followed = 0
    hear(socket, ({ execution = null, after = 0 }) => {
      if (followed >= mostFollowed) return socket.terminate()
      followed += 1
      const from = typeof after === 'number' && after > 0 ? after : 0
      follow(ctx, socket, execution, from)
        .catch(() => socket.close(1011))
        .finally(() => {
          followed -= 1
        })
    })
  },
}
