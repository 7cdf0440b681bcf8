import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { defineJob } from '../../kernel/jobs/kinds.ts'
import type { Context } from '../../kernel/module/context.ts'
import { guardedLookup, isForbiddenAddress } from '../../kernel/security/outgoing-addresses.ts'
import { Sealed } from '../../kernel/security/secrets.ts'
import { appearance } from '../settings/index.ts'
import { enabledBackends } from './backends.ts'
import { mailServer } from './settings.ts'

export interface Mail {
  to: string
  subject: string
  html: string
  /** The same for each attempt to send it. */
  id?: string
}

/** A file of a mail that is sent at once; a queued mail has none. */
interface Attached {
  attachments?: readonly { filename: string; content: Readable }[]
}

/** Whether the installation can send mail. */
export const canMail = (ctx: Context): boolean => enabledBackends(ctx).includes('email')

/** The installation's name where no user is signed in yet. */
export function loginTitle(ctx: Context): string {
  return appearance.of(ctx).INTERFACE.login_title ?? 'Castellan'
}

/** Timeout for the mail server. Milliseconds. */
const patience = 15_000

/**
 * Sends one mail through the configured server. `from`: replaces the configured sender.
 * @throws Error with the server's message
 */
export async function deliver(ctx: Context, mail: Mail & Attached, from?: string): Promise<void> {
  // Loaded on demand: most processes never send mail.
  const { createTransport } = await import('nodemailer')
  const server = mailServer.of(ctx)
  const password = server.EMAIL_HOST_PASSWORD
  const user = server.EMAIL_HOST_USER ?? ''
  const host = server.EMAIL_HOST || 'localhost'
  if (isForbiddenAddress(host)) throw new Error(`${host} is not asked.`)
  const secure = server.EMAIL_USE_SSL === true
  const port = Number(server.EMAIL_PORT) || (secure ? 465 : 587)
  const transport = createTransport({
    host,
    port,
    secure,
    getSocket(_options, done) {
      const socket = connect({ host, port, lookup: guardedLookup })
      const failed = (error: Error) => done(error, undefined)
      socket.setTimeout(patience, () => socket.destroy(new Error('The mail server does not answer.')))
      socket.once('error', failed)
      socket.once('connect', () => {
        socket.setTimeout(0)
        // The transport reports later errors; until it listens, none may end the process.
        socket.off('error', failed).on('error', () => undefined)
        done(null, { connection: socket })
      })
    },
    requireTLS: server.EMAIL_USE_TLS === true,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    // A mail never reads local files or remote URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(password ? { auth: { user, pass: ctx.services.vault.open(password) } } : {}),
  })
  try {
    const { to, subject, html, id, attachments = [] } = mail
    const sender = from || server.EMAIL_FROM || user
    await transport.sendMail({
      from: sender,
      ...(id ? { messageId: `<${id}@${/@([\w.-]+)/.exec(sender)?.[1] ?? 'castellan'}>` } : {}),
      to,
      subject: `${server.EMAIL_SUBJECT_PREFIX ?? ''} ${subject}`.trim(),
      html,
      attachments: [...attachments],
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
  isConsequence: true,
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
