import { batches } from '../../db/batches.ts'
import type { StoredRow } from '../../kernel/fields/field.ts'
import { boolean, booleanOf, computed, datetime, nullableDatetime, one, text, uuid } from '../../kernel/fields/index.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import type { Context } from '../../kernel/module/context.ts'
import { fieldsInfo } from '../../kernel/resource/metadata.ts'
import { defineResource } from '../../kernel/resource/resource.ts'

const timestamp = (ctx: Context, value: unknown) => formatTimestamp(Number(value), ctx.zone)

async function contentsOf(ctx: Context, rows: readonly { content_id: string }[]): Promise<Map<string, StoredRow>> {
  const ids = [...new Set(rows.map((row) => row.content_id))]
  const found = new Map<string, StoredRow>()
  for (const some of batches(ids)) {
    const contents = await ctx.rawDb
      .selectFrom('notifications_messagecontent as c')
      .leftJoin('users_user as u', 'u.id', 'c.sender_id')
      .select(['c.id', 'c.subject', 'c.message', 'c.date_created', 'c.date_updated', 'u.name', 'u.username'])
      .where('c.id', 'in', some)
      .execute()
    for (const { name, username, date_created, date_updated, ...content } of contents)
      found.set(content.id, {
        ...content,
        date_created: timestamp(ctx, date_created),
        date_updated: timestamp(ctx, date_updated),
        sender: name ? `${name}(${username})` : '',
      })
  }
  return found
}

const content = {
  id: text(),
  subject: text({ max: 1024, required: true }),
  message: text({ required: true }),
  sender: computed('field', {}),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

/** A message in the inbox of one user. */
export const siteMessage = defineResource({
  app: 'notifications',
  name: 'sitemessage',
  path: 'site-messages',
  scope: 'global',
  unlogged: true,
  verbs: ['list', 'retrieve'],
  requires: { list: 'valid', retrieve: 'valid' },
  imports: 'valid',
  bulk: false,
  wholeRows: true,
  fields: {
    has_read: { ...boolean({ readOnly: true }), type: 'field' },
    // The contract formats this one timestamp differently.
    read_at: {
      ...nullableDatetime({ readOnly: true }),
      type: 'field',
      wire: (value) => (typeof value === 'number' ? new Date(value).toISOString() : null),
    },
    content: computed('nested object', {
      meta: (ctx) => ({ children: fieldsInfo(ctx, 'notifications', content) }),
      load: async (ctx, rows: readonly { content_id: string }[]) => {
        const contents = await contentsOf(ctx, rows)
        return (row: { content_id: string }) => contents.get(row.content_id) ?? null
      },
    }),
    date_created: datetime({ readOnly: true }),
  },
  columns: {
    user: one('users.user', { onDelete: 'cascade', anyOrg: true }),
    content_id: uuid({ nullable: false }),
  },
  indexes: [['user_id', 'has_read'], ['user_id', 'date_created'], ['content_id']],
  defaultOrder: ['-date_created'],
  visible: (ctx, query) => query.where('t.user_id', '=', ctx.caller?.id ?? ''),
  filters: {
    has_read: (_ctx, query, value) => {
      const truth = booleanOf(value)
      return truth === undefined ? query : query.where('t.has_read', '=', truth)
    },
  },
})
