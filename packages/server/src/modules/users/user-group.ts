import { datetime, longText, many, nullableText, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

export const userGroup = defineResource({
  app: 'users',
  name: 'usergroup',
  path: 'groups',
  scope: 'org',
  fields: {
    name: text({ max: 128, required: true, search: true, filter: true }),
    comment: longText(),
    created_by: nullableText({ readOnly: true }),
    users: many('users.user', { through: 'users_user_groups', from: 'usergroup_id', to: 'user_id' }),
    date_created: datetime({ readOnly: true }),
  },
  unique: [['org_id', 'name']],
  mini: ['id', 'name'],
  search: ['name'],
  defaultOrder: ['name'],
})
