import { pathOf } from '@castellan/contract/routes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ruleAction, ruleCells } from '../../domain/acls/rule-cells.tsx'
import { AccessButton } from '../../domain/perms/AccessButton.tsx'
import { permissionCells, permissionState } from '../../domain/perms/permission-cells.tsx'
import { call } from '../../kit/api/client.ts'
import { Avatar, Connectivity } from '../../kit/cells.tsx'
import { confirm } from '../../kit/confirm.ts'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { RelationCard } from '../../kit/detail/RelationCard.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { inside } from '../../kit/list/spec.ts'
import { at, type Row, rawOf, wordOf, wordsOf } from '../../kit/row.ts'
import { can, session } from '../../kit/session.ts'
import { Badge } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireRow } from '../../kit/wire.ts'
import { sendsMail } from './mail.ts'
import { mayChange, url } from './users.tsx'

const relations = '/api/v1/users/users-groups-relations/'

function sure(title: string, text: string, run: () => Promise<unknown>): void {
  confirm({
    title,
    text,
    verb: title,
    run: async () => {
      await run()
      toast.ok(t('done'))
    },
  })
}

/** Whether email is configured; no hint until loaded. */
const useMail = (): boolean => useQuery({ queryKey: ['sends-mail'], queryFn: sendsMail }).data ?? true

/** The identities at providers to which a user is bound; asked only where there may be some. */
function useIdentities({ id, source }: WireRow<typeof url>): string {
  const { data = [] } = useQuery({
    queryKey: ['provider-identity', id],
    queryFn: () => call<{ provider: string; subject: string }[]>(`${url}${id}/provider-identity/`),
    enabled: rawOf(source) !== 'local',
  })
  return data.flatMap(({ provider, subject }) => (subject ? [`${provider}: ${subject}`] : [])).join(', ')
}

function Actions({ row, reload }: DetailContext<WireRow<typeof url>>) {
  const mail = useMail()
  const identities = useIdentities(row)
  const queries = useQueryClient()
  const locked = can('users.change_user') && mayChange(row) ? false : t('noRight')
  const name = wordOf(row.name)
  const change = (body: unknown) => call(`${url}${row.id}/`, { method: 'PATCH', body }).then(reload)
  return (
    <QuickActions
      actions={[
        {
          key: 'active',
          title: t('userActive'),
          help: t('userActiveHelp'),
          on: row.is_active === true,
          disabled: locked,
          run: () => change({ is_active: !row.is_active }),
        },
        {
          key: 'mfa',
          title: t('resetMfa'),
          help: t('resetMfaHelp'),
          verb: t('reset'),
          disabled: locked || (row.id === session().profile.id && t('notForYourself')),
          run: () =>
            sure(t('resetMfa'), t('resetMfaText', { name }), () => call(`${url}${row.id}/mfa/reset/`).then(reload)),
        },
        {
          key: 'password',
          title: t('resetPassword'),
          help: t('resetPasswordHelp'),
          verb: t('send'),
          disabled: locked || (rawOf(row.source) !== 'local' && t('notLocal')) || (!mail && t('noMail')),
          run: () =>
            sure(t('resetPassword'), t('resetPasswordText', { name }), () =>
              call(`${url}${row.id}/password/reset/`, { method: 'PATCH', body: {} }),
            ),
        },
        {
          key: 'key',
          title: t('resetKey'),
          help: t('resetKeyHelp'),
          verb: t('send'),
          disabled: locked,
          run: () =>
            sure(t('resetKey'), t('resetKeyText', { name }), () =>
              call(`${url}${row.id}/pubkey/reset/`, { method: 'PATCH', body: {} }),
            ),
        },
        {
          key: 'unbind',
          title: t('unbindProvider'),
          help: t('unbindProviderHelp', { identities }),
          verb: t('unbind'),
          visible: identities !== '',
          disabled: locked,
          run: () =>
            sure(t('unbindProvider'), t('unbindProviderText', { name }), async () => {
              await call(`${url}${row.id}/provider-identity/unbind/`, { method: 'PATCH', body: {} })
              await queries.invalidateQueries({ queryKey: ['provider-identity', row.id] })
            }),
        },
        {
          key: 'unblock',
          title: t('unblock'),
          help: t('unblockHelp'),
          verb: t('unblock'),
          visible: row.login_blocked === true,
          disabled: locked,
          run: async () => {
            await call(`${url}${row.id}/unblock/`, { method: 'PATCH', body: {} })
            toast.ok(t('done'))
            reload()
          },
        },
      ]}
    />
  )
}

