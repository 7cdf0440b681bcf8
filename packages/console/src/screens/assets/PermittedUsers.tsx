/** Users and groups with access to an asset, and the permissions that grant it. */
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { TextDialog } from '../../kit/dialog/TextDialog.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { inside } from '../../kit/list/spec.ts'
import { type Row, rowsIn, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { assetsUrl } from './asset-list.tsx'

/** Someone whose permissions are shown. */
interface Asked {
  name: string
  url: string
}

function Permissions({ name, url, onClose }: Asked & { onClose: () => void }) {
  return (
    <TextDialog title={t('permissionsOf', { name })} width={900} onClose={onClose}>
      <ListView
        spec={{
          id: 'PermissionsOfAsset',
          url,
          resource: 'perms.assetpermission',
          noun: 'assetPermission',
          path: pathOf('AssetPermissionList'),
          columns: {
            shown: ['name', 'is_valid', 'created_by', 'date_created'],
            fixed: ['name'],
            only: [
              'name',
              'user_groups_amount',
              'assets_amount',
              'is_valid',
              'is_active',
              'date_expired',
              'comment',
              'org_name',
              'created_by',
              'date_created',
            ],
          },
          ...inside,
        }}
      />
    </TextDialog>
  )
}

export function PermittedUsers({ asset }: { asset: Row }) {
  const [asked, setAsked] = useState<Asked>()
  const groupsUrl = `${assetsUrl}${asset.id}/perm-user-groups/`
  const groups = useQuery({
    queryKey: ['permitted-groups', asset.id, ...audience()],
    queryFn: () => call<Row[]>(groupsUrl, { quiet: true }),
  })
  const usersUrl = `${assetsUrl}${asset.id}/perm-users/`
  return (
    <>
      <ListView
        spec={{
          id: 'PermUserList',
          url: usersUrl,
          resource: 'users.user',
          noun: 'user',
          texts: { empty: 'permittedPeopleEmpty' },
          columns: { shown: ['name', 'username', 'email', 'source', 'is_valid'], fixed: ['name', 'username'] },
          row: { link: (user) => (can('users.view_user') ? pathOf('UserDetail', user.id) : undefined) },
          ...inside,
          actions: {
            ...inside.actions,
            row: [
              {
                key: 'view',
                label: () => t('permissionsShow'),
                run: (user) => setAsked({ name: wordOf(user.name), url: `${usersUrl}${user.id}/permissions/` }),
              },
            ],
          },
        }}
      />
      {rowsIn(groups.data).length > 0 && (
        <section data-permitted-groups>
          <div className="section-head">
            <h2>{t('permittedGroups')}</h2>
          </div>
          <div className="list-plain">
            {rowsIn(groups.data).map((group) => (
              <div className="row" key={group.id}>
                <span className="clip grow">
                  {can('users.view_usergroup') ? (
                    <a href={`#${pathOf('UserGroupDetail', group.id)}`}>{wordOf(group.name)}</a>
                  ) : (
                    wordOf(group.name)
                  )}
                </span>
                <Button
                  size="small"
                  onClick={() => setAsked({ name: wordOf(group.name), url: `${groupsUrl}${group.id}/permissions/` })}
                >
                  {t('permissionsShow')}
                </Button>
              </div>
            ))}
          </div>
        </section>
      )}
      {asked && <Permissions {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
