/** Top of the dashboard: items that need attention, and live sessions. */
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { call, type Query } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { Card } from '../../kit/charts/Card.tsx'
import { duration, nameParts, number, type Page, timestampOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'

/** Polling interval of running sessions in milliseconds. */
const every = 15_000
const day = 86_400_000
/** Permissions that end within this number of days are reported. */
const ahead = 7

/** The first rows and the total of a list, if the user may view it. */
export function usePage(url: string, query: Query, permission: string, refetchInterval?: number) {
  return useQuery({
    queryKey: ['list', url, JSON.stringify(query), ...audience()],
    queryFn: () => call<Page>(url, { query, quiet: true }),
    enabled: can(permission),
    refetchInterval,
  })
}

/** Failures of the last day, locked users, permissions that end or have ended. The caller counts `failed`. */
export function Attention({ failed }: { failed: number | undefined }) {
  // Rounded to hours, so that the query stays the same while the page is open.
  const since = new Date(Math.floor((Date.now() - day) / 3_600_000) * 3_600_000).toISOString()
  const one = { limit: 1, offset: 0 }
  const refused = usePage(
    '/api/v1/audits/login-logs/',
    { ...one, status: 0, date_from: since },
    'audits.view_userloginlog',
  )
  const locked = usePage('/api/v1/users/users/', { ...one, locked: 1, fields_size: 'mini' }, 'users.view_user')
  const usePermissions = (query: Query) =>
    usePage('/api/v1/perms/asset-permissions/', { ...one, ...query, fields_size: 'mini' }, 'perms.view_assetpermission')
  const ending = usePermissions({ expires_within: ahead })
  const ended = usePermissions({ is_valid: 0 })
  const newest = refused.data?.results[0]
  const all = [
    {
      key: 'sessions',
      is: 'danger',
      state: t('failed'),
      count: can('terminal.view_session') ? (failed ?? 0) : 0,
      text: t('attentionSessions', { count: number(failed ?? 0) }),
      href: '/audit/sessions/sessions?activeTab=OfflineList',
    },
    {
      key: 'sign-ins',
      is: 'warning',
      state: t('denied'),
      count: refused.data?.count ?? 0,
      text: t('attentionSignIns', { count: number(refused.data?.count ?? 0) }),
      more: newest && t('attentionLast', { name: String(newest.username) }),
      href: `${pathOf('LoginLogList')}?status=0`,
    },
    {
      key: 'locked',
      is: 'warning',
      state: t('userLocked'),
      count: locked.data?.count ?? 0,
      text: t('attentionLocked', { count: number(locked.data?.count ?? 0) }),
      href: `${pathOf('UserList')}?locked=true`,
    },
    {
      key: 'ending',
      is: 'warning',
      state: t('permissionEnding'),
      count: ending.data?.count ?? 0,
      text: t('attentionEnding', { count: number(ending.data?.count ?? 0), days: String(ahead) }),
      href: `${pathOf('AssetPermissionList')}?expires_within=${ahead}`,
    },
    {
      key: 'permissions',
      is: 'warning',
      state: t('permissionEnded'),
      count: ended.data?.count ?? 0,
      text: t('attentionPermissions', { count: number(ended.data?.count ?? 0) }),
      href: `${pathOf('AssetPermissionList')}?is_valid=0`,
    },
  ] as const
  const full = failed !== undefined && [refused, locked, ending, ended].every((read) => !read.isLoading)
  // Rendered together; one by one they would move each other down.
  const items = full ? all.filter(({ count }) => count > 0) : []
  return (
    <Card
      title={t('attention')}
      note={items.length > 0 ? String(items.length) : undefined}
      keeps={{ name: 'attention', full }}
    >
      <div className="attention">
        {items.map((item) => (
          <a className="row" key={item.key} href={`#${item.href}`}>
            <Status is={item.is}>{item.state}</Status>
            <span className="clip">
              <b>{item.text}</b> {'more' in item && <span className="muted">{item.more}</span>}
            </span>
            <span className="go">
              {t('show')} <ChevronRight size={14} />
            </span>
          </a>
        ))}
        {full && items.length === 0 && <p className="in-card muted">{t('attentionNone')}</p>}
      </div>
    </Card>
  )
}

/** The newest running sessions. */
export function LiveNow() {
  const read = usePage(
    '/api/v1/terminal/sessions/',
    { is_finished: 0, limit: 4, offset: 0, order: '-date_start' },
    'terminal.view_session',
    every,
  )
  if (!can('terminal.view_session')) return null
  const rows = read.data?.results ?? []
  return (
    <Card
      title={t('liveNow')}
      note={read.data && number(read.data.count)}
      keeps={{ name: 'live-now', full: !read.isLoading }}
      link={{ to: pathOf('SessionList'), label: t('allSessions') }}
    >
      {rows.map((row) => (
        <a className="row" key={row.id} href={`#${pathOf('SessionDetail', row.id)}`}>
          <span className="clip grow">
            <b>{nameParts(row.user).name}</b>{' '}
            <span className="mono muted">
              {nameParts(row.account).inner}@{nameParts(row.asset).name}
            </span>
          </span>
          <span className="muted small">
            {duration(Date.now() - (timestampOf(row.date_start)?.getTime() ?? Date.now()))}
          </span>
        </a>
      ))}
      {read.isSuccess && rows.length === 0 && <p className="in-card muted">{t('sessionsOnlineEmpty')}</p>}
    </Card>
  )
}
