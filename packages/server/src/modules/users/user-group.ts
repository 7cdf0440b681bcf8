import { errors } from '@castellan/contract/messages/errors'
import { badRequest, text as say } from '../../kernel/errors.ts'
import { datetime, longText, many, nullableText, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'
import { Reply } from '../../kernel/route.ts'
import { addAllMembers } from './group-members.ts'

export const userGroup = defineResource({
  app: 'users',
  name: 'usergroup',
  path: 'groups',
  scope: 'org',
  fields: {
    name: text({ max: 128, required: true, filter: true }),
    comment: longText(),
    created_by: nullableText({ readOnly: true }),
    // Components stand in the Default group too; nobody is shown them among people.
    users: many('users.user', {
      through: 'users_user_groups',
      from: 'usergroup_id',
      to: 'user_id',
      shownInOrg: true,
    }),
    date_created: datetime({ readOnly: true }),
  },
  unique: [['org_id', 'name']],
  mini: ['id', 'name'],
  search: ['name'],
  defaultOrder: ['name'],
  // The root organization cannot be written to.
  guard(ctx, _row, verb) {
    if (verb !== 'retrieve' && ctx.caller && ctx.isRootOrg) throw badRequest(say(errors.no_organization))
  },
  actions: [
    {
      path: 'add-all-users',
      methods: ['POST'],
      detail: true,
      requires: 'users.add_usergroup',
      summary: 'Put every member of the organization into the group',
      withoutBody: true,
      handle: async ({ ctx, row }) => {
        await addAllMembers(ctx, row.id)
        return new Reply(200)
      },
    },
  ],
})
