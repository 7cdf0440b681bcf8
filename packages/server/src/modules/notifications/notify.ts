import type { Message, Placeholders } from '@castellan/contract/messages'
import { say } from '@castellan/contract/messages'
import { userMails } from '@castellan/contract/messages/user-mails'
import type { Context } from '../../kernel/context.ts'
import { sendSiteMessage } from './site-messages.ts'

/** Something people are told. Placeholders may hold anything: they are escaped here. */
export interface Notice {
  subject: Message
  body: Message
  values?: Placeholders
  /** Absolute address of the page to go to. */
  link?: string
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** A notice as HTML. */
export function rendered(
  ctx: Context,
  { subject, body, values = {}, link }: Notice,
): { subject: string; html: string } {
  const safe = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, escapeHtml(String(value))]))
  const paragraphs = [
    ...(values.name === undefined ? [] : [say(userMails.greeting, ctx.language, safe)]),
    say(body, ctx.language, safe).replaceAll('\n', '<br>'),
    ...(link ? [`<a href="${escapeHtml(link)}">${userMails.open_link[ctx.language]}</a>`] : []),
  ]
  return {
    subject: say(subject, ctx.language, values).replace(/\s+/g, ' '),
    html: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n'),
  }
}

/** Tells people something by every way they chose that the installation offers; a site message always. */
export async function notifyUsers(ctx: Context, userIds: readonly string[], notice: Notice): Promise<void> {
  const { subject, html } = rendered(ctx, notice)
  await sendSiteMessage(ctx, userIds, { subject, message: html })
}
