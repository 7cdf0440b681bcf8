import { datetime, nullableText, text, uuid } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { insertRow } from '../../kernel/resource/repository.ts'
import { defineResource } from '../../kernel/resource/resource.ts'
import { type PasswordChange, user } from '../users/index.ts'
import { ofMembers } from './members.ts'

/** Password changes: the user, and who changed the password. */
export const passwordChangeLog = defineResource({
  app: 'audits',
  name: 'passwordchangelog',
  path: 'password-change-logs',
  scope: 'global',
  verbs: ['list', 'retrieve'],
  wholeRows: true,
  bare: true,
  unlogged: true,
  fields: {
    user: text({ max: 128, required: true, filter: true }),
    change_by: text({ max: 128, required: true, filter: true }),
    remote_addr: nullableText({ max: 128, filter: true }),
    datetime: datetime({ readOnly: true }),
  },
  columns: { user_id: uuid() },
  indexes: [['datetime', 'id']],
  dateRange: 'datetime',
  defaultOrder: ['-datetime'],
  search: ['user', 'change_by', 'remote_addr'],
  visible: (ctx, query) => ofMembers(ctx, query, 't.user_id', 'id'),
})

export async function recordPasswordChange(ctx: Context, change: PasswordChange): Promise<void> {
  await insertRow(ctx, passwordChangeLog, {
    user: user.displayOf(change.user).slice(0, 128),
    change_by: change.changedBy.slice(0, 128),
    remote_addr: change.ip || '127.0.0.1',
    datetime: ctx.now,
    user_id: change.user.id,
  })
}
