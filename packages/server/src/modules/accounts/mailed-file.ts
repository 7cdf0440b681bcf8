import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { say } from '@castellan/contract/messages'
import { backupMessages } from '@castellan/contract/messages/backup'
import { encryptedZip } from '../../kernel/files/encrypted-zip.ts'
import type { EncryptedContent } from '../../kernel/files/protected-workbook.ts'
import { JobFailure } from '../../kernel/jobs/states.ts'
import type { Context } from '../../kernel/module/context.ts'
import { byLanguage, canMail, deliver, mailsOf, type Notice } from '../notifications/index.ts'
import { filePasswordOf, type UserRow } from '../users/index.ts'

/** The folder for workbooks while they are encrypted. */
export async function workbookFolder(ctx: Context): Promise<string> {
  const folder = join(ctx.services.dataDir, 'backups')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** An encrypted workbook in an encrypted archive, both with the same password. `name`: without suffix. */
export const protectedArchive = (name: string, file: EncryptedContent, password: string): Promise<Readable> =>
  encryptedZip(`${name}.xlsx`, file.protectedBy(password), password)

/** A mail in both cases: with the file, and to users who have no password for files. */
export interface FileMail {
  subject: Notice['subject']
  body: Notice['body']
  withoutFile: Notice['body']
  values: NonNullable<Notice['values']>
  link?: string
}

/**
 * Mails a workbook to a user, encrypted with the password that the user has set for files. Without one the mail says so,
 * and the delivery has failed.
 * @param name of the file, without suffix
 * @throws JobFailure with the reason
 */
export async function mailWorkbook(
  ctx: Context,
  row: UserRow,
  { name, file }: { name: string; file: EncryptedContent },
  { subject, body, withoutFile, values, link }: FileMail,
): Promise<void> {
  const { language } = ctx
  if (!canMail(ctx)) throw new JobFailure('no_mail_server', say(backupMessages.no_mail_server, language))
  if (!row.is_active) throw new JobFailure('not_member', say(backupMessages.not_member, language))
  const password = await filePasswordOf(ctx, row.id)
  const text = password ? body : withoutFile
  const [readers] = (await byLanguage(ctx, [row])).keys()
  const [mail] = mailsOf(ctx, [row], { subject, body: text, values, ...(link ? { link } : {}) }, readers)
  if (!mail) throw new JobFailure('no_address', say(backupMessages.no_address, language))
  const content = password && (await protectedArchive(name, file, password))
  try {
    await deliver(ctx, { ...mail, ...(content ? { attachments: [{ filename: `${name}.zip`, content }] } : {}) })
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : ''
    throw new JobFailure('mail_failed', say(backupMessages.mail_failed, language, { reason }))
  }
  if (!password) throw new JobFailure('no_file_password', say(backupMessages.no_file_password, language))
}
