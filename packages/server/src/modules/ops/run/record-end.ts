import { type Language, say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { Db } from '../../../db/database.ts'
import type { JobEnd } from '../../../kernel/jobs/ends.ts'
import { listItems } from '../../../kernel/jobs/item-rows.ts'
import type { ExecutionSummary } from '../job-execution.ts'
import type { HostPayload } from './host-payload.ts'
import { forbiddenCodes } from './judge.ts'
import { unreachableCodes } from './run-on-host.ts'

/** Hosts that a summary names in each of its lists; all of them are in the items. */
const mostNamed = 1000
const pageSize = 1000

interface Counted {
  summary: ExecutionSummary
  forbidden: number
  late: number
  failed: number
}

/** What became of each host, from the items of the execution. */
async function summaryOf(db: Db, id: string, language: Language): Promise<Counted> {
  const summary: ExecutionSummary = { ok: [], skipped: [], failures: {}, dark: {}, excludes: {} }
  const counted: Counted = { summary, forbidden: 0, late: 0, failed: 0 }
  const name = (list: Record<string, string>, host: string, text: string) => {
    if (Object.keys(list).length < mostNamed) list[host] = text
  }
  for (let from = 0; ; ) {
    const rows = await listItems(db, id, { from, limit: pageSize })
    for (const row of rows) {
      const payload: Partial<HostPayload> = row.payload === null ? {} : JSON.parse(row.payload)
      const host = payload.host ?? row.target_label
      const code = row.error_code ?? ''
      const text = row.error ?? (code === 'canceled' ? say(taskLogs.stopped, language) : code)
      if (row.state === 'SUCCESS') {
        if (summary.ok.length < mostNamed) summary.ok.push(host)
      } else if (row.state === 'SKIPPED' || row.state === 'CANCELED') {
        name(summary.excludes, host, text)
        if (forbiddenCodes.has(code)) counted.forbidden += 1
      } else {
        counted.failed += 1
        if (code === 'timeout') counted.late += 1
        name(unreachableCodes.has(code) ? summary.dark : summary.failures, host, text)
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return counted
    from = Number(last.position) + 1
  }
}

const lostCodes: ReadonlySet<string> = new Set(['worker_lost', 'worker_stopped'])

/** Records how an execution ended, whatever ended it, with the totals of its job. */
export async function recordExecutionEnd(db: Db, { id, state, code, date }: JobEnd): Promise<void> {
  const row = await db
    .selectFrom('ops_jobexecution')
    .select(['job_id', 'summary', 'date_start'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return
  const task = await db.selectFrom('kernel_job').select('language').where('id', '=', id).executeTakeFirst()
  const language = (task?.language ?? 'en') as Language
  const { summary, forbidden, late, failed } = await summaryOf(db, id, language)
  const noted = (JSON.parse(row.summary) as Partial<ExecutionSummary>).error
  const error = noted ?? errorOf(state, code, forbidden, language)
  const isGood = state === 'SUCCESS' && failed === 0 && forbidden === 0 && summary.ok.length > 0
  const status =
    state === 'CANCELED' ? 'canceled' : isGood ? 'success' : late > 0 || code === 'timeout' ? 'timeout' : 'failed'
  await db
    .updateTable('ops_jobexecution')
    .set({ status, date_finished: date, summary: JSON.stringify({ ...summary, ...(error ? { error } : {}) }) })
    .where('id', '=', id)
    .execute()
  const seconds = row.date_start === null ? 0 : Math.max(0, (date - Number(row.date_start)) / 1000)
  const isTimed = state === 'SUCCESS'
  if (row.job_id)
    await db
      .updateTable('ops_job')
      .set((eb) => ({
        runs_success: eb('runs_success', '+', isGood ? 1 : 0),
        runs_timed: eb('runs_timed', '+', isTimed ? 1 : 0),
        runs_seconds: eb('runs_seconds', '+', isTimed ? seconds : 0),
      }))
      .where('id', '=', row.job_id)
      .execute()
}

function errorOf(state: string, code: string | null, forbidden: number, language: Language): string | undefined {
  if (state === 'CANCELED') return say(taskLogs.stopped, language)
  if (state === 'LOST' || lostCodes.has(code ?? '')) return say(taskLogs.lost, language)
  if (code === 'timeout') return say(taskLogs.took_too_long, language)
  return forbidden > 0 ? say(opsMessages.hosts_forbidden, language, { count: forbidden }) : undefined
}
