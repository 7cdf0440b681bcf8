import { Announcement } from '../../kit/Announcement.tsx'
import { Card } from '../../kit/charts/Card.tsx'
import { Plot } from '../../kit/charts/Plot.tsx'
import { Shares } from '../../kit/charts/Shares.tsx'
import { Failed } from '../../kit/list/states.tsx'
import { PageHead, useScreen } from '../../kit/page.tsx'
import { number } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { figure, figures, Stat, useDays, useMetrics } from './parts.tsx'

/** Counts of audit records, with links to their lists. */
export default function AuditDashboard() {
  const screen = useScreen()
  const [days, choice] = useDays()
  const totals = useMetrics(['total_count'], days)
  const trend = useMetrics(['session_dates_metrics', 'dates_metrics'], Math.max(7, days))
  const sum = totals.data
  const logins = figure(sum, 'total_count_user_login_logs')
  const good = figure(sum, 'total_count_user_login_success_logs') ?? 0
  const commands = figure(sum, 'total_count_commands') ?? 0
  const danger = figure(sum, 'total_count_commands_danger') ?? 0
  const dates = trend.data && ((trend.data.dates_metrics_date ?? []) as string[])
  const refused = Math.max(0, (logins ?? 0) - good)
  const failed = [totals, trend].find((read) => read.isError)
  if (failed) return <Failed error={failed.error} retry={() => void failed.refetch()} />
  return (
    <div className="page">
      <Announcement />
      <PageHead title={t(screen.title)}>{choice}</PageHead>
      <div className="card stats">
        <Stat
          title="statOnlineSessions"
          value={figure(sum, 'total_count_online_sessions')}
          href="/audit/sessions/sessions?activeTab=OnlineList"
          permission="terminal.view_session"
        />
        <Stat
          title="statPastSessions"
          value={figure(sum, 'total_count_history_sessions')}
          href="/audit/sessions/sessions?activeTab=OfflineList"
          permission="terminal.view_session"
        />
        <Stat
          title="loginLogs"
          value={logins}
          note={t('failedCount', { count: number(refused) })}
          href="/audit/audits/login-logs"
          permission="audits.view_userloginlog"
        />
        <Stat
          title="operateLogs"
          value={figure(sum, 'total_count_operate_logs')}
          href="/audit/audits/operate-logs"
          permission="audits.view_operatelog"
        />
        <Stat
          title="passwordLogs"
          value={figure(sum, 'total_count_change_password_logs')}
          href="/audit/audits/password-change-log"
          permission="audits.view_passwordchangelog"
        />
        <Stat
          title="fileTransfers"
          value={figure(sum, 'total_count_ftp_logs')}
          href="/audit/sessions/ftp"
          permission="audits.view_ftplog"
        />
      </div>
      <div className="grid two">
        <Card title={t('sessionsByDay')}>
          <Plot
            chart="dates_metrics_total_count_session"
            label={t('sessionsByDay')}
            days={dates}
            series={[{ name: t('sessions'), values: figures(trend.data, 'dates_metrics_total_count_session') }]}
          />
        </Card>
        <Card title={t('loginsByDay')}>
          <Plot
            chart="dates_metrics_total_count_login"
            label={t('loginsByDay')}
            days={dates}
            series={[{ name: t('loginLogs'), values: figures(trend.data, 'dates_metrics_total_count_login') }]}
          />
        </Card>
        <Card title={t('loginOutcomes')}>
          <Shares
            chart="total_count_login_logs"
            parts={
              sum && [
                { label: t('succeeded'), total: good, tone: 'ok' },
                { label: t('failed'), total: refused, tone: 'danger' },
              ]
            }
          />
        </Card>
        <Card title={t('commandOutcomes')}>
          <Shares
            chart="total_count_commands"
            parts={
              sum && [
                { label: t('allowed'), total: Math.max(0, commands - danger), tone: 'ok' },
                { label: t('denied'), total: danger, tone: 'danger' },
              ]
            }
          />
        </Card>
      </div>
    </div>
  )
}
