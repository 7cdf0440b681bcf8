import { pathOf } from '@castellan/contract/routes'
import { UserMinus } from 'lucide-react'
import { call, selectionToken, withQuery } from '../../kit/api/client.ts'
import { Avatar } from '../../kit/cells.tsx'
import { activation } from '../../kit/list/activation.ts'
import type { Acting, ListSpec } from '../../kit/list/spec.ts'
import { at, wordOf, wordsOf } from '../../kit/row.ts'
import { can, inRoot, licensed, rights, session } from '../../kit/session.ts'
import { Status, Tick } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireRow } from '../../kit/wire.ts'

export const url = '/api/v1/users/users/'

/** Only system administrators can change system administrators. */
export const mayChange = (row: WireRow<typeof url>): boolean => !row.is_superuser || session().profile.is_superuser

async function leave({ rows, reload, clear }: Acting<WireRow<typeof url>>): Promise<void> {
  const spm = await selectionToken(rows.map((row) => row.id))
  await call(withQuery(`${url}remove/`, { spm }), { method: 'POST' })
  toast.ok(t('removed'))
  clear()
  reload()
}

const inOrganization = () => licensed() && !inRoot()

function state(row: WireRow<typeof url>) {
  if (row.login_blocked) return <Status is="danger">{t('userLocked')}</Status>
  if (row.is_active === false) return <Status is="idle">{t('userInactive')}</Status>
  if (row.is_expired) return <Status is="warning">{t('userExpired')}</Status>
  return null
}

export const list: ListSpec<WireRow<typeof url>> = {
  id: 'UserList',
  url,
  path: pathOf('UserList'),
  resource: 'users.user',
  noun: 'user',
  texts: { empty: 'usersEmpty' },
  columns: {
    shown: ['name', 'email', 'groups', 'system_roles', 'org_roles', 'source', 'is_valid', 'last_login'],
    fixed: ['name'],
    hideFirst: ['source', 'groups', 'email'],
    exclude: [
      'password_strategy',
      'is_otp_secret_key_bound',
      'mfa_enabled',
      'is_superuser',
      'mfa_force_enabled',
      'is_service_account',
      'avatar_url',
    ],
    cells: {
      name: { sortable: true, width: 210 },
      email: { width: 225 },
      groups: { width: 130 },
      last_login: { width: 110 },
      system_roles: { width: 135, render: (row) => wordsOf(row.system_roles).join(', ') || '–' },
      org_roles: { width: 165, render: (row) => wordsOf(row.org_roles).join(', ') || '–' },
      phone: {
        render: (row) => (row.phone ? `${at(row, 'phone.code') ?? ''} ${at(row, 'phone.phone') ?? ''}` : '–'),
        mono: true,
      },
      source: { width: 80 },
      is_valid: {
        width: 130,
        render: (row) => state(row) ?? <Tick yes={row.is_valid === true} word={t('userActive')} />,
      },
    },
  },
  search: {
    filters: [
      { field: 'locked', label: t('userLocked'), choices: [{ value: 'true', label: t('yes') }], editable: false },
    ],
  },
  row: {
    icon: (row) => <Avatar name={wordOf(row.name)} />,
    secondary: { field: 'username', render: (row) => wordOf(row.username).replace(' ', '*') },
  },
  card: { badge: state },
  actions: {
    create: { label: 'userCreate' },
    update: { visible: mayChange },
    remove: { visible: (row) => mayChange(row) && row.username !== 'admin' },
    row: [
      {
        key: 'remove',
        label: () => t('removeFromOrg'),
        icon: <UserMinus size={14} />,
        visible: () => inOrganization() && can('users.remove_user'),
        run: async (row, acting) => {
          await call(`${url}${row.id}/remove/`, { method: 'POST' })
          toast.ok(t('removed'))
          acting.reload()
        },
      },
    ],
  },
  bulk: {
    get actions() {
      return [
        ...activation(url, rights('users.user').change),
        { key: 'remove', label: t('removeFromOrg'), visible: inOrganization() && can('users.remove_user'), run: leave },
      ]
    },
    fields: ['groups', 'date_expired', 'comment'],
    fieldSpecs: { groups: { source: { url: '/api/v1/users/groups/' } } },
  },
}
