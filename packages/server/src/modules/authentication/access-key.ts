import { errors } from '@castellan/contract/messages/errors'
import { isAddressPattern } from '../../db/addresses.ts'
import { reject } from '../../kernel/errors.ts'
import { boolean, datetime, nullableDatetime, one, secret, stringList } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

export const accessKey = defineResource({
  app: 'authentication',
  name: 'accesskey',
  path: 'access-keys',
  scope: 'global',
  bulk: false,
  fields: {
    ip_group: stringList({
      max: 1024,
      default: ['*'],
      item: (value) => (isAddressPattern(value) ? value : reject(errors.not_an_ip_group)),
    }),
    is_active: boolean({ default: true }),
    date_created: datetime({ readOnly: true }),
    date_last_used: nullableDatetime({ readOnly: true }),
  },
  columns: {
    user: one('users.user', { onDelete: 'cascade', anyOrg: true }),
    secret: secret(),
  },
  idWritable: false,
  visible: (ctx, query) => query.where('t.user_id', '=', ctx.caller?.id ?? ''),
})
