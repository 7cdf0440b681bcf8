import { say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { SecretType } from '@castellan/contract/protocols'
import { defineJob } from '../../kernel/jobs/kinds.ts'
import { JobFailure } from '../../kernel/jobs/states.ts'
import type { Context } from '../../kernel/module/context.ts'
import { findAll, findById, updateRow } from '../../kernel/resource/repository.ts'
import type { Sealed } from '../../kernel/security/secrets.ts'
import { account } from './account.ts'
import type { AccountRow } from './account-fields.ts'
import { amountsKept, remember } from './history.ts'
import { checkSecret } from './secret-rules.ts'
import { accountTemplate, type TemplateRow } from './template.ts'
import { freshSecret } from './template-values.ts'

/** Whether another account of the asset has the name, or the username with the same type of secret. */
async function isTaken(ctx: Context, row: AccountRow, template: TemplateRow): Promise<boolean> {
  const other = await ctx.acrossOrganizations
    .selectFrom(account.table)
    .select('id')
    .where('asset_id', '=', row.asset_id)
    .where('id', '!=', row.id)
    .where((eb) =>
      eb.or([
        eb('name', '=', template.name),
        eb.and([eb('username', '=', template.username), eb('secret_type', '=', template.secret_type)]),
      ]),
    )
    .executeTakeFirst()
  return other !== undefined
}

/** The secret a template gives one account, and its fingerprint. */
function secretFor(template: TemplateRow): { secret: Sealed | string | null; fingerprint: string } {
  if (template.secret_strategy !== 'random') return { secret: template.secret, fingerprint: template.fingerprint }
  const checked = checkSecret(template.secret_type as SecretType, freshSecret(template), undefined)
  if (checked.problem) throw new Error('A generated secret is invalid.')
  return { secret: checked.secret, fingerprint: checked.fingerprint }
}

/** Updates one account from its template; detaches it when the asset already has such an account. */
async function follow(ctx: Context, row: AccountRow, template: TemplateRow, by: string | null): Promise<boolean> {
  if (await isTaken(ctx, row, template)) {
    await updateRow(ctx, account, row.id, { source_id: null })
    return false
  }
  const { secret, fingerprint } = secretFor(template)
  const { name, username, secret_type } = template
  const version = (await amountsKept(ctx, [row.id]))(row.id) + 1
  const kept = { secret_type, secret, version }
  // What was entrusted to a decision about the asset was the secret before, not that of the template.
  const values = { name, username, fingerprint, ...kept, entrusted: '', date_updated: ctx.now }
  await updateRow(ctx, account, row.id, values)
  await remember(ctx, [{ id: row.id, ...kept }], by)
  return true
}

/** Updates the accounts of a template. */
export const syncAccounts = defineJob<{ template: string; by: string | null }>({
  name: 'accounts.tasks.template.template_sync_related_accounts',
  delivery: 'idempotent',
  timeout: 3_600_000,
  async run(ctx, { template: id, by }, job) {
    const template = await findById(ctx, accountTemplate, id)
    if (!template) return { synced: 0, failed: 0 }
    const rows = await findAll(ctx, account, (query) => query.where('t.source_id', '=', id).orderBy('t.id'))
    const label = (row: AccountRow) => `${row.name}(${row.username})`
    await job.planItems(async () =>
      rows.map((row) => ({ target: { type: account.key, id: row.id, label: label(row) } })),
    )
    const made = { count: rows.length, template: template.name }
    await job.log(say(taskLogs.accounts_of_template, ctx.language, made))
    const known = new Map(rows.map((row) => [row.id as string, row]))
    const { total, failed } = await job.eachItem<unknown, 'followed'>({ concurrency: 1 }, async (item) => {
      const row = known.get(item.target.id)
      // A further attempt makes no further secret and no further version of it.
      if (!row || item.reached === 'followed') return
      const named = { account: item.target.label }
      const done = await ctx.transaction(async (inside) => {
        const isFollowing = await follow(inside, row, template, by)
        if (isFollowing) await item.checkpoint('followed', inside)
        return isFollowing
      })
      const line = say(done ? taskLogs.account_followed : taskLogs.account_taken, ctx.language, named)
      await job.log(line)
      if (!done) throw new JobFailure('account_taken', line)
    })
    const synced = total - failed
    await job.log(say(taskLogs.accounts_followed, ctx.language, { synced, failed }))
    return { synced, failed }
  },
})
