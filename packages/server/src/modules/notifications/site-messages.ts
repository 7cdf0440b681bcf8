import { batches } from '../../db/batches.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import type { Context } from '../../kernel/module/context.ts'
import { newRowId } from '../../kernel/resource/row-id.ts'

/** Site messages were delivered to these users. */
export const siteMessagesSent = defineEvent<{ userIds: readonly string[] }>('notifications.site-messages.sent')

export interface SiteMessage {
  subject: string
  /** HTML; text from users must already be escaped. */
  message: string
  /** The sending user; messages of the system have none. */
  senderId?: string
}

/** Delivers a message to users' inboxes, with the context's transaction. */
export async function sendSiteMessage(ctx: Context, userIds: readonly string[], message: SiteMessage): Promise<void> {
  const receivers = [...new Set(userIds)]
  if (receivers.length === 0) return
  const now = ctx.now
  const content_id = newRowId()
  const audit = { date_created: now, date_updated: now }
  await ctx.rawDb
    .insertInto('notifications_messagecontent')
    .values({
      id: content_id,
      subject: message.subject.slice(0, 1024),
      message: message.message,
      sender_id: message.senderId ?? null,
      ...audit,
    })
    .execute()
  for (const chunk of batches(receivers)) {
    await ctx.rawDb
      .insertInto('notifications_sitemessage')
      .values(
        chunk.map((user_id) => ({
          id: newRowId(),
          content_id,
          user_id,
          has_read: false,
          read_at: null,
          created_by: 'System',
          updated_by: 'System',
          ...audit,
        })),
      )
      .execute()
    await ctx.publish(siteMessagesSent, { userIds: chunk })
  }
}

/** Number of a user's unread messages. */
export async function unreadTotal(ctx: Context, userId: string): Promise<number> {
  const row = await ctx.services.database.reader
    .selectFrom('notifications_sitemessage')
    .select((eb) => eb.fn.countAll().as('total'))
    .where('user_id', '=', userId)
    .where('has_read', '=', false)
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}
