import type { Context } from '../../kernel/context.ts'
import { defineJob } from '../../kernel/jobs.ts'
import { Sealed } from '../../kernel/secrets.ts'
import { appearance } from '../settings/index.ts'
import { enabledBackends } from './backends.ts'
import { mailServer } from './settings.ts'

export interface Mail {
  to: string
  subject: string
  html: string
}

/** Whether the installation can send mail at all. */
export const canMail = (ctx: Context): boolean => enabledBackends(ctx).includes('email')

/** What the installation calls itself where nobody is signed in yet. */
export function loginTitle(ctx: Context): string {
  return appearance.of(ctx).INTERFACE.login_title ?? 'Castellan'
}

/** How long the mail server may be silent. Milliseconds. */
const patience = 15_000

/** Hands one mail to the server of the settings. `from`: instead of the address there. @throws Error with the server's words */
export async function deliver(ctx: Context, mail: Mail, from?: string): Promise<void> {
  // Loaded when it is needed: most programs never send mail.
  const { createTransport } = await import('nodemailer')
  const server = mailServer.of(ctx)
  const password = server.EMAIL_HOST_PASSWORD
  const user = server.EMAIL_HOST_USER ?? ''
  const transport = createTransport({
    host: server.EMAIL_HOST || 'localhost',
    port: Number(server.EMAIL_PORT) || undefined,
    secure: server.EMAIL_USE_SSL === true,
    requireTLS: server.EMAIL_USE_TLS === true,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    // Nothing of a mail is ever read from our disk or fetched from elsewhere.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(password ? { auth: { user, pass: ctx.services.vault.open(password) } } : {}),
  })
  try {
    const { to, subject, html } = mail
    await transport.sendMail({
      from: from || server.EMAIL_FROM || user,
      to,
      subject: `${server.EMAIL_SUBJECT_PREFIX ?? ''} ${subject}`.trim(),
      html,
    })
  } finally {
    transport.close()
  }
}

/** A mail may hold a link that is as good as a password, so it waits sealed. */
const waitingMail = 'kernel_job.payload'

const sendMail = defineJob<{ sealed: string }>({
  name: 'notifications.send-mail',
  timeout: 60_000,
  concurrency: 4,
  retries: 5,
  run: (ctx, { sealed }) => deliver(ctx, JSON.parse(ctx.services.vault.open(new Sealed(sealed, waitingMail))) as Mail),
})

/** Sends mails with the transaction of the context, as soon as it has committed; none where no mail server is set. */
export async function queueMails(ctx: Context, mails: readonly Mail[]): Promise<void> {
  if (!canMail(ctx)) return
  for (const mail of mails)
    await ctx.enqueue(sendMail, { sealed: ctx.services.vault.seal(JSON.stringify(mail), waitingMail).stored() })
}
