import { pathOf } from '@castellan/contract/routes'
import { useQueryClient } from '@tanstack/react-query'
import { userSource } from '../../domain/acls/rule-attributes.ts'
import { call } from '../../kit/api/client.ts'
import { Avatar } from '../../kit/cells.tsx'
import { confirm } from '../../kit/confirm.ts'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { RelationCard } from '../../kit/detail/RelationCard.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { inside } from '../../kit/list/spec.ts'
import { wordOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireRow } from '../../kit/wire.ts'
import { url } from './groups.tsx'
import { url as usersUrl } from './users.tsx'

const relations = '/api/v1/users/users-groups-relations/'

function Members({ row, reload }: DetailContext<WireRow<typeof url>>) {
  const client = useQueryClient()
  const members = `${usersUrl}?group_id=${row.id}`
  const again = () => {
    reload()
    void client.invalidateQueries({ queryKey: ['list', members] })
  }
  const may = can('users.change_usergroup') && !inRoot()
  return (
    <>
      <div className="columns-2">
        <RelationCard
          title={t('addMembers')}
          source={{ ...userSource, url: `${userSource.url}&order=name&exclude_group_id=${row.id}` }}
          disabled={!may}
          add={(ids) => call(relations, { method: 'POST', body: ids.map((user) => ({ user, usergroup: row.id })) })}
          onChanged={again}
        />
        <QuickActions
          actions={[
            {
              key: 'all',
              title: t('addEverybody'),
              help: t('addEverybodyHelp'),
              verb: t('add'),
              visible: may && can('users.add_usergroup'),
              run: () =>
                confirm({
                  title: t('addEverybody'),
                  text: t('addEverybodyText', { name: wordOf(row.name) }),
                  verb: t('add'),
                  run: async () => {
                    await call(`${url}${row.id}/add-all-users/`, { method: 'POST' })
                    again()
                  },
                }),
            },
          ]}
        />
      </div>
      <ListView<WireRow<typeof usersUrl>>
        spec={{
          id: 'GroupUser',
          url: members,
          resource: 'users.user',
          noun: 'user',
          texts: { empty: 'membersEmpty' },
          columns: { shown: ['name', 'email', 'is_valid'] },
          row: {
            icon: (user) => <Avatar name={wordOf(user.name)} />,
            secondary: 'username',
            link: (user) => (can('users.view_user') ? pathOf('UserDetail', user.id) : undefined),
          },
          ...inside,
          actions: {
            ...inside.actions,
            row: [
              {
                key: 'remove',
                label: () => t('removeFromGroup'),
                danger: true,
                visible: () => may,
                run: async (user) => {
                  await call(relations, { method: 'DELETE', query: { usergroup: row.id, user: user.id } })
                  toast.ok(t('removed'))
                  again()
                },
              },
            ],
          },
        }}
      />
    </>
  )
}

export const detail: DetailSpec<WireRow<typeof url>> = {
  url,
  path: pathOf('UserGroupList'),
  resource: 'users.usergroup',
  noun: 'group',
  factsTab: 'GroupInfo',
  facts: [
    'name',
    { name: 'users', label: 'members', render: (row) => String((row.users as unknown[] | undefined)?.length ?? 0) },
    'created_by',
    'date_created',
    'comment',
    { name: 'id', mono: true },
  ],
  tabs: [{ key: 'GroupUser', title: 'members', render: (context) => <Members {...context} /> }],
}
