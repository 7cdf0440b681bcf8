import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { audience } from '../../kit/api/metadata.ts'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

const tasks = '/api/v1/terminal/tasks/'
/** Interval of looking for the session, and at its state. Milliseconds. */
const lookEvery = 2000

/** The running session of a ticket, which its assignees may watch, pause and terminate. */
export function TicketSession({ row, isAssignee }: { row: Row; isAssignee: boolean }) {
  const isOver = rawOf(row.state) !== 'approved' && rawOf(row.type) === 'login_asset_confirm'
  const { data: session, refetch } = useQuery({
    queryKey: ['ticket-session', row.id, ...audience()],
    // A connection that was just approved has no session yet.
    queryFn: () =>
      call<Row>(`/api/v1/tickets/tickets/${row.id}/session/`, { quiet: true }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }),
    enabled: !isOver,
    refetchInterval: ({ state }) => (state.data?.is_finished === true ? false : lookEvery),
  })
  if (!session) return null
  const lock = async () => {
    const task_name = session.is_locked ? 'unlock_session' : 'lock_session'
    await call(`${tasks}toggle-lock-session-for-ticket/`, {
      method: 'POST',
      body: { session_id: session.id, task_name },
    })
    toast.ok(t(session.is_locked ? 'sessionResumed' : 'sessionPaused'))
    await refetch()
  }
  const terminate = async () => {
    await call(`${tasks}kill-session-for-ticket/`, { method: 'POST', body: [session.id] })
    toast.ok(t('terminateSent'))
    await refetch()
  }
  const state = t(session.is_finished ? 'ended' : session.is_locked ? 'paused' : 'online')
  const shown = isAssignee && session.is_finished === false
  return (
    <div data-field="session">
      <QuickActions
        title="ticketSession"
        actions={[
          {
            key: 'watch',
            title: `${wordOf(session.account)} · ${wordOf(session.asset)}`,
            help: state,
            verb: t('watch'),
            disabled: !shown || session.can_join !== true,
            run: () => void window.open(`/luna/monitor/${session.id}?ticket_id=${row.id}`, '_blank', 'noopener'),
          },
          { key: 'pause', title: t('sessionHold'), on: session.is_locked === true, visible: shown, run: lock },
          {
            key: 'terminate',
            title: t('terminateHelp'),
            verb: t('terminate'),
            danger: true,
            visible: shown && session.can_terminate === true,
            run: terminate,
          },
        ]}
      />
    </div>
  )
}
