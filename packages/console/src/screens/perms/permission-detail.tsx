import { pathOf } from '@castellan/contract/routes'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { AccountTable } from '../../domain/accounts/AccountTable.tsx'
import { assetSource, userSource } from '../../domain/acls/rule-attributes.ts'
import { AccessButton } from '../../domain/perms/AccessButton.tsx'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { innerOf, Words } from '../../kit/cells.tsx'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { RelationCard } from '../../kit/detail/RelationCard.tsx'
import type { Source } from '../../kit/form/spec.ts'
import { same } from '../../kit/form/values.ts'
import AccountNames from '../../kit/form/widgets/AccountNames.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { inside } from '../../kit/list/spec.ts'
import { nameParts, number, type Row, wordsOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { Badge } from '../../kit/status.tsx'
import { type TextKey, t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireRow } from '../../kit/wire.ts'
import { path, url } from './permission.ts'

const may = () => can('perms.change_assetpermission')

/** Direct members, as separate relations. */
function Relation({
  context,
  kind,
  title,
  source,
}: {
  context: DetailContext
  kind: 'user' | 'usergroup' | 'asset' | 'node'
  title: TextKey
  source: Source
}) {
  const { row, reload } = context
  const client = useQueryClient()
  const field = { user: 'users', usergroup: 'user_groups', asset: 'assets', node: 'nodes' }[kind]
  const path = { user: 'users', usergroup: 'user-groups', asset: 'assets', node: 'nodes' }[kind]
  const relations = `/api/v1/perms/asset-permissions-${path}-relations/`
  return (
    <RelationCard
      title={t(title)}
      source={source}
      members={(row[field] ?? []) as Row[]}
      disabled={!may()}
      add={(ids) =>
        call(relations, { method: 'POST', body: ids.map((id) => ({ [kind]: id, assetpermission: row.id })) })
      }
      remove={(id) => call(relations, { method: 'DELETE', query: { assetpermission: row.id, [kind]: id } })}
      onChanged={() => {
        reload()
        void client.invalidateQueries({ queryKey: ['list'] })
      }}
    />
  )
}

function everybody(row: Row, what: 'users' | 'assets') {
  const noun = what === 'users' ? 'user' : 'asset'
  const column = `${noun}_display`
  const seen = can(`${what}.view_${noun}`)
  return (
    <>
      <div className="section-head">
        <h2>{t(what === 'users' ? 'permissionEverybody' : 'permissionEverything')}</h2>
      </div>
      <ListView
        spec={{
          id: `AssetPermission-${what}`,
          url: `${url}${row.id}/${what}/all/`,
          resource: 'perms.assetpermission',
          noun,
          texts: { empty: what === 'users' ? 'permissionUsersEmpty' : 'permissionAssetsEmpty' },
          row: {
            nameColumn: column,
            secondary: (one) => innerOf(one[column]),
            link: (one) =>
              seen ? pathOf(what === 'users' ? 'UserDetail' : 'AssetDetail', String(one[noun])) : undefined,
          },
          columns: {
            only: [column],
            extra: [column],
            shown: [column],
            cells: {
              [column]: { label: t(what), width: 420, render: (one: Row) => nameParts(one[column]).name || '–' },
            },
          },
          ...inside,
        }}
      />
    </>
  )
}

function Accounts({ row, reload, fields }: DetailContext<WireRow<typeof url>>) {
  const [accounts, setAccounts] = useState<unknown>(row.accounts)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    if (await attempt(() => call(`${url}${row.id}/`, { method: 'PATCH', body: { accounts } }))) {
      toast.ok(t('saved'))
      reload()
    }
    setBusy(false)
  }
  const field = {
    values: row,
    context: { query: new URLSearchParams() },
    field: {},
    info: fields.accounts ?? { type: 'list' },
    invalid: false,
  }
  return (
    <>
      <div className="panel-form gap-below">
        <AccountNames
          {...field}
          id="permission-accounts"
          value={accounts}
          onChange={setAccounts}
          disabled={!may() || inRoot()}
        />
        <Button
          className="gap-above"
          loading={busy}
          disabled={!may() || inRoot() || same(accounts, row.accounts)}
          onClick={() => void save()}
        >
          {t('save')}
        </Button>
      </div>
      <AccountTable url={`${url}${row.id}/accounts/`} readOnly />
    </>
  )
}

const count = <F extends string>(name: F) => ({
  name,
  render: (row: Row) => number(((row[name] ?? []) as unknown[]).length),
})

export const detail: DetailSpec<WireRow<typeof url>> = {
  url,
  path,
  resource: 'perms.assetpermission',
  noun: 'assetPermission',
  factsTab: 'AssetPermissionDetail',
  badge: (row) =>
    row.is_valid === false ? (
      <Badge is="warning">{t('permissionEnded')}</Badge>
    ) : (
      <Badge is="ok">{t('permissionValid')}</Badge>
    ),
  facts: [
    'name',
    count('users'),
    count('user_groups'),
    count('assets'),
    count('nodes'),
    { name: 'actions', render: (row) => <Words of={wordsOf(row.actions)} most={8} /> },
    'date_start',
    'date_expired',
    'date_created',
    'created_by',
    'comment',
    { name: 'id', mono: true },
  ],
  headActions: () => <AccessButton />,
  sections: ({ row, reload }) => (
    <QuickActions
      actions={[
        {
          key: 'active',
          title: t('permissionActive'),
          help: t('permissionActiveHelp'),
          on: row.is_active === true,
          disabled: !may() && t('noRight'),
          run: () => call(`${url}${row.id}/`, { method: 'PATCH', body: { is_active: !row.is_active } }).then(reload),
        },
      ]}
    />
  ),
  tabs: [
    {
      key: 'AssetPermissionUser',
      title: 'permissionWho',
      permission: ['users.view_user', 'perms.change_assetpermission'],
      render: (context) => (
        <>
          <div className="columns-2">
            <Relation
              context={context}
              kind="user"
              title="users"
              source={{ ...userSource, url: `${userSource.url}&order=name` }}
            />
            <Relation context={context} kind="usergroup" title="groups" source={{ url: '/api/v1/users/groups/' }} />
          </div>
          {everybody(context.row, 'users')}
        </>
      ),
    },
    {
      key: 'AssetPermissionAsset',
      title: 'permissionWhat',
      permission: ['assets.view_asset', 'perms.change_assetpermission'],
      render: (context) => (
        <>
          <div className="columns-2">
            <Relation context={context} kind="asset" title="assets" source={assetSource} />
            <Relation
              context={context}
              kind="node"
              title="nodes"
              source={{ url: '/api/v1/assets/nodes/', label: (row) => String(row.full_value ?? row.name) }}
            />
          </div>
          {everybody(context.row, 'assets')}
        </>
      ),
    },
    {
      key: 'AssetPermissionAccount',
      title: 'accounts',
      permission: ['accounts.view_account', 'perms.change_assetpermission'],
      render: (context) => <Accounts {...context} />,
    },
  ],
}
