import { pathOf } from '@castellan/contract/routes'
import { Skeleton } from 'antd'
import { Announcement } from '../../kit/Announcement.tsx'
import { Card } from '../../kit/charts/Card.tsx'
import { Plot } from '../../kit/charts/Plot.tsx'
import { Shares } from '../../kit/charts/Shares.tsx'
import { type Ranked, TopList } from '../../kit/charts/TopList.tsx'
import { Failed } from '../../kit/list/states.tsx'
import { PageHead, useScreen } from '../../kit/page.tsx'
import { nameParts, number } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import { Attention, LiveNow } from './now.tsx'
import { figure, figures, Stat, useDays, useMetrics } from './parts.tsx'

const counters = ['total_count']
const ranged = ['dates_login_times_top10_users', 'dates_login_times_top10_assets']

/** Counts of the organization, each a link to its list. */
export default function ConsoleDashboard() {
  const screen = useScreen()
  const [days, choice] = useDays()
  const totals = useMetrics(counters, days)
  const top = useMetrics(ranged, days)
  const trend = useMetrics(['dates_metrics'], Math.max(7, days))
  const sum = totals.data
  const week = (key: string) => t('thisWeek', { count: number(figure(sum, key) ?? 0) })
  const types = sum && ((sum.total_count_type_to_assets_amount ?? []) as { label: string; total: number }[])
  const steps = useFirstSteps(figure(sum, 'total_count_assets'), figure(sum, 'total_count_users'))
  const failed = [totals, top, trend].find((read) => read.isError)
  if (failed) return <Failed error={failed.error} retry={() => void failed.refetch()} />
  if (!steps)
    return (
      <div className="page">
        <PageHead title={t(screen.title)}>{choice}</PageHead>
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      </div>
    )
  return (
    <div className="page">
      <Announcement />
      <PageHead title={t(screen.title)}>{choice}</PageHead>
      <FirstSteps steps={steps} />
      <div className="grid dash-top">
        <Attention failed={figure(sum, 'total_count_today_failed_sessions')} />
        <LiveNow />
      </div>
      <div className="card stats">
        <Stat
          title="statOnlineSessions"
          value={figure(sum, 'total_count_online_sessions')}
          href="/audit/sessions/sessions?activeTab=OnlineList"
          permission="terminal.view_session"
        />
        <Stat
          title="statOnlineUsers"
          value={figure(sum, 'total_count_online_users')}
          href="/audit/online-user-session"
          permission="audits.view_usersession"
        />
        <Stat
          title="statFailedSessions"
          value={figure(sum, 'total_count_today_failed_sessions')}
          tone="danger"
          note={t('today')}
          href="/audit/sessions/sessions?activeTab=OfflineList"
          permission="terminal.view_session"
        />
        <Stat
          title="statFlagged"
          value={figure(sum, 'total_count_commands_danger')}
          tone="warning"
          note={t('ofCommands', { count: number(figure(sum, 'total_count_commands') ?? 0) })}
          href="/audit/sessions/command?risk_level=5"
          permission="terminal.view_command"
        />
        <Stat
          title="users"
          value={figure(sum, 'total_count_users')}
          note={week('total_count_users_this_week')}
          href="/console/users/users"
          permission="users.view_user"
        />
        <Stat
          title="assets"
          value={figure(sum, 'total_count_assets')}
          note={week('total_count_assets_this_week')}
          href="/console/assets/assets"
          permission="assets.view_asset"
        />
      </div>
      <div className="grid dash-charts">
        <Card title={t('activityByDay')}>
          <Plot
            chart="dates_metrics"
            label={t('activityByDay')}
            days={trend.data && ((trend.data.dates_metrics_date ?? []) as string[])}
            series={[
              { name: t('activeUsers'), values: figures(trend.data, 'dates_metrics_total_count_active_users') },
              { name: t('activeAssets'), values: figures(trend.data, 'dates_metrics_total_count_active_assets') },
            ]}
          />
        </Card>
        <Card title={t('topUsers')} keeps={{ name: 'top-users', full: top.data !== undefined }}>
          <TopList
            chart="dates_login_times_top10_users"
            column="user"
            rows={top.data && ((top.data.dates_login_times_top10_users ?? []) as Ranked[])}
            name={(row) => nameParts(row.user).name || '–'}
            inner={(row) => nameParts(row.user).inner}
            href={(row) => (row.user_id && can('users.view_user') ? pathOf('UserDetail', row.user_id) : undefined)}
          />
        </Card>
        <Card title={t('topAssets')} keeps={{ name: 'top-assets', full: top.data !== undefined }}>
          <TopList
            chart="dates_login_times_top10_assets"
            column="asset"
            rows={top.data && ((top.data.dates_login_times_top10_assets ?? []) as Ranked[])}
            name={(row) => nameParts(row.asset).name || '–'}
            inner={(row) => nameParts(row.asset).inner}
            href={(row) =>
              can('assets.view_asset')
                ? `${pathOf('AssetList')}?search=${encodeURIComponent(nameParts(row.asset).name)}`
                : undefined
            }
          />
        </Card>
      </div>
      <div className="gap-above-big">
        <Card title={t('assetsByType')}>
          <Shares chart="total_count_type_to_assets" parts={types} />
        </Card>
      </div>
    </div>
  )
}
