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

/** Whether the installation can send mail at all. */
export const canMail = (ctx: Context): boolean => enabledBackends(ctx).includes('email')

/** What the installation calls itself where nobody is signed in yet. */
export function loginTitle({ services: { settings } }: Context): string {
  const shown = settings.isDeclared('INTERFACE') ? settings.get<{ login_title?: string } | null>('INTERFACE') : null
  return shown?.login_title ?? 'Castellan'
}

/** How long the mail server may be silent. Milliseconds. */
const patience = 15_000

/** Hands one mail to the server of the settings. `from`: instead of the address there. @throws Error with the server's words */
export async function deliver(ctx: Context, mail: Mail, from?: string): Promise<void> {
  // Loaded when it is needed: most programs never send mail.
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
    // Nothing of a mail is ever read from our disk or fetched from elsewhere.
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

/** A mail may hold a link that is as good as a password, so it waits sealed. */
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

/** Sends mails with the transaction of the context, as soon as it has committed; none where no mail server is set. */
export async function queueMails(ctx: Context, mails: readonly Mail[]): Promise<void> {
  if (!canMail(ctx)) return
  for (const mail of mails)
    await ctx.enqueue(sendMail, { sealed: ctx.services.vault.seal(JSON.stringify(mail), waitingMail).stored() })
}
