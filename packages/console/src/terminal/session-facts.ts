import { call } from '../kit/api/client.ts'
import type { CommandRow } from './replay/commands.ts'
import type { Page, ReplayInfo, Running, SessionRow } from './wire.ts'

const pageSize = 200
/** Maximum number of commands shown; more are in the console's command list. */
const mostCommands = 5000
const replayEvery = 2000

export function fetchSession(id: string, signal: AbortSignal, ticket?: string | null): Promise<SessionRow> {
  // Assignees of a ticket see its session without a permission for sessions.
  const path = ticket ? `/api/v1/tickets/tickets/${ticket}/session/` : `/api/v1/terminal/sessions/${id}/`
  return call<SessionRow>(path, { quiet: true, signal })
}

/** The commands of a session in order, page by page; `onPage` gets those loaded so far. */
export async function fetchCommands(
  session: string,
  onPage: (rows: CommandRow[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const rows: CommandRow[] = []
  for (let offset = 0; offset < mostCommands; offset += pageSize) {
    const query = { session_id: session, limit: pageSize, offset, order: 'timestamp' }
    const page = await call<Page<CommandRow>>('/api/v1/terminal/commands/', { query, quiet: true, signal })
    rows.push(...page.results)
    onPage([...rows])
    if (page.results.length < pageSize) return
  }
}

/**
 * URL of the recording. The server may have to fetch it from a storage first, so this polls until it is available.
 * @throws ApiError 404 if there is none
 */
export async function fetchReplay(session: string, signal: AbortSignal): Promise<ReplayInfo> {
  for (;;) {
    const answer = await call<ReplayInfo | Running<ReplayInfo>>(`/api/v1/terminal/sessions/${session}/replay/`, {
      quiet: true,
      signal,
    })
    if ('type' in answer) return answer
    if (answer.status === 'error') throw new Error(answer.error ?? '')
    if (answer.resp && 'type' in answer.resp.data) return answer.resp.data
    await new Promise((resolve) => setTimeout(resolve, replayEvery))
    signal.throwIfAborted()
  }
}

export type SessionTask = 'kill_session' | 'lock_session' | 'unlock_session'

/**
 * Pauses, resumes or terminates a running session. The ticket variants are for reviewers without the permission itself.
 */
export function commandSession(session: string, task: SessionTask, byTicket: boolean): Promise<unknown> {
  const suffix = byTicket ? '-for-ticket' : ''
  if (task === 'kill_session') {
    return call(`/api/v1/terminal/tasks/kill-session${suffix}/`, { method: 'POST', body: [session] })
  }
  const body = { session_id: session, task_name: task }
  return call(`/api/v1/terminal/tasks/toggle-lock-session${suffix}/`, { method: 'POST', body })
}

/** `Jonas Lindqvist(jonas.l)` without the text in brackets. */
export function displayName(text: string): string {
  return text.replace(/\([^()]*\)$/, '')
}

/** The username in `web(root)`, the format of recorded accounts. */
export function signInName(account: string): string {
  return /\(([^()]+)\)$/.exec(account)?.[1] ?? account
}
