import { rotationMessages } from '@castellan/contract/messages/rotation'
import { batches } from '../../../db/batches.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { notifyUsers } from '../../notifications/index.ts'

/** Accounts whose stored secrets are set on their assets. */
export interface PushRequest {
  accounts: readonly string[]
  /** Parameters of methods, by the id of the method. */
  params?: unknown
}

/** The background task that pushes chosen accounts. */
export const pushTask = 'accounts.tasks.push_account.push_accounts_to_assets_task'

const tellNotPermitted = (ctx: Context) =>
  notifyUsers(ctx, ctx.caller ? [ctx.caller.id] : [], {
    subject: rotationMessages.push_left_subject,
    body: rotationMessages.push_left_body,
  })

/**
 * Queues a push of accounts that are being saved; those of one transaction with the same parameters are one task. A
 * caller who may not push is told that the accounts were only stored.
 */
export async function requestPush(ctx: Context, ids: readonly string[], params: unknown): Promise<void> {
  if (ids.length === 0) return
  if (ctx.caller && !ctx.can('accounts.push_account')) {
    await ctx.once('accounts.push-left', () => tellNotPermitted(ctx))
    return
  }
  const wanted = await ctx.once(`accounts.push:${ctx.orgId}:${JSON.stringify(params ?? null)}`, async () => {
    const accounts = new Set<string>()
    await ctx.beforeCommit(async () => {
      const request: PushRequest = { accounts: [...accounts], params }
      await ctx.enqueue({ name: pushTask, run: async () => undefined }, request)
    })
    return accounts
  })
  for (const id of ids) wanted.add(id)
}

interface SavedAccount {
  readonly mode: 'create' | 'update'
  readonly row: { id: string; org_id: string; source: string | null; source_id: string | null }
  readonly values: { push_now?: boolean | null; params?: unknown }
}

/** Pushes saved accounts whose body asks for it, and new ones of templates that say so. For `afterSave`. */
export async function pushSaved(ctx: Context, changes: readonly SavedAccount[]): Promise<void> {
  for (const { row, values } of changes)
    if (values.push_now)
      await requestPush(ctx.orgId === row.org_id ? ctx : ctx.inOrg(row.org_id), [row.id], values.params)
  const made = changes.filter(
    ({ mode, row, values }) => mode === 'create' && row.source === 'template' && row.source_id && !values.push_now,
  )
  const templates = new Map<string, unknown>()
  for (const some of batches([...new Set(made.map(({ row }) => String(row.source_id)))]))
    for (const { id, push_params } of await ctx.acrossOrganizations
      .selectFrom('accounts_accounttemplate')
      .select(['id', 'push_params'])
      .where('id', 'in', some)
      .where('auto_push', '=', true)
      .execute())
      templates.set(id, findResource('accounts.accounttemplate').decode({ push_params }).push_params)
  for (const { row } of made)
    if (templates.has(String(row.source_id)))
      await requestPush(
        ctx.orgId === row.org_id ? ctx : ctx.inOrg(row.org_id),
        [row.id],
        templates.get(String(row.source_id)),
      )
}
