import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { CirclePlay, Download, Eye, OctagonX, Pause, Play } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { AccountOf, Avatar, innerOf, Named, Time } from '../../kit/cells.tsx'
import { TabbedListPage } from '../../kit/list/ListPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { firstTab } from '../../kit/page.tsx'
import { nameParts, number, type Page } from '../../kit/row.ts'
import type { ScreenModule } from '../../kit/screen.ts'
import { can } from '../../kit/session.ts'
import { Dot, Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import {
  downloadAddress,
  lengthOf,
  mayLock,
  mayReplay,
  mayTerminate,
  mayWatch,
  nameOf,
  online,
  path,
  replayAddress,
  type SessionRow,
  terminate,
  toggleLock,
  url,
  watchAddress,
} from './session.tsx'

/** Polling interval of running sessions in milliseconds. */
const every = 5000

function state(row: SessionRow) {
  if (!online(row)) return row.is_success === false ? <Status is="danger">{t('failed')}</Status> : null
  if (row.is_locked) return <Status is="warning">{t('paused')}</Status>
  return (
    <Dot is="ok" live>
      {t('online')}
    </Dot>
  )
}

function asset(row: SessionRow) {
  const to = can('assets.view_asset') && row.asset_id ? pathOf('AssetDetail', String(row.asset_id)) : undefined
  return <Named of={row.asset} href={to} />
}

const listOf = (finished: boolean): ListSpec<SessionRow> => ({
  id: finished ? 'SessionList-offline' : 'SessionList-online',
  url,
  path,
  data: { query: { is_finished: finished ? 1 : 0 }, order: '-date_start', pollMs: finished ? undefined : every },
  resource: 'terminal.session',
  noun: 'session',
  texts: { empty: finished ? 'sessionsEmpty' : 'sessionsOnlineEmpty' },
  search: { dateRange: true, exclude: ['is_finished'] },
  card: {
    time: 'date_start',
    badge: state,
    subtitle: (row) => `${nameParts(row.account).inner}@${nameParts(row.asset).name}`,
  },
  row: {
    nameColumn: 'user',
    title: nameOf,
    link: (row) => `${path}/${row.id}`,
    icon: (row) => <Avatar name={nameParts(row.user).name} />,
    secondary: (row) => innerOf(row.user),
  },
  columns: {
    shown: [
      'user',
      'asset',
      'account',
      'protocol',
      'remote_addr',
      'command_amount',
      'date_start',
      'duration',
      ...(finished ? [] : (['is_locked'] as const)),
    ],
    fixed: ['user'],
    hideFirst: ['protocol', 'command_amount', 'remote_addr', 'duration'],
    extra: ['duration'],
    exclude: ['terminal', 'terminal_display', 'org_id'],
    cells: {
      user: { width: 200, render: (row) => nameParts(row.user).name },
      asset: { width: 200, render: asset },
      account: { mono: true, width: 130, render: (row) => <AccountOf of={row.account} /> },
      protocol: { width: 90 },
      remote_addr: { mono: true, width: 130 },
      command_amount: { align: 'right', width: 110, render: (row) => number(Number(row.command_amount ?? 0)) },
      date_start: { width: 130, render: (row) => <Time value={row.date_start} /> },
      duration: { label: t('duration'), width: 100, render: lengthOf },
      is_locked: { label: t('status'), width: 120, render: (row) => state(row) },
    },
  },
  actions: {
    row: [
      {
        key: 'watch',
        label: () => t('watch'),
        icon: <Eye size={14} />,
        primary: true,
        alwaysVisible: true,
        visible: (row) => online(row) && mayWatch(row),
        href: watchAddress,
      },
      {
        key: 'replay',
        label: () => t('replay'),
        icon: <CirclePlay size={14} />,
        primary: true,
        visible: mayReplay,
        href: replayAddress,
      },
      {
        key: 'download',
        label: () => t('replayDownload'),
        icon: <Download size={14} />,
        visible: (row) => row.can_replay === true && can('terminal.download_sessionreplay'),
        href: downloadAddress,
      },
      {
        key: 'pause',
        label: () => t('pause'),
        icon: <Pause size={14} />,
        visible: (row) => mayLock(row) && !row.is_locked,
        run: (row, acting) => toggleLock(row, acting.reload),
      },
      {
        key: 'resume',
        label: () => t('resume'),
        icon: <Play size={14} />,
        visible: (row) => mayLock(row) && row.is_locked === true,
        run: (row, acting) => toggleLock(row, acting.reload),
      },
      {
        key: 'terminate',
        label: () => t('terminate'),
        icon: <OctagonX size={14} />,
        danger: true,
        visible: mayTerminate,
        run: (row, acting) => terminate(row, acting.reload),
      },
    ],
    update: false,
    clone: false,
    remove: false,
  },
  bulk: finished ? {} : false,
  files: { import: false },
})

const lists = [
  { key: 'OnlineList', finished: false },
  { key: 'OfflineList', finished: true },
] as const

export const ask: ScreenModule['ask'] = (client, address) => {
  const { finished } = firstTab(lists, address) ?? lists[0]
  askAhead(client, listOf(finished), address)
}

/** Running and ended sessions. */
export default function Sessions() {
  const running = useQuery({
    queryKey: ['list', url, 'running', ...audience()],
    queryFn: () => call<Page>(url, { query: { is_finished: 0, limit: 1, offset: 0 }, quiet: true }),
    refetchInterval: every,
  })
  return (
    <TabbedListPage
      tabs={[
        {
          key: 'OnlineList',
          title: 'sessionsOnline',
          count: running.data?.count,
          render: () => <ListView spec={listOf(false)} />,
        },
        { key: 'OfflineList', title: 'sessionsEnded', render: () => <ListView spec={listOf(true)} /> },
      ]}
    />
  )
}
