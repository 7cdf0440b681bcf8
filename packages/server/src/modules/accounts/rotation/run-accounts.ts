import { say } from '@castellan/contract/messages'
import { rotationErrors, rotationMessages } from '@castellan/contract/messages/rotation'
import { batches } from '../../../db/batches.ts'
import type { NewItem } from '../../../kernel/jobs/item-rows.ts'
import { defineJob, type JobRun } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, text } from '../../../kernel/module/errors.ts'
import { findAll, findById } from '../../../kernel/resource/repository.ts'
import {
  demandMethod,
  eachTarget,
  methodParams,
  startedBy,
  TargetFailure,
  type TargetItem,
  targetAssets,
} from '../../assets/index.ts'
import { account } from '../account.ts'
import type { AccountRow } from '../account-fields.ts'
import { secretForAsset } from '../secret.ts'
import { type AccountPayload, accountItems } from './plan-accounts.ts'
import { type PushRequest, pushTask } from './push-request.ts'
import { type SecretRecordRow, secretRecord } from './record.ts'
import { type RotationStep, rotate } from './rotate.ts'

/** Targets at the same time, and how long one of them may take. Milliseconds. */
const pace = { concurrency: 50, timeout: 120_000 }

/** One item for each account whose asset still exists. */
export async function itemsOf(ctx: Context, ids: readonly string[]): Promise<NewItem[]> {
  const items: NewItem[] = []
  for (const some of batches(ids)) {
    const rows = await findAll(ctx, account, (query) => query.where('t.id', 'in', some))
    const assets = await targetAssets(ctx, { assets: [...new Set(rows.map(({ asset_id }) => String(asset_id)))] })
    items.push(...accountItems(ctx, rows, assets))
  }
  return items
}

type Item = TargetItem<AccountPayload, RotationStep>

/** The secret that an account has, for its asset. */
async function storedSecret(ctx: Context, row: AccountRow): Promise<string> {
  if (row.secret) return secretForAsset(ctx, row)
  throw new TargetFailure('no_secret', say(rotationMessages.no_stored_secret, ctx.language))
}

const pushOne = (ctx: Context, job: JobRun, target: Item, sent: unknown) => {
  const config = target.platform?.automation
  const method = demandMethod(ctx, target.platform, 'push_account') ?? ''
  return rotate(
    {
      ctx,
      job,
      origin: 'quick_push',
      creates: true,
      keyStrategy: 'add',
      newSecret: (row) => storedSecret(ctx, row),
    },
    { ...target, method, params: methodParams(config, 'push_account', sent) },
  )
}

/** Sets the stored secrets of chosen accounts on their assets, which get the accounts they do not have. */
export const pushChosen = defineJob<PushRequest>({
  name: pushTask,
  delivery: 'idempotent',
  timeout: 3_600_000,
  concurrency: 4,
  watchedWith: 'accounts.push_account',
  repeatedWith: 'accounts.push_account',
  async run(outer, { accounts, params }, job) {
    const starter = await startedBy(outer, job, 'accounts.push_account')
    const { ctx } = starter
    await job.planItems(async () => {
      const items = await itemsOf(ctx, accounts)
      await job.log(say(rotationMessages.pushing, ctx.language, { count: items.length }))
      return items
    })
    return eachTarget<AccountPayload, RotationStep>(starter, job, pace, (target) => pushOne(ctx, job, target, params))
  },
})

/** Does records again, each with the secret that it holds. */
export const retryRecords = defineJob<{ record: string }>({
  name: 'accounts.tasks.automation.execute_automation_record_task',
  delivery: 'idempotent',
  timeout: 3_600_000,
  concurrency: 4,
  watchedWith: 'accounts.view_changesecretexecution',
  repeatedWith: 'accounts.add_changesecretexecution',
  async run(outer, { record: id }, job) {
    const starter = await startedBy(outer, job, 'accounts.add_changesecretexecution')
    const { ctx } = starter
    return eachTarget<AccountPayload, RotationStep>(starter, job, pace, async (target) => {
      const record = await findById(ctx, secretRecord, id)
      const isChange = record?.origin === 'change_secret'
      const kind = isChange ? 'change_secret' : 'push_account'
      const method = demandMethod(ctx, target.platform, kind) ?? ''
      await rotate(
        {
          ctx,
          job,
          origin: 'quick_push',
          creates: !isChange,
          keyStrategy: 'add',
          newSecret: (row) => storedSecret(ctx, row),
        },
        { ...target, method, params: methodParams(target.platform?.automation, kind, {}) },
      )
    })
  },
})

/** Queues the repetition of one record. Returns the id of the task. */
export async function retryRecord(ctx: Context, record: SecretRecordRow): Promise<string> {
  if (record.status === 'success') throw badRequest(text(rotationErrors.record_done))
  const inside = ctx.inOrg(record.org_id)
  const items = record.account_id ? await itemsOf(inside, [record.account_id]) : []
  if (items.length === 0) throw badRequest(text(rotationErrors.record_without_account))
  const named = items.map((item) => ({ ...item, payload: { ...(item.payload as object), record: record.id } }))
  return inside.enqueue(
    retryRecords,
    { record: record.id },
    { items: named, uniqueKey: `accounts.record:${record.id}` },
  )
}
