import { say } from '@castellan/contract/messages'
import { executionReasons } from '@castellan/contract/messages/automations'
import { backupMessages } from '@castellan/contract/messages/backup'
import { typeLabel } from '@castellan/contract/platforms'
import type { NewItem } from '../../../kernel/jobs/item-rows.ts'
import { defineJob, type JobItem, type JobRun } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { startedBy } from '../../assets/index.ts'
import { workbookFolder } from '../mailed-file.ts'
import { type BackupSnapshot, backupExecution, recordBackupEnd } from './backup-execution.ts'
import { type BackupPlanRow, type PartName, partsOf } from './backup-fields.ts'
import { recordExecution } from './backup-start.ts'
import { amountsByType, backupFiles, type Half } from './backup-table.ts'
import { type Delivery, deliverByMail, deliverBySftp } from './delivery.ts'

/** How long a backup may take. Milliseconds. */
const longest = 6 * 3_600_000
/** How long one recipient may take. Milliseconds. */
const longestDelivery = 1_800_000

interface ItemPayload {
  part: PartName
  half: Half
}

/** Which part of a backup goes where: halves when both groups have somebody, else everything to the one that has. */
function itemsOf(snapshot: BackupSnapshot): NewItem[] {
  const names = partsOf[snapshot.backup_type]
  const isDivided = names.every((name) => Object.keys(snapshot[name]).length > 0)
  const type = snapshot.backup_type === 'email' ? 'users.user' : 'terminal.replaystorage'
  return names.flatMap((part, index) =>
    Object.entries(snapshot[part]).map(([id, [label]]) => ({
      target: { type, id, label },
      payload: { part, half: isDivided ? (index === 0 ? 'first' : 'second') : 'whole' } satisfies ItemPayload,
    })),
  )
}

const setReason = (ctx: Context, id: string, reason: string) =>
  ctx.acrossOrganizations.updateTable(backupExecution.table).set({ reason }).where('id', '=', id).execute()

/** Only letters, digits, `-` and `_`: the name becomes a path on storages. */
const fileNameOf = (plan: string, start: number) => {
  const [date = '', time = ''] = new Date(start).toISOString().split(/[T.]/)
  const stamp = `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}`
  return `${plan.replace(/[^\p{L}\p{N}_-]/gu, '_').slice(0, 60)}-${stamp}-${Math.floor(start / 1000)}`
}

async function backUp(ctx: Context, plan: BackupPlanRow, snapshot: BackupSnapshot, job: JobRun): Promise<unknown> {
  const { language } = ctx
  const failWith = async (text: string) => {
    await setReason(ctx, job.id, text)
    await job.log(text)
  }
  const items = itemsOf(snapshot)
  if (items.length === 0) return failWith(say(backupMessages.no_recipients, language))
  if (snapshot.types.length === 0) return failWith(say(backupMessages.no_types, language))
  const amounts = await amountsByType(ctx, snapshot.types)
  const types = snapshot.types.filter((type) => amounts.has(type))
  if (types.length === 0) return job.log(say(backupMessages.no_accounts, language))
  for (const type of types)
    await job.log(
      say(backupMessages.reading, language, { type: typeLabel(type, language), count: amounts.get(type) ?? 0 }),
    )
  const halves = [...new Set(items.map(({ payload }) => (payload as ItemPayload).half))]
  const folder = await workbookFolder(ctx)
  const files = await backupFiles(ctx, { types, halves, folder, signal: job.signal })
  try {
    await job.planItems(async () => items)
    const name = fileNameOf(snapshot.name, Date.now())
    const deliver = snapshot.backup_type === 'email' ? deliverByMail : deliverBySftp
    const work = async (item: JobItem<ItemPayload>) => {
      const { part, half } = item.payload
      const file = files.get(half)
      if (!file) throw new Error('A half of the backup is missing.')
      const delivery: Delivery = { plan, part, half, recipient: item.target.id, name, file, signal: item.signal }
      await deliver(ctx, delivery)
      await job.log(say(backupMessages.delivered, language, { recipient: item.target.label }))
    }
    return await job.eachItem<ItemPayload>({ concurrency: 2, timeout: longestDelivery }, (item) =>
      work(item).catch(async (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        await job.log(say(backupMessages.not_delivered, language, { recipient: item.target.label, reason }))
        throw error
      }),
    )
  } finally {
    for (const file of files.values()) await file.close()
  }
}

/**
 * Sends the accounts of a plan to its recipients. It is not begun twice: the halves that two attempts send need not
 * belong together.
 */
export const backupAccounts = defineJob<{ plan: string }>({
  name: 'accounts.tasks.backup_account.execute_account_backup_task',
  delivery: 'at-most-once',
  timeout: longest,
  concurrency: 1,
  watchedWith: 'accounts.view_accountbackupexecution',
  ended: recordBackupEnd,
  async run(outer, { plan: planId }, job) {
    const plan = (await findById(outer, findResource('accounts.accountbackupautomation'), planId)) as
      | BackupPlanRow
      | undefined
    if (!plan) return job.log(say(executionReasons.automation_gone, outer.language))
    if (!(await findById(outer, backupExecution, job.id)))
      await outer.transaction((inside) => recordExecution(inside, plan, { id: job.id, trigger: 'timing' }))
    await outer.acrossOrganizations
      .updateTable(backupExecution.table)
      .set({ date_start: Date.now() })
      .where('id', '=', job.id)
      .execute()
    const { ctx } = await startedBy(outer, job, 'accounts.add_accountbackupexecution')
    const row = await findById(ctx, backupExecution, job.id)
    if (!row) return undefined
    await job.log(say(backupMessages.started, ctx.language, { name: plan.name }))
    return backUp(ctx, plan, row.snapshot, job)
  },
})
