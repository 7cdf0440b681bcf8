import { computed, one } from '../../kernel/fields/index.ts'
import { recordLinks } from '../../kernel/resource/changes.ts'
import { defineResource, findResource } from '../../kernel/resource/resource.ts'

const plainId = (row: { id: string }) => row.id

const display = (table: string, column: string) =>
  computed('string', {
    load: async (ctx, rows) => {
      const ids = [...new Set(rows.map((row) => row[column]))]
      const found = await ctx.acrossOrganizations
        .selectFrom(table)
        .select(['id', 'name'])
        .where('id', 'in', ids)
        .execute()
      const names = new Map(found.map((row) => [row.id, row.name]))
      return (row) => names.get(row[column]) ?? ''
    },
  })

/** Group memberships as a list: the rows behind `users` of a group and `groups` of a user. */
export const userGroupRelation = defineResource({
  app: 'users',
  name: 'usergrouprelation',
  path: 'users-groups-relations',
  table: 'users_user_groups',
  scope: 'global',
  serialId: true,
  bare: true,
  permission: 'usergroup',
  wholeRows: true,
  fields: {
    user: { ...one('users.user', { required: true, onDelete: 'cascade', show: plainId, filter: true }), type: 'field' },
    user_display: display('users_user', 'user_id'),
    usergroup: {
      ...one('users.usergroup', { required: true, onDelete: 'cascade', show: plainId, filter: true }),
      type: 'field',
    },
    usergroup_display: display('users_usergroup', 'usergroup_id'),
  },
  unique: [['user_id', 'usergroup_id']],
  indexes: [['usergroup_id']],
  conflictsUnder: 'non_field_errors',
  bulkDelete: 'one',
  search: ['user', 'usergroup'],
  visible: (ctx, query) =>
    ctx.isRootOrg
      ? query
      : query.where((eb) =>
          eb('t.usergroup_id', 'in', eb.selectFrom('users_usergroup').select('id').where('org_id', '=', ctx.orgId)),
        ),
  // The change is logged for the group.
  hooks: {
    afterSave: (ctx, changes) =>
      recordLinks(
        ctx,
        findResource('users.usergroup'),
        'users',
        changes.map(({ row }) => ({ id: row.usergroup_id, linked: row.user_id })),
        'added',
      ),
    afterDelete: (ctx, rows) =>
      recordLinks(
        ctx,
        findResource('users.usergroup'),
        'users',
        rows.map((row) => ({ id: row.usergroup_id, linked: row.user_id })),
        'removed',
      ),
  },
})
