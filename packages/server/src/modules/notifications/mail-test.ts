import { say } from '@castellan/contract/messages'
import { settingsMessages } from '@castellan/contract/messages/settings'
import { userMails } from '@castellan/contract/messages/user-mails'
import { text } from '../../kernel/fields/index.ts'
import { defineRoute, type Handling } from '../../kernel/http/route.ts'
import { failureAs, text as said } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { deliver } from './mail.ts'
import { mailServer } from './settings.ts'

const fields = {
  EMAIL_FROM: text({ max: 1024, blank: true, nullable: true }),
  EMAIL_RECIPIENT: text({ max: 1024, blank: true, nullable: true }),
}

interface Wanted {
  EMAIL_FROM?: string | null
  EMAIL_RECIPIENT?: string | null
}

/** Sends a mail with the saved settings and reports the result. */
async function testMail({ ctx, request }: Handling): Promise<unknown> {
  const { EMAIL_FROM, EMAIL_RECIPIENT } = readBody<Wanted>(ctx, fields, request.body ?? {})
  const server = mailServer.of(ctx)
  const from = EMAIL_FROM || server.EMAIL_FROM || server.EMAIL_HOST_USER
  if (!server.EMAIL_HOST || !from) throw failureAs(400, 'error', said(settingsMessages.mail_not_set))
  const to = EMAIL_RECIPIENT || from
  const mail = {
    to,
    subject: userMails.test_subject[ctx.language],
    html: `<p>${userMails.test_body[ctx.language]}</p>`,
  }
  try {
    await deliver(ctx, mail, from)
  } catch (error) {
    throw failureAs(400, 'error', said(settingsMessages.mail_failed, { reason: (error as Error).message }))
  }
  return { msg: say(settingsMessages.mail_sent, ctx.language, { to }) }
}

export const mailTestRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/settings/mail/testing/',
  requires: 'settings.change_email',
  transaction: 'none',
  fields: { POST: fields },
  summary: 'Send a test mail',
  handle: testMail,
})
