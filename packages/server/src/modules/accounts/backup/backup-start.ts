import type { Context } from '../../../kernel/module/context.ts'
import { findAll, insertRow } from '../../../kernel/resource/repository.ts'
import { recipientUsers } from '../../assets/index.ts'
import { replayStorage } from '../../terminal/index.ts'
import { type BackupSnapshot, backupExecution, type SnapshotPart } from './backup-execution.ts'
import { type BackupPlanRow, type PartName, recipientsOf } from './backup-fields.ts'

async function storagesOf(ctx: Context, ids: readonly string[]): Promise<SnapshotPart> {
  const rows = await findAll(ctx, replayStorage, (query) => query.where('t.id', 'in', [...ids]))
  return Object.fromEntries(rows.map(({ id, name, type }) => [id, [name, String(type)] as const]))
}

/** What an execution keeps of its plan, which may change or be deleted afterwards. The password is not among it. */
async function snapshotOf(ctx: Context, plan: BackupPlanRow): Promise<BackupSnapshot> {
  const idsOf = (part: PartName) => recipientsOf(ctx, plan.id, part)
  return {
    id: plan.id,
    name: plan.name,
    is_periodic: plan.is_periodic,
    interval: plan.interval,
    crontab: plan.crontab,
    org_id: plan.org_id,
    created_by: plan.created_by,
    types: plan.types,
    backup_type: plan.backup_type,
    is_password_divided_by_email: plan.is_password_divided_by_email,
    is_password_divided_by_obj_storage: plan.is_password_divided_by_obj_storage,
    recipients_part_one: await recipientUsers(ctx, await idsOf('recipients_part_one')),
    recipients_part_two: await recipientUsers(ctx, await idsOf('recipients_part_two')),
    obj_recipients_part_one: await storagesOf(ctx, await idsOf('obj_recipients_part_one')),
    obj_recipients_part_two: await storagesOf(ctx, await idsOf('obj_recipients_part_two')),
  }
}

/** Records an execution of a plan, in the organization of the context. */
export async function recordExecution(
  ctx: Context,
  plan: BackupPlanRow,
  { id, trigger }: { id?: string; trigger: 'manual' | 'timing' },
): Promise<string> {
  const snapshot = await snapshotOf(ctx, plan)
  const row = await insertRow(ctx, backupExecution, {
    ...(id ? { id } : {}),
    plan_id: plan.id,
    trigger,
    snapshot,
    reason: '',
    is_success: false,
  })
  return row.id
}
