import { errors } from '@castellan/contract/messages/errors'
import { datetime, longText, many, nullableText, text } from '../../kernel/fields/index.ts'
import { Reply } from '../../kernel/http/route.ts'
import { badRequest, text as say } from '../../kernel/module/errors.ts'
import { defineResource } from '../../kernel/resource/resource.ts'
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
    // Components are in the Default group too, but are not shown among its users.
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
  // The root organization is read-only.
  guard(ctx, _row, verb) {
    if (verb !== 'retrieve' && ctx.caller && ctx.isRootOrg) throw badRequest(say(errors.no_organization))
  },
  actions: [
    {
      path: 'add-all-users',
      methods: ['POST'],
      detail: true,
      requires: 'users.add_usergroup',
      summary: 'Add every member of the organization to the group',
      withoutBody: true,
      handle: async ({ ctx, row }) => {
        await addAllMembers(ctx, row.id)
        return new Reply(200)
      },
    },
  ],
})
