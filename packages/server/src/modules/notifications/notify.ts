import type { Language, Message } from '@castellan/contract/messages'
import { say } from '@castellan/contract/messages'
import { userMails } from '@castellan/contract/messages/user-mails'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { accountOf, enabledBackends, type Receiver } from './backends.ts'
import { queueChat } from './chats/index.ts'
import { byLanguage } from './languages.ts'
import { loginTitle, type Mail, queueMails } from './mail.ts'
import { sendSiteMessage } from './site-messages.ts'
import { receiveBackendsOf } from './subscriptions.ts'

/** A notification. Placeholder values are escaped here. */
export interface Notice {
  subject: Message
  body: Message
  /** A message among them is in the language of the reader. */
  values?: Readonly<Record<string, string | number | Message>>
  /** Absolute URL of a page. */
  link?: string
  /** Replaces the link in mails only: a link equivalent to a password must not be stored in an inbox. */
  mailLink?: string
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Renders a notice as HTML. */
export function rendered(
  language: Language,
  { subject, body, values = {}, link }: Notice,
): { subject: string; html: string } {
  const said = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, typeof value === 'object' ? value[language] : value]),
  )
  const safe = Object.fromEntries(Object.entries(said).map(([key, value]) => [key, escapeHtml(String(value))]))
  const paragraphs = [
    ...(values.name === undefined ? [] : [say(userMails.greeting, language, { name: safe.name ?? '' })]),
    say(body, language, safe).replaceAll('\n', '<br>'),
    ...(link ? [`<a href="${escapeHtml(link)}">${userMails.open_link[language]}</a>`] : []),
  ]
  return {
    subject: say(subject, language, said).replace(/\s+/g, ' '),
    html: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n'),
  }
}

/** The mails of a notice, one per user with an address. They end with the name of the sender. */
export function mailsOf(
  ctx: Context,
  users: readonly { email: string }[],
  notice: Notice,
  language: Language = ctx.language,
): Mail[] {
  const link = notice.mailLink ?? notice.link
  const { subject, html } = rendered(language, { ...notice, ...(link ? { link } : {}) })
  return users
    .filter((user) => user.email)
    .map((user) => ({ to: user.email, subject, html: `${html}\n<p>${escapeHtml(loginTitle(ctx))}</p>` }))
}

const special = /[\\`*_{}[\]()#+!|<>~]/g

/** A notice for chat services. What values contain is shown, never read as markup. */
export function markdownOf(language: Language, { body, values = {}, link }: Notice): string {
  const said = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      String(typeof value === 'object' ? value[language] : value).replace(special, '\\$&'),
    ]),
  )
  const shown = link && `[${userMails.open_link[language]}](${encodeURI(decodeURI(link))})`
  return [say(body, language, said), ...(shown ? [shown] : [])].join('\n\n')
}

const chatNames = ['wecom', 'dingtalk', 'feishu'] as const

/** Tells users by site messages, and by the other ways that are theirs, each in their language. */
export async function tellInLanguages(
  ctx: Context,
  users: readonly Receiver[],
  notice: Notice,
  waysOf: (id: string) => readonly string[],
): Promise<void> {
  for (const [language, some] of await byLanguage(ctx, users)) {
    const { subject, html } = rendered(language, notice)
    await sendSiteMessage(
      ctx,
      some.map(({ id }) => id),
      { subject, message: html },
    )
    for (const name of chatNames) {
      const ids = some.filter(({ id }) => waysOf(id).includes(name)).map((user) => accountOf(name, user))
      for (const part of batches(ids.filter(Boolean), 100))
        await queueChat(ctx, name, part, { subject, markdown: markdownOf(language, notice) })
    }
    const mailed = some.filter(({ id }) => waysOf(id).includes('email'))
    if (mailed.length > 0) await queueMails(ctx, mailsOf(ctx, mailed, notice, language))
  }
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
  const users: Receiver[] = []
  for (const some of batches([...new Set(userIds)]))
    users.push(
      ...(await ctx.rawDb
        .selectFrom('users_user')
        .select(['id', 'email', 'wecom_id', 'dingtalk_id', 'feishu_id'])
        .where('id', 'in', some)
        .execute()),
    )
  const offered = enabledBackends(ctx).filter((name) => isMailed || name !== 'email')
  const chosen = offered.length > 1 ? await receiveBackendsOf(ctx, userIds) : undefined
  await tellInLanguages(ctx, users, notice, (id) =>
    offered.filter((name) => name !== 'site_msg' && chosen?.get(id)?.includes(name)),
  )
}
