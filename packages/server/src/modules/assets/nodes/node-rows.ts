import { defaultOrgId } from '@castellan/contract/ids'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { normalUuid } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { notFound } from '../../../kernel/module/errors.ts'

/** A stored node, with the columns used by the tree. */
export type NodeRow = {
  id: string
  key: string
  value: string
  full_value: string
  parent_key: string
  child_mark: number
  org_id: string
}

const nodes = (ctx: Context) => {
  const all = ctx.acrossOrganizations.selectFrom('assets_node').selectAll()
  return ctx.isRootOrg ? all : all.where('org_id', '=', ctx.orgId)
}

export async function rowById(ctx: Context, id: string): Promise<NodeRow> {
  const row = await nodes(ctx).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound(assetsMessages.node)
  return row as NodeRow
}

/** A node of the caller's organization by id or key; undefined when there is none. */
export async function nodeBy(ctx: Context, word: string): Promise<NodeRow | undefined> {
  const id = normalUuid(word)
  if (!id && !/^[\d:]+$/.test(word)) return undefined
  return (await nodes(ctx)
    .where(id ? 'id' : 'key', '=', id ?? word)
    .executeTakeFirst()) as NodeRow | undefined
}

/** The root of the current organization, or all roots in the root view. */
export async function rootNodes(ctx: Context): Promise<NodeRow[]> {
  return (await nodes(ctx).where('parent_key', '=', '').orderBy('value').execute()) as NodeRow[]
}

/** The root of the current organization; the default organization's in the root view. Always exists. */
export async function orgRoot(ctx: Context): Promise<NodeRow> {
  const orgId = ctx.isRootOrg ? defaultOrgId : ctx.orgId
  const row = await ctx.rawDb
    .selectFrom('assets_node')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('parent_key', '=', '')
    .executeTakeFirst()
  if (!row) throw notFound(assetsMessages.node)
  return row as NodeRow
}
