/** Actions on a session, and its display. */
import { pathOf } from '@castellan/contract/routes'
import { holding } from '../../domain/terminal/sessions.ts'
import { call } from '../../kit/api/client.ts'
import { confirm } from '../../kit/confirm.ts'
import { at, duration, nameParts, rawOf, timestampOf, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireRow } from '../../kit/wire.ts'

export const url = '/api/v1/terminal/sessions/'
export const path = pathOf('SessionList')

/** A session with how long it took, which the screens compute. */
export type SessionRow = WireRow<typeof url, 'duration'>

const tasks = '/api/v1/terminal/tasks/'

export const online = (row: SessionRow): boolean => row.is_finished === false
export const mayTerminate = (row: SessionRow): boolean =>
  row.can_terminate === true && can('terminal.terminate_session')
export const mayWatch = (row: SessionRow): boolean => row.can_join === true && can('terminal.monitor_session')
export const mayReplay = (row: SessionRow): boolean => row.can_replay === true && can('terminal.view_sessionreplay')
export const mayLock = (row: SessionRow): boolean =>
  online(row) &&
  can('terminal.terminate_session') &&
  holding.has(String(at(row, 'terminal.type'))) &&
  rawOf(row.type) === 'normal'

export const watchAddress = (row: SessionRow): string => `/luna/monitor/${row.id}`
export const replayAddress = (row: SessionRow): string => `/luna/replay/${row.id}`
export const downloadAddress = (row: SessionRow): string => `${url}${row.id}/replay/download/?oid=${wordOf(row.org_id)}`

/** User and asset of a session. */
export const nameOf = (row: SessionRow): string =>
  t('sessionOf', { user: nameParts(row.user).name, asset: nameParts(row.asset).name })

/** Asks for confirmation: the user of the session loses unsaved work. */
export function terminate(row: SessionRow, reload: () => void): void {
  confirm({
    title: t('terminate'),
    text: t('terminateText', { name: nameOf(row) }),
    verb: t('terminate'),
    danger: true,
    run: async () => {
      await call(`${tasks}kill-session/`, { method: 'POST', body: [row.id] })
      toast.ok(t('terminateSent'))
      setTimeout(reload, 1500)
    },
  })
}

export async function toggleLock(row: SessionRow, reload: () => void): Promise<void> {
  const task_name = row.is_locked ? 'unlock_session' : 'lock_session'
  await call(`${tasks}toggle-lock-session/`, { method: 'POST', body: { session_id: row.id, task_name } })
  toast.ok(t(row.is_locked ? 'sessionResumed' : 'sessionPaused'))
  setTimeout(reload, 800)
}

/** From start to end, or until now. */
export function lengthOf(row: SessionRow): string {
  const start = timestampOf(row.date_start)
  if (!start) return '–'
  return duration((timestampOf(row.date_end)?.getTime() ?? Date.now()) - start.getTime())
}
