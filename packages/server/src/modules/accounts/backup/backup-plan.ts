import { backupMessages } from '@castellan/contract/messages/backup'
import { checkPeriodic, storeSchedules } from '../../../kernel/jobs/periodic-fields.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { type Problem, permissionDenied, text as say } from '../../../kernel/module/errors.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { defineResource } from '../../../kernel/resource/resource.ts'
import { demandStepUp } from '../../authentication/index.ts'
import { replayStorage } from '../../terminal/index.ts'
import { type PartName, type PlanChange, partsOf, planFields, recipientsOf } from './backup-fields.ts'
import { backupAccounts } from './backup-job.ts'

/** What decides which secrets leave, when, to whom, and who can open them. */
const deciding = [
  ...(['types', 'backup_type', 'zip_encrypt_password', 'is_periodic', 'interval', 'crontab'] as const),
  ...partsOf.email,
  ...partsOf.object_storage,
] as const

/**
 * A plan hands the secrets of the organization to its recipients, so whoever decides about that needs the permission to
 * see them, and the same confirmation as for reading them.
 */
function demandRight(ctx: Context, changes: readonly PlanChange[]): void {
  const isDecided = changes.some(({ mode, values }) => mode === 'create' || deciding.some((name) => name in values))
  if (!ctx.caller || !isDecided) return
  if (!ctx.can('accounts.view_accountsecret')) throw permissionDenied(say(backupMessages.plan_needs_right))
  demandStepUp(ctx)
}

type Report = (index: number, field: keyof typeof planFields, problem: Problem) => void

async function checkRecipients(ctx: Context, change: PlanChange, problem: Report): Promise<void> {
  const { row, values, before, index } = change
  const partOf = async (name: PartName): Promise<string[]> => {
    const sent = values[name] as unknown as string[] | undefined
    return sent ?? (before ? await recipientsOf(ctx, row.id, name) : [])
  }
  for (const names of Object.values(partsOf)) {
    const [one, two] = [await partOf(names[0]), await partOf(names[1])]
    if (one.some((id) => two.includes(id))) problem(index, names[1], [say(backupMessages.both_parts)])
  }
  const [first, second] = [await partOf(partsOf.object_storage[0]), await partOf(partsOf.object_storage[1])]
  const chosen = [...first, ...second]
  const usable = await findAll(ctx, replayStorage, (query) =>
    query.where('t.id', 'in', chosen).where('t.type', '=', 'sftp'),
  )
  for (const name of partsOf.object_storage)
    if ((await partOf(name)).some((id) => !usable.some((storage) => storage.id === id)))
      problem(index, name, [say(backupMessages.storage_not_sftp)])
  if (row.backup_type === 'object_storage' && !row.zip_encrypt_password)
    problem(index, 'zip_encrypt_password', [say(backupMessages.password_needed)])
}

/** Plans that send the accounts of an organization, with their secrets, to users or storages. */
export const backupPlan = defineResource({
  app: 'accounts',
  name: 'accountbackupautomation',
  path: 'account-backup-plans',
  scope: 'org',
  confirms: true,
  fields: planFields,
  fieldOrder: ['created_by', 'periodic_display', 'executed_amount'],
  unique: [['org_id', 'name']],
  search: ['name'],
  defaultOrder: ['name'],
  hooks: {
    async validate(ctx, changes, problem) {
      demandRight(ctx, changes)
      checkPeriodic(changes, problem)
      for (const change of changes) await checkRecipients(ctx, change, problem)
    },
    async afterSave(ctx, changes) {
      await storeSchedules(ctx, 'accounts.accountbackupautomation', changes, backupAccounts, (plan) => ({ plan }))
    },
  },
})