function Groups({ row, reload }: DetailContext<WireRow<typeof url>>) {
  return (
    <RelationCard
      title={t('groups')}
      source={{ url: '/api/v1/users/groups/?fields_size=mini&order=name' }}
      members={(row.groups ?? []) as Row[]}
      disabled={!can('users.change_user')}
      add={(ids) => call(relations, { method: 'POST', body: ids.map((usergroup) => ({ usergroup, user: row.id })) })}
      remove={(usergroup) => call(relations, { method: 'DELETE', query: { user: row.id, usergroup } })}
      onChanged={reload}
    />
  )
}

export const detail: DetailSpec<WireRow<typeof url>> = {
  url,
  path: pathOf('UserList'),
  resource: 'users.user',
  noun: 'user',
  factsTab: 'UserInfo',
  icon: (row) => <Avatar name={wordOf(row.name)} big />,
  badge: (row) =>
    row.login_blocked ? (
      <Badge is="danger">{t('userLocked')}</Badge>
    ) : row.is_active === false ? (
      <Badge is="idle">{t('userInactive')}</Badge>
    ) : row.is_expired ? (
      <Badge is="warning">{t('userExpired')}</Badge>
    ) : null,
  under: (row) => [row.username, row.email].filter(Boolean).join(' · '),
  update: { visible: mayChange },
  remove: { visible: (row) => mayChange(row) && row.username !== 'admin' },
  headActions: ({ row }) => <AccessButton user={row} />,
  facts: [
    'name',
    { name: 'username', mono: true },
    'email',
    {
      name: 'phone',
      render: (row) => (row.phone ? `${at(row, 'phone.code') ?? ''} ${at(row, 'phone.phone') ?? ''}` : undefined),
    },
    {
      name: 'org_roles',
      render: (row) => [...wordsOf(row.org_roles), ...wordsOf(row.system_roles)].join(', '),
      label: 'roles',
    },
    'mfa_level',
    'source',
    'created_by',
    'date_joined',
    'date_expired',
    'date_password_last_updated',
    'last_login',
    'comment',
    { name: 'id', mono: true },
  ],
  sections: (context) => (
    <div className="columns-2">
      <Actions {...context} />
      <Groups {...context} />
    </div>
  ),
  tabs: [
    {
      key: 'UserGrantedAssets',
      title: 'grantedAssets',
      permission: 'perms.view_userassets',
      render: ({ row }) => (
        <ListView
          spec={{
            id: 'UserGrantedAssets',
            url: `/api/v1/perms/users/${row.id}/assets/?all=1`,
            resource: 'assets.asset',
            noun: 'asset',
            texts: { empty: 'userAssetsEmpty' },
            columns: {
              shown: ['name', 'address', 'platform', 'connectivity'],
              cells: {
                address: { mono: true },
                connectivity: { render: (asset) => <Connectivity value={asset.connectivity} /> },
              },
            },
            row: { link: (asset) => (can('assets.view_asset') ? pathOf('AssetDetail', asset.id) : undefined) },
            ...inside,
          }}
        />
      ),
    },
    {
      key: 'UserAssetPermissionRules',
      title: 'assetPermissions',
      permission: 'perms.view_assetpermission',
      render: ({ row }) => (
        <ListView<WireRow<'/api/v1/perms/asset-permissions/'>>
          spec={{
            id: 'UserAssetPermissionRules',
            url: `/api/v1/perms/asset-permissions/?user_id=${row.id}`,
            path: pathOf('AssetPermissionList'),
            resource: 'perms.assetpermission',
            noun: 'assetPermission',
            texts: { empty: 'userPermissionsEmpty' },
            columns: {
              shown: ['name', 'users', 'user_groups', 'assets', 'nodes', 'accounts', 'is_valid'],
              cells: permissionCells(),
            },
            card: { badge: permissionState },
            search: { inAddress: false },
            bulk: false,
            actions: { clone: false, remove: false },
            files: { import: false, export: false },
          }}
        />
      ),
    },
    {
      key: 'UserLoginAcl',
      title: 'loginRules',
      permission: 'acls.view_loginacl',
      render: ({ row }) => (
        <ListView<WireRow<'/api/v1/acls/login-acls/'>>
          spec={{
            id: 'UserLoginAcl',
            url: `/api/v1/acls/login-acls/?users=${row.id}`,
            path: pathOf('UserLoginAclList'),
            resource: 'acls.loginacl',
            noun: 'loginRule',
            texts: { empty: 'userLoginRulesEmpty' },
            columns: {
              shown: ['name', 'priority', 'is_active', 'action', 'comment'],
              fixed: ['name'],
              exclude: ['users', 'rules'],
              cells: ruleCells,
            },
            card: { badge: ruleAction },
            search: { inAddress: false },
            bulk: false,
            actions: { create: { label: 'loginRuleCreate' }, clone: false },
            files: { import: false, export: false },
          }}
        />
      ),
    },
  ],
}
