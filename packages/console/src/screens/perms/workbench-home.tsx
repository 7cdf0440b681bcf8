import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { SquareTerminal, Star } from 'lucide-react'
import { pageOf, ticketState } from '../../domain/tickets/ticket.tsx'
import { Announcement } from '../../kit/Announcement.tsx'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Avatar, Time } from '../../kit/cells.tsx'
import { Card } from '../../kit/charts/Card.tsx'
import { Failed } from '../../kit/list/states.tsx'
import { PageHead } from '../../kit/page.tsx'
import { nameParts, type Page, type Row, rowsIn, wordOf } from '../../kit/row.ts'
import { can, licensed, useSession } from '../../kit/session.ts'
import { Dot } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { favoriteAssets } from './my-assets.tsx'

function useRows(url: string) {
  return useQuery({
    queryKey: ['home', url, ...audience()],
    queryFn: () => call<Page | Row[]>(url, { quiet: true }),
  })
}

const connectTo = (asset: unknown, account?: unknown) => {
  const query = new URLSearchParams({ login_to: String(asset) })
  if (account) query.set('login_account', String(account))
  return `/luna/?${query}`
}

function Connect({ href, name, disabled }: { href: string; name: string; disabled?: boolean }) {
  return (
    <Button
      size="small"
      icon={<SquareTerminal size={14} />}
      href={href}
      target="_blank"
      disabled={disabled}
      aria-label={t('connectTo', { name })}
    >
      {t('connect')}
    </Button>
  )
}

function RecentSessions() {
  const read = useRows('/api/v1/terminal/my-sessions/?limit=5')
  const rows = rowsIn(read.data)
  return (
    <Card
      title={t('recentSessions')}
      keeps={{ name: 'recent-sessions', full: !read.isPending }}
      link={can('terminal.view_session') ? { to: pathOf('SessionList'), label: t('allSessions') } : undefined}
    >
      {read.isPending && <Skeleton active title={false} className="in-card" />}
      {read.error && <Failed error={read.error} retry={() => void read.refetch()} />}
      {read.isSuccess && rows.length === 0 && (
        <div className="in-card">
          <p className="muted gap-below">{t('recentSessionsNone')}</p>
          <Button href={`#${pathOf('MyAssets')}`}>{t('myAssetsShow')}</Button>
        </div>
      )}
      {rows.map((row) => (
        <div className="row stacks" key={row.id}>
          <span className="clip grow">
            <b data-column="asset">
              {can('terminal.view_session') ? (
                <a data-column="id" href={`#${pathOf('SessionDetail').replace(':id', row.id)}`}>
                  {nameParts(row.asset).name}
                </a>
              ) : (
                nameParts(row.asset).name
              )}
            </b>{' '}
            <span className="muted" data-column="account">
              {t('asAccount', { account: nameParts(row.account).inner })}
            </span>{' '}
            <span className="mono muted small">
              <span data-column="protocol">{wordOf(row.protocol)}</span>{' '}
              <span data-column="remote_addr">{wordOf(row.remote_addr)}</span>
            </span>
          </span>
          {row.is_finished === false && (
            <Dot is="ok" live>
              {t('online')}
            </Dot>
          )}
          <span className="muted small">
            <Time value={row.date_start} />
          </span>
          <span data-column="actions">
            <Connect href={connectTo(row.asset_id, row.account_id)} name={nameParts(row.asset).name} />
          </span>
        </div>
      ))}
    </Card>
  )
}

function Favorites() {
  const read = useRows(`${favoriteAssets}?limit=10&offset=0`)
  const rows = rowsIn(read.data)
  return (
    <Card
      title={t('favorites')}
      link={{ to: pathOf('MyAssets'), label: t('myAssets') }}
      keeps={{ name: 'favorites', full: !read.isPending }}
    >
      {rows.length === 0 && !read.isFetching && (
        <p className="in-card muted">
          <Star size={14} /> {t('favoritesNone')}
        </p>
      )}
      {rows.map((row) => (
        <div className="row" key={row.id}>
          <span className="clip grow">
            <b>{wordOf(row.name)}</b> <span className="mono muted">{wordOf(row.address)}</span>
          </span>
          <Connect href={connectTo(row.id)} name={wordOf(row.name)} disabled={row.is_active === false} />
        </div>
      ))}
    </Card>
  )
}

/** Tickets that wait for the user's decision. */
function AssignedTickets() {
  const { profile } = useSession()
  const read = useRows(`/api/v1/tickets/tickets/?assignees__id=${profile.id}&state=pending&limit=5`)
  const rows = rowsIn(read.data)
  return (
    <Card
      title={t('assignedTickets')}
      keeps={{ name: 'assigned-tickets', full: !read.isPending }}
      link={{ to: pathOf('AssignedTicketList'), label: t('allTickets') }}
    >
      {read.error && <Failed error={read.error} retry={() => void read.refetch()} />}
      {read.isSuccess && rows.length === 0 && <p className="in-card muted">{t('assignedTicketsEmpty')}</p>}
      {rows.map((row) => (
        <div className="row stacks" key={row.id}>
          <span className="clip grow">
            <b data-column="title">
              <a href={`#${pageOf(row)}`}>{wordOf(row.title)}</a>
            </b>{' '}
            <span className="muted" data-column="applicant">
              {(row.rel_snapshot as { applicant?: string } | undefined)?.applicant}
            </span>
          </span>
          <span className="muted small" data-column="type">
            {wordOf(row.type)}
          </span>
          <span data-column="status">{ticketState(row)}</span>
          <span className="muted small" data-column="date_created">
            <Time value={row.date_created} />
          </span>
        </div>
      ))}
    </Card>
  )
}

function RecentLogins() {
  const read = useRows('/api/v1/audits/my-login-logs/?limit=5')
  return (
    <Card title={t('recentLogins')} keeps={{ name: 'recent-logins', full: !read.isPending }}>
      {rowsIn(read.data).map((row) => (
        <div className="row" key={row.id}>
          <span className="clip grow">
            <span className="mono">{wordOf(row.ip)}</span>{' '}
            <span className="muted" data-column="city">
              {wordOf(row.city)}
            </span>
          </span>
          <span className="muted small" data-column="datetime">
            <Time value={row.datetime} />
          </span>
        </div>
      ))}
    </Card>
  )
}

/** Home page of the workbench: recent sessions, tickets to decide, favorites, own account. */
export default function WorkbenchHome() {
  const { profile, settings } = useSession()
  return (
    <div className="page">
      <Announcement />
      <PageHead title={t('welcome', { name: profile.name })}>
        {can('rbac.view_webterminal') && (
          <Button type="primary" icon={<SquareTerminal size={16} />} href="/luna/" target="_blank">
            {t('webTerminal')}
          </Button>
        )}
      </PageHead>
      <div className="grid home">
        <div className="grid">
          <RecentSessions />
          {can('tickets.view_ticket') && settings.TICKETS_ENABLED === true && licensed(settings) && <AssignedTickets />}
          {can('perms.view_myassets') && <Favorites />}
        </div>
        <div className="grid">
          <Card title={t('profile')} link={{ to: pathOf('ProfileInfo'), label: t('detail') }}>
            <div className="row tall">
              <Avatar name={profile.name} big />
              <span className="grow">
                <b>{profile.name}</b>
                <small className="muted block">{profile.email}</small>
                {typeof profile.last_login === 'string' && (
                  <small className="muted block">
                    {t('lastSignIn')} <Time value={profile.last_login} />
                  </small>
                )}
              </span>
            </div>
          </Card>
          <RecentLogins />
        </div>
      </div>
    </div>
  )
}
