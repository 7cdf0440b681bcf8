import type { Message, Placeholders } from '@castellan/contract/messages'
import { say } from '@castellan/contract/messages'
import { userMails } from '@castellan/contract/messages/user-mails'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { canMail, loginTitle, type Mail, queueMails } from './mail.ts'
import { sendSiteMessage } from './site-messages.ts'
import { receiveBackendsOf } from './subscriptions.ts'

/** A notification. Placeholder values are escaped here. */
export interface Notice {
  subject: Message
  body: Message
  values?: Placeholders
  /** Absolute URL of a page. */
  link?: string
  /** Replaces the link in mails only: a link equivalent to a password must not be stored in an inbox. */
  mailLink?: string
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Renders a notice as HTML. */
export function rendered(
  ctx: Context,
  { subject, body, values = {}, link }: Notice,
): { subject: string; html: string } {
  const safe = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, escapeHtml(String(value))]))
  const paragraphs = [
    ...(values.name === undefined ? [] : [say(userMails.greeting, ctx.language, { name: safe.name ?? '' })]),
    say(body, ctx.language, safe).replaceAll('\n', '<br>'),
    ...(link ? [`<a href="${escapeHtml(link)}">${userMails.open_link[ctx.language]}</a>`] : []),
  ]
  return {
    subject: say(subject, ctx.language, values).replace(/\s+/g, ' '),
    html: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n'),
  }
}

/** The mails of a notice, one per user with an address. They end with the name of the sender. */
export function mailsOf(ctx: Context, users: readonly { email: string }[], notice: Notice): Mail[] {
  const link = notice.mailLink ?? notice.link
  const { subject, html } = rendered(ctx, { ...notice, ...(link ? { link } : {}) })
  return users
    .filter((user) => user.email)
    .map((user) => ({ to: user.email, subject, html: `${html}\n<p>${escapeHtml(loginTitle(ctx))}</p>` }))
}

/**
 * Notifies users by every backend they chose that is configured, and always by a site message. `isMailed`: false when the
 * caller mails the notice itself.
 */
export async function notifyUsers(
  ctx: Context,
  userIds: readonly string[],
  notice: Notice,
  { isMailed = true }: { isMailed?: boolean } = {},
): Promise<void> {
  const { subject, html } = rendered(ctx, notice)
  await sendSiteMessage(ctx, userIds, { subject, message: html })
  if (!isMailed || !canMail(ctx)) return
  const chosen = await receiveBackendsOf(ctx, userIds)
  const wanted = userIds.filter((id) => chosen.get(id)?.includes('email'))
  for (const some of batches(wanted)) {
    const users = await ctx.rawDb.selectFrom('users_user').select('email').where('id', 'in', some).execute()
    await queueMails(ctx, mailsOf(ctx, users, notice))
  }
}
