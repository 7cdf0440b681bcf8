import { pathOf } from '@castellan/contract/routes'
import { LogOut } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { Avatar } from '../../kit/cells.tsx'
import { confirm } from '../../kit/confirm.ts'
import type { Acting, ListSpec } from '../../kit/list/spec.ts'
import { at, number, type Row, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Dot } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { clientOf } from './user-agent.ts'

const url = '/api/v1/audits/user-sessions/'

/** Ends sign-in sessions. The server skips the user's own. */
const signOut = ({ rows, reload, clear }: Acting) =>
  confirm({
    title: t('forceSignOut'),
    text: t('forceSignOutText', {
      count: number(rows.length),
      names: [...new Set(rows.map((row) => wordOf(row.user)))].join(', '),
    }),
    verb: t('forceSignOut'),
    danger: true,
    run: async () => {
      await call(`${url}offline/`, { method: 'POST', body: { ids: rows.map((row) => row.id) } })
      toast.ok(t('done'))
      clear()
      reload()
    },
  })

/** The reader of this list has a page open, even before the page's socket is counted. */
const presence = (row: Row) =>
  row.is_active || row.is_current_user_session ? (
    <Dot is="ok">{t('pageOpen')}</Dot>
  ) : (
    <Dot is="idle">{t('pageAway')}</Dot>
  )

export const list: ListSpec = {
  id: 'OnlineSession',
  url,
  resource: 'audits.usersession',
  noun: 'signIn',
  texts: { help: 'onlineUsersHelp' },
  row: {
    nameColumn: 'user_display',
    title: (row) => wordOf(row.user),
    icon: (row) => <Avatar name={wordOf(row.user)} />,
    link: (row) =>
      can('users.view_user') && at(row, 'user.id') ? pathOf('UserDetail', String(at(row, 'user.id'))) : undefined,
  },
  columns: {
    extra: ['user_display'],
    shown: ['user_display', 'is_active', 'backend_display', 'ip', 'city', 'user_agent', 'date_created'],
    fixed: ['user_display'],
    hideFirst: ['user_agent', 'city', 'is_active'],
    exclude: ['backend', 'user', 'is_current_user_session', 'type'],
    cells: {
      user_display: {
        label: t('person'),
        width: 220,
        render: (row) => wordOf(row.user) + (row.is_current_user_session ? ` (${t('you')})` : ''),
      },
      is_active: { label: t('status'), width: 120, render: presence },
      ip: { mono: true, width: 130 },
      date_created: { label: t('signedInAt') },
      user_agent: {
        width: 200,
        render: (row) => (
          <span className="clip" data-full={wordOf(row.user_agent)}>
            {clientOf(wordOf(row.user_agent))}
          </span>
        ),
      },
    },
  },
  card: { badge: presence },
  actions: {
    update: false,
    clone: false,
    remove: false,
    row: [
      {
        key: 'offline',
        label: () => t('forceSignOut'),
        icon: <LogOut size={14} />,
        danger: true,
        visible: () => can('audits.offline_usersession'),
        disabledReason: (row) => (row.is_current_user_session ? t('notForYourself') : undefined),
        run: (_row, acting) => signOut(acting),
      },
    ],
  },
  files: { import: false, export: false },
  bulk: {
    get actions() {
      return [
        {
          key: 'offline',
          label: t('forceSignOut'),
          danger: true,
          visible: can('audits.offline_usersession'),
          run: signOut,
        },
      ]
    },
  },
}
