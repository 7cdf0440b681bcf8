import { userMails } from '@castellan/contract/messages/user-mails'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { type Notice, notifyUsers } from '../notifications/index.ts'

/** What people are told about their own account (notifications.md §8). */

const link = (ctx: Context, path: string) => `${ctx.services.settings.text('SITE_URL').replace(/\/+$/, '')}${path}`

const about = (ctx: Context, row: AnyRow, notice: Notice) => notifyUsers(ctx, [row.id], notice)

const place = (ctx: Context) => ({ ip: ctx.ip, browser: ctx.userAgent.slice(0, 254) })

export const tellPasswordReset = (ctx: Context, row: AnyRow) =>
  about(ctx, row, {
    subject: userMails.password_reset_subject,
    body: userMails.password_reset_body,
    values: { name: row.name },
    link: link(ctx, '/core/auth/password/forget/previewing/'),
  })

export const tellPasswordChanged = (ctx: Context, row: AnyRow) =>
  about(ctx, row, {
    subject: userMails.password_changed_subject,
    body: userMails.password_changed_body,
    values: { name: row.name, ...place(ctx) },
  })

export const tellKeyChanged = (ctx: Context, row: AnyRow) =>
  about(ctx, row, {
    subject: userMails.key_changed_subject,
    body: userMails.key_changed_body,
    values: { name: row.name, ...place(ctx) },
  })

export const tellKeyCleared = (ctx: Context, row: AnyRow) =>
  about(ctx, row, {
    subject: userMails.key_cleared_subject,
    body: userMails.key_cleared_body,
    values: { name: row.name },
    link: link(ctx, '/ui/#/profile/setting/?activeTab=SSHUpdate'),
  })

export const tellMfaReset = (ctx: Context, row: AnyRow) =>
  about(ctx, row, {
    subject: userMails.mfa_reset_subject,
    body: userMails.mfa_reset_body,
    values: { name: row.name },
    link: link(ctx, '/core/auth/profile/otp/enable/start/'),
  })
