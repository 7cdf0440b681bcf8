import { say } from '@castellan/contract/messages'
import { userMails } from '@castellan/contract/messages/user-mails'
import type { Context } from '../../kernel/module/context.ts'
import { canMail, mailsOf, type Notice, notifyUsers, queueMails } from '../notifications/index.ts'
import { siteUrl } from '../settings/index.ts'
import { resetPath, resetToken } from './reset-tokens.ts'
import { welcomeMail } from './settings.ts'
import type { KnownUser } from './user-fields.ts'

/** Messages to users about their own account. */

const link = (ctx: Context, path: string) => `${siteUrl(ctx)}${path}`

const profilePage = (ctx: Context, tab: string) => link(ctx, `/ui/#/profile/setting/?activeTab=${tab}`)

const about = (ctx: Context, row: KnownUser, notice: Notice) => notifyUsers(ctx, [row.id], notice)

const resetLink = async (ctx: Context, row: KnownUser, reason: 'reset' | 'first') =>
  link(ctx, `${resetPath}?token=${await resetToken(ctx, { id: row.id, email: row.email }, reason)}`)

/** Maximum number of names in one message; the rest are counted. */
const namesTold = 20

/** Tells the caller that the link for new users cannot be sent: without it they have no password to sign in with. */
async function tellNoLink(ctx: Context, rows: readonly KnownUser[]): Promise<void> {
  if (!ctx.caller || rows.length === 0) return
  const names = rows.slice(0, namesTold).map(({ name, username }) => `${name}(${username})`)
  const more = rows.length > namesTold ? ` … (${rows.length})` : ''
  await notifyUsers(ctx, [ctx.me.id], {
    subject: userMails.no_link_subject,
    body: userMails.no_link_body,
    values: { people: `${names.join(', ')}${more}` },
  })
}

export async function tellPasswordReset(ctx: Context, row: KnownUser): Promise<void> {
  await about(ctx, row, {
    subject: userMails.password_reset_subject,
    body: userMails.password_reset_body,
    values: { name: row.name },
    mailLink: await resetLink(ctx, row, 'reset'),
  })
  if (!canMail(ctx)) await tellNoLink(ctx, [row])
}

/** The configured message for new users, with the values of this one. */
function ownWords(words: string | null, row: KnownUser): string {
  const values: Record<string, unknown> = { username: row.username, name: row.name, email: row.email }
  return (words ?? '').replace(/\{(username|name|email)\}/g, (_, key: string) => String(values[key]))
}

/**
 * Welcomes new users by mail, with a link to choose their first password. `chosen`: an administrator has set the
 * password, so the link is not needed.
 */
export async function welcome(ctx: Context, made: readonly { row: KnownUser; chosen: boolean }[]): Promise<void> {
  if (!canMail(ctx))
    return tellNoLink(
      ctx,
      made.filter(({ chosen }) => !chosen).map(({ row }) => row),
    )
  const own = welcomeMail.of(ctx)
  for (const { row } of made) {
    const subject = ownWords(own.EMAIL_CUSTOM_USER_CREATED_SUBJECT, row)
    const honorific = ownWords(own.EMAIL_CUSTOM_USER_CREATED_HONORIFIC, row)
    const body = ownWords(own.EMAIL_CUSTOM_USER_CREATED_BODY, row)
    const ending = ownWords(own.EMAIL_CUSTOM_USER_CREATED_SIGNATURE, row)
    const plain = (text: string) => ({ en: text, zh: text, ja: text })
    const lines = [body || userMails.welcome_body[ctx.language], ending].filter(Boolean).join('\n')
    const notice: Notice = {
      subject: subject ? plain(subject) : userMails.welcome_subject,
      // Inserted as a value, so that the administrator's text is not interpreted as HTML or placeholders.
      body: userMails.own_words,
      values: {
        text: [honorific || say(userMails.greeting, ctx.language, { name: row.name }), lines].join('\n'),
        username: row.username,
      },
      mailLink: await resetLink(ctx, row, 'first'),
    }
    await queueMails(ctx, mailsOf(ctx, [row], notice))
  }
}

export const tellKeyCleared = (ctx: Context, row: KnownUser) =>
  about(ctx, row, {
    subject: userMails.key_cleared_subject,
    body: userMails.key_cleared_body,
    values: { name: row.name },
    link: profilePage(ctx, 'SSHUpdate'),
  })

export const tellMfaReset = (ctx: Context, row: KnownUser) =>
  about(ctx, row, {
    subject: userMails.mfa_reset_subject,
    body: userMails.mfa_reset_body,
    values: { name: row.name },
    link: link(ctx, '/core/auth/profile/otp/enable/start/'),
  })

export const tellPasswordExpires = (ctx: Context, row: KnownUser, date: string) =>
  about(ctx, row, {
    subject: userMails.password_expires_subject,
    body: userMails.password_expires_body,
    values: { name: row.name, date },
    link: profilePage(ctx, 'PasswordUpdate'),
  })

export const tellAccountExpires = (ctx: Context, row: KnownUser, date: string) =>
  about(ctx, row, {
    subject: userMails.account_expires_subject,
    body: userMails.account_expires_body,
    values: { name: row.name, date },
  })
