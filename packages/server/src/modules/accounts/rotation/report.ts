import { said, say } from '@castellan/contract/messages'
import { backupMessages } from '@castellan/contract/messages/backup'
import { rotationMessages } from '@castellan/contract/messages/rotation'
import { headerCell } from '../../../kernel/files/cells.ts'
import { type EncryptedContent, encryptedContent } from '../../../kernel/files/protected-workbook.ts'
import type { Cells } from '../../../kernel/files/table-files.ts'
import { workbookStream } from '../../../kernel/files/workbook.ts'
import { recordAction } from '../../../kernel/resource/changes.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { type AutomationRun, assetTitle, type ItemResult, type Report, targetAssets } from '../../assets/index.ts'
import { canMail } from '../../notifications/index.ts'
import type { UserRow } from '../../users/index.ts'
import { account } from '../account.ts'
import { mailWorkbook, workbookFolder } from '../mailed-file.ts'
import { type SecretRecordRow, secretRecord } from './record.ts'
import type { RotationStep } from './rotate.ts'

/** Failures that a report names. */
const mostFailures = 50
/** Records that are read at a time, so that memory does not depend on their number. */
const pageSize = 200

const recordsAfter = ({ ctx, execution }: AutomationRun, after: string): Promise<SecretRecordRow[]> =>
  findAll(ctx, secretRecord, (query) =>
    query
      .where('t.execution_id' as 't.id', '=', execution.id)
      .where('t.id', '>', after)
      .orderBy('t.id')
      .limit(pageSize),
  )

/** A line for each record, with both of its secrets. Each account is logged as viewed. */
async function* lines(run: AutomationRun): AsyncGenerator<Cells> {
  const { ctx, job } = run
  const { vault } = ctx.services
  const open = (sealed: SecretRecordRow['old_secret']) => (sealed ? vault.open(sealed) : '')
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    job.signal.throwIfAborted()
    const rows = await recordsAfter(run, after)
    const ids = rows.flatMap(({ asset_id }) => (asset_id ? [String(asset_id)] : []))
    const titles = new Map(
      (await targetAssets(ctx, { assets: [...new Set(ids)] })).map((one) => [one.id, assetTitle(one)]),
    )
    await ctx.transaction(async (inside) => {
      for (const { id, account_id, label } of rows)
        await recordAction(inside, account, 'view', { id: account_id ?? id, name: label })
    })
    for (const row of rows)
      yield [
        row.id,
        titles.get(String(row.asset_id)) ?? '',
        row.label,
        open(row.old_secret),
        open(row.new_secret),
        String(row.status),
        row.error ?? '',
      ]
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.id
  }
}

async function workbook(run: AutomationRun): Promise<EncryptedContent> {
  const { ctx } = run
  const of = (name: string) => headerCell(ctx, secretRecord, name)
  const secrets = [rotationMessages.file_old_secret, rotationMessages.file_new_secret].map((text) =>
    say(text, ctx.language),
  )
  const header = ['ID', of('asset'), of('account'), ...secrets, of('status'), of('error')]
  return encryptedContent(
    await workbookStream([{ name: 'Records', header, rows: lines(run) }]),
    await workbookFolder(ctx),
  )
}

/** Mails the report with the old and new secrets to those who can open it, and says in the log who did not get it. */
async function mailSecrets(
  run: AutomationRun,
  recipients: readonly UserRow[],
  { link, ...report }: Report & { link: string },
): Promise<void> {
  const { ctx, job, snapshot } = run
  const file = await workbook(run)
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const name = `${snapshot.name.replace(/[^\p{L}\p{N}_-]/gu, '_').slice(0, 60)}-${stamp}`
  try {
    for (const row of recipients) {
      const recipient = `${row.name}(${row.username})`
      const mail = {
        subject: report.subject,
        body: rotationMessages.report_with_file,
        withoutFile: rotationMessages.report_without_file,
        values: { ...report.values, name: row.name, report: said(report.body, report.values) },
        link,
      }
      try {
        await mailWorkbook(ctx, row, { name, file }, mail)
        await job.log(say(backupMessages.delivered, ctx.language, { recipient }))
      } catch (error) {
        job.signal.throwIfAborted()
        const reason = error instanceof Error ? error.message : String(error)
        await job.log(say(backupMessages.not_delivered, ctx.language, { recipient, reason }))
      }
    }
  } finally {
    await file.close()
  }
}

/** How many secrets were changed, and where it failed. Only the mail has the secrets, in an encrypted file. */
export async function reportChanges(
  run: AutomationRun,
  results: () => AsyncGenerator<ItemResult<RotationStep>>,
): Promise<Report> {
  const { ctx, snapshot } = run
  const failures: string[] = []
  const counts = { ok: 0, failed: 0, skipped: 0 }
  for await (const { label, state, error } of results()) {
    if (state === 'SUCCESS') counts.ok++
    else if (state === 'SKIPPED') counts.skipped++
    else if (++counts.failed <= mostFailures) failures.push(`${label}: ${error ?? state}`)
  }
  const more = counts.failed - mostFailures
  if (more > 0) failures.push(say(rotationMessages.report_more, ctx.language, { count: more }))
  const report: Report = {
    subject: rotationMessages.report_subject,
    body: rotationMessages.report_body,
    values: { plan: snapshot.name, ...counts, failures: failures.join('\n') },
  }
  const hasRecords = (await recordsAfter(run, '00000000-0000-0000-0000-000000000000')).length > 0
  if (!hasRecords || !canMail(ctx)) return report
  return { ...report, mail: (recipients, link) => mailSecrets(run, recipients, { ...report, link }) }
}
