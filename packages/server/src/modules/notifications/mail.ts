import type { Context } from '../../kernel/context.ts'
import { defineJob } from '../../kernel/jobs/kinds.ts'
import { Sealed } from '../../kernel/secrets.ts'
import { enabledBackends } from './backends.ts'

export interface Mail {
  to: string
  subject: string
  html: string
  /** The same for each attempt to send it. */
  id?: string
}

/** Whether the installation can send mail. */
export const canMail = (ctx: Context): boolean => enabledBackends(ctx).includes('email')

/** The product name shown before sign-in. */
export function loginTitle({ services: { settings } }: Context): string {
  const shown = settings.isDeclared('INTERFACE') ? settings.get<{ login_title?: string } | null>('INTERFACE') : null
  return shown?.login_title ?? 'Castellan'
}

/** Timeout for the mail server. Milliseconds. */
const patience = 15_000

/**
 * Sends one mail through the configured server. `from`: replaces the configured sender.
 * @throws Error with the server's message
 */
export async function deliver(ctx: Context, mail: Mail, from?: string): Promise<void> {
  // Loaded on demand: most processes never send mail.
  const { createTransport } = await import('nodemailer')
  const { settings, vault } = ctx.services
  const password = settings.get<Sealed | string | null>('EMAIL_HOST_PASSWORD')
  const user = settings.text('EMAIL_HOST_USER')
  const transport = createTransport({
    host: settings.text('EMAIL_HOST') || 'localhost',
    port: Number(settings.text('EMAIL_PORT')) || undefined,
    secure: settings.bool('EMAIL_USE_SSL'),
    requireTLS: settings.bool('EMAIL_USE_TLS'),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    // A mail never reads local files or remote URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(password instanceof Sealed ? { auth: { user, pass: vault.open(password) } } : {}),
  })
  try {
    const { to, subject, html, id } = mail
    const sender = from || settings.text('EMAIL_FROM') || user
    await transport.sendMail({
      from: sender,
      ...(id ? { messageId: `<${id}@${/@([\w.-]+)/.exec(sender)?.[1] ?? 'castellan'}>` } : {}),
      to,
      subject: `${settings.text('EMAIL_SUBJECT_PREFIX')} ${subject}`.trim(),
      html,
    })
  } finally {
    transport.close()
  }
}

/** A mail may contain a link equivalent to a password, so queued mails are sealed. */
const waitingMail = 'kernel_job.payload'

export const sendMail = defineJob<{ sealed: string }>({
  name: 'notifications.send-mail',
  // A mail that comes twice is better than a lost one, and mailboxes drop the second one with the same Message-ID.
  delivery: 'idempotent',
  timeout: 60_000,
  concurrency: 4,
  retries: 5,
  run: (ctx, { sealed }, { id }) =>
    deliver(ctx, { ...JSON.parse(ctx.services.vault.open(new Sealed(sealed, waitingMail))), id }),
})

/** Sends mails when the context's transaction has committed; does nothing without a mail server. */
export async function queueMails(ctx: Context, mails: readonly Mail[]): Promise<void> {
  if (!canMail(ctx)) return
  for (const mail of mails)
    await ctx.enqueue(sendMail, { sealed: ctx.services.vault.seal(JSON.stringify(mail), waitingMail).stored() })
}
