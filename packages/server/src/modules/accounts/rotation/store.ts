import { say } from '@castellan/contract/messages'
import { rotationMessages } from '@castellan/contract/messages/rotation'
import { succeedItem } from '../../../kernel/jobs/item-rows.ts'
import { addToDailyCounts } from '../../../kernel/lists/daily-counts.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll, findById, insertRow, lockRow, updateRow } from '../../../kernel/resource/repository.ts'
import type { Columns } from '../../../kernel/resource/resource.ts'
import { account } from '../account.ts'
import type { AccountRow } from '../account-fields.ts'
import { entrustedNow } from '../destination.ts'
import { amountsKept, remember } from '../history.ts'
import { readPrivateKey } from '../ssh-key.ts'
import { openReachableSecrets } from '../vault/vault-entries.ts'
import { type RecordOrigin, type SecretRecordRow, secretRecord } from './record.ts'

/** Records of an account of which it is not known whether the new secret is valid. */
export const openRecords = (ctx: Context, accountId: string): Promise<SecretRecordRow[]> =>
  findAll(ctx, secretRecord, (query) =>
    query
      .where('t.account_id' as 't.name', '=', accountId)
      .where('t.status' as 't.name', '=', 'pending')
      .orderBy('t.date_created' as 't.name', 'desc'),
  )

async function insertRecord(ctx: Context, values: Columns<typeof secretRecord>): Promise<SecretRecordRow> {
  const made = await insertRow(ctx, secretRecord, values)
  await addToDailyCounts(ctx, secretRecord, [made])
  return made
}

export interface NewRecord {
  id: string | undefined
  executionId: string
  origin: RecordOrigin
  label: string
}

/** Stores both secrets before the target is touched; a record that is retried becomes pending again. `old`: empty for none. */
export async function storePending(
  ctx: Context,
  row: AccountRow,
  { id, executionId, origin, label }: NewRecord,
  { old, secret }: { old: string; secret: string },
): Promise<string> {
  const state = {
    status: 'pending',
    in_doubt: true,
    error: null,
    error_code: null,
    date_finished: null,
    old_secret: old || null,
    new_secret: secret,
    secret_type: row.secret_type,
    entrusted: (await entrustedNow(ctx, [String(row.asset_id)]))(row.asset_id),
  }
  if (id) {
    await updateRow(ctx, secretRecord, id, state)
    return id
  }
  const made = await insertRecord(ctx, {
    ...state,
    asset_id: String(row.asset_id),
    account_id: row.id,
    execution_id: executionId,
    origin,
    label,
  })
  return made.id
}

/** Records a failure before the target was touched: nothing is in doubt. */
export async function storeFailure(
  ctx: Context,
  row: AccountRow,
  { id, executionId, origin, label }: NewRecord,
  { code, message }: { code: string; message: string },
): Promise<void> {
  const end = { status: 'failed', in_doubt: false, error: message, error_code: code, date_finished: Date.now() }
  if (id) {
    // One in doubt stays so until a sign-in tells.
    const isOpen = (await findById(ctx, secretRecord, id))?.status === 'pending'
    const reason = say(rotationMessages.in_doubt, ctx.language, { reason: message })
    return updateRow(ctx, secretRecord, id, isOpen ? { error: reason, error_code: 'in_doubt' } : end)
  }
  await insertRecord(ctx, {
    ...end,
    asset_id: String(row.asset_id),
    account_id: row.id,
    execution_id: executionId,
    origin,
    label,
    old_secret: (await openReachableSecrets(ctx, 'account', [row])).get(row.id) ?? null,
    secret_type: row.secret_type,
  })
}

/** Ends a record that is still pending. Another attempt may have ended it meanwhile; it stays as that one left it. */
export async function closeRecord(
  ctx: Context,
  id: string,
  end: { status: 'failed' | 'pending'; code: string | null; message: string },
): Promise<void> {
  await ctx.rawDb
    .updateTable(secretRecord.table)
    .set(
      secretRecord.encode(
        {
          status: end.status,
          in_doubt: end.status === 'pending',
          error: end.message,
          error_code: end.code,
          date_finished: Date.now(),
        },
        ctx,
      ),
    )
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute()
}

const executionTables: Readonly<Partial<Record<RecordOrigin, string>>> = {
  change_secret: 'accounts_changesecretexecution',
  push_account: 'accounts_pushaccountexecution',
}

/** The totals of the execution that a record is of include what a retry or a later execution found out about it. */
async function countAsSuccess(ctx: Context, record: SecretRecordRow, accountId: string): Promise<void> {
  const counts = record.execution_id ? await succeedItem(ctx.rawDb, record.execution_id, accountId) : undefined
  const table = executionTables[record.origin as RecordOrigin]
  if (!counts || !table) return
  await ctx.rawDb
    .updateTable(table)
    .set({ counts: JSON.stringify(counts) })
    .where('id', '=', record.execution_id)
    .where('counts', 'is not', null)
    .execute()
}

/**
 * Makes the new secret of a record, which was verified, the account's current one, in the transaction of the context.
 * Every secret that the account had stays in its history; what else was in doubt of it is not any more. Returns whether somebody changed the stored secret meanwhile.
 */
export async function adopt(ctx: Context, record: SecretRecordRow): Promise<boolean> {
  const { vault } = ctx.services
  const accountId = record.account_id
  if (accountId) await lockRow(ctx, account.table, accountId)
  // One that was deleted meanwhile has its secrets in the record.
  const row = accountId ? await findById(ctx, account, accountId) : undefined
  const secret = record.new_secret ? vault.open(record.new_secret) : ''
  let isEdited = false
  if (row && secret) {
    // Undefined while the vault of secrets cannot be used: what the target has now must be stored all the same.
    const present = row.secret ? (await openReachableSecrets(ctx, 'account', [row])).get(row.id) : ''
    const before = record.old_secret ? vault.open(record.old_secret) : ''
    isEdited = present !== undefined && present !== before && present !== secret
    const works = { connectivity: 'ok' as const, date_verified: Date.now() }
    if (present !== secret) {
      const version = Math.max((await amountsKept(ctx, [row.id]))(row.id), 1)
      const fingerprint = (row.secret_type === 'ssh_key' && readPrivateKey(secret, undefined)?.fingerprint) || ''
      const { entrusted } = record
      await updateRow(ctx, account, row.id, {
        secret,
        fingerprint,
        version,
        entrusted,
        ...works,
        date_updated: ctx.now,
      })
      await remember(ctx, [{ id: row.id, secret, secret_type: row.secret_type, version }])
    } else await updateRow(ctx, account, row.id, works)
  }
  await updateRow(ctx, secretRecord, record.id, {
    status: 'success',
    in_doubt: false,
    error: null,
    error_code: null,
    date_finished: Date.now(),
  })
  if (accountId) await countAsSuccess(ctx, record, accountId)
  const message = say(rotationMessages.superseded, ctx.language)
  for (const { id } of accountId ? await openRecords(ctx, accountId) : [])
    await closeRecord(ctx, id, { status: 'failed', code: 'superseded', message })
  return isEdited
}
