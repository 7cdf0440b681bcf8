import { say } from '@castellan/contract/messages'
import { accountsMessages } from '@castellan/contract/messages/accounts'
import { batches } from '../../db/batches.ts'
import { normalUuid } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { scoped } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { createAccounts } from '../accounts/index.ts'
import { withinOther } from '../assets/index.ts'
import type { PermissionChange, PermissionHooks } from './permission-fields.ts'

/** Templates that a permission being saved names as `%<id>`. */
const templatesOf = new WeakMap<PermissionChange, { id: string }[]>()

/** Replaces templates by account names; ids without a template in the organization are dropped. */
async function replaceTemplates(ctx: Context, changes: PermissionChange[]): Promise<void> {
  const ids = changes.flatMap(({ values }) => named(values.accounts).flatMap((id) => normalUuid(id) ?? []))
  const rows =
    ids.length > 0
      ? await scoped(ctx, findResource('accounts.accounttemplate'))
          .where('t.id', 'in', [...new Set(ids)])
          .execute()
      : []
  for (const change of changes) {
    const wanted = named(change.values.accounts)
    if (wanted.length === 0) continue
    const templates = rows.filter((row) => wanted.some((id) => normalUuid(id) === row.id))
    const plain = (change.values.accounts ?? []).filter((item) => !item.startsWith('%'))
    change.row.accounts = [...new Set([...plain, ...templates.map(({ username }) => String(username))])]
    change.values.accounts = change.row.accounts
    templatesOf.set(
      change,
      templates.map(({ id }) => ({ id: String(id) })),
    )
  }
}

const named = (accounts: unknown): string[] =>
  Array.isArray(accounts) ? accounts.flatMap((item: string) => (item.startsWith('%') ? [item.slice(1)] : [])) : []

/** Assets named by a body, directly or by nodes that contain them or their descendants. */
async function assetsOf(ctx: Context, values: PermissionChange['values']): Promise<string[]> {
  const ids = new Set<string>(values.assets ?? [])
  const nodes = values.nodes ?? []
  if (nodes.length > 0)
    for (const { asset_id } of await ctx.acrossOrganizations
      .selectFrom('assets_node as g')
      .innerJoin('assets_node as n', (join) => join.on(withinOther('n.key', 'g.key')))
      .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
      .select('m.asset_id')
      .distinct()
      .where('g.id', 'in', nodes)
      .execute())
      ids.add(asset_id)
  return [...ids]
}

/** Creates accounts from the named templates on assets of the body that lack them. */
async function makeAccounts(ctx: Context, changes: PermissionChange[]): Promise<void> {
  const suffix = `-${say(accountsMessages.accounttemplate, ctx.language)}`
  const named = (template: string) => `${template.slice(0, 128 - suffix.length)}${suffix}`
  for (const change of changes) {
    const templates = templatesOf.get(change) ?? []
    if (templates.length === 0) continue
    const assets = await assetsOf(ctx, change.values)
    for (const { id } of templates)
      for (const some of batches(assets))
        await createAccounts(
          ctx,
          some.map((asset) => ({ asset, template: id, on_invalid: 'skip' })),
          { bulk: true, query: {}, named },
        )
  }
}

export const templateHooks: PermissionHooks = { validate: replaceTemplates, afterSave: makeAccounts }
