import { say } from '@castellan/contract/messages'
import { backupMessages } from '@castellan/contract/messages/backup'
import type { EncryptedContent } from '../../../kernel/files/protected-workbook.ts'
import { JobFailure } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { putStream, replayStorage } from '../../terminal/index.ts'
import { user } from '../../users/index.ts'
import { mailWorkbook, protectedArchive } from '../mailed-file.ts'
import { type BackupPlanRow, type PartName, recipientsOf } from './backup-fields.ts'
import type { Half } from './backup-table.ts'

/** One file on its way to one recipient. */
export interface Delivery {
  plan: BackupPlanRow
  part: PartName
  half: Half
  /** The id of a user or of a storage. */
  recipient: string
  /** Name of the file without suffix. */
  name: string
  file: EncryptedContent
  signal: AbortSignal
}

/** The folder on storages, below their root. */
const storageFolder = 'account_backup'

const suffixOf: Readonly<Record<Half, string>> = { whole: '', first: '-1', second: '-2' }

const nameOf = ({ name, half }: Delivery): string => `${name}${suffixOf[half]}`

/** Those who were taken out of the plan while it ran receive nothing. */
async function demandRecipient(ctx: Context, { plan, part, recipient }: Delivery): Promise<void> {
  if ((await recipientsOf(ctx, plan.id, part)).includes(recipient)) return
  throw new JobFailure('not_recipient', say(backupMessages.not_recipient, ctx.language))
}

/** Mails a file to a user, encrypted with the password that the user has set for files. */
export async function deliverByMail(ctx: Context, delivery: Delivery): Promise<void> {
  await demandRecipient(ctx, delivery)
  const row = await findById(ctx, user, delivery.recipient)
  if (!row) throw new JobFailure('not_member', say(backupMessages.not_member, ctx.language))
  await mailWorkbook(
    ctx,
    row,
    { name: nameOf(delivery), file: delivery.file },
    {
      subject: backupMessages.mail_subject,
      body: backupMessages.mail_body,
      withoutFile: backupMessages.mail_without_file,
      values: { name: row.name, plan: delivery.plan.name },
    },
  )
}

/** Writes a file to a storage, encrypted with the password of the plan. */
export async function deliverBySftp(ctx: Context, delivery: Delivery): Promise<void> {
  await demandRecipient(ctx, delivery)
  const storage = await findById(ctx, replayStorage, delivery.recipient)
  const sealed = delivery.plan.zip_encrypt_password
  if (storage?.type !== 'sftp') throw new JobFailure('no_storage', say(backupMessages.storage_not_sftp, ctx.language))
  if (!sealed) throw new JobFailure('no_password', say(backupMessages.password_needed, ctx.language))
  const name = nameOf(delivery)
  const content = () => protectedArchive(name, delivery.file, ctx.services.vault.open(sealed))
  await putStream(ctx, storage, `${storageFolder}/${name}.zip`, content, delivery.signal)
}
