import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import type { AnyRow, Db } from '../../db/database.ts'
import type { Context } from '../../kernel/module/context.ts'
import { lineage, placementsOnce } from '../assets/index.ts'
import type { Rule } from './effective.ts'

// biome-ignore lint/suspicious/noExplicitAny: conditions for queries over tables the builder does not know
type Builder = ExpressionBuilder<any, any>
/** A statement that selects ids, for use as a subselect. */
// biome-ignore lint/suspicious/noExplicitAny: a statement over tables the builder does not know
export type Ids = SelectQueryBuilder<any, any, any>

/*
 * Each condition below is one list of ids, even where a permission may name an object in two ways: for "this or that"
 * PostgreSQL reads every permission.
 */

/** "The permission names the user", in a query whose table `p` is the permissions. */
export const concernsUser =
  (userId: string, withGroups = true) =>
  (eb: Builder) =>
    eb('p.id', 'in', (inner: Builder) => {
      const direct = inner
        .selectFrom('perms_assetpermission_users')
        .select('assetpermission_id')
        .where('user_id', '=', userId)
      if (!withGroups) return direct
      const byGroup = inner
        .selectFrom('perms_assetpermission_user_groups as pg')
        .innerJoin('users_user_groups as ug', 'ug.usergroup_id', 'pg.usergroup_id')
        .select('pg.assetpermission_id')
        .where('ug.user_id', '=', userId)
      return direct.unionAll(byGroup)
    })

/** "The permission names the asset or a node it is in or below", by the keys of all those nodes. */
export const concernsAsset =
  (assetId: string, nodeKeys: readonly string[], withNodes = true) =>
  (eb: Builder) =>
    eb('p.id', 'in', (inner: Builder) => {
      const direct = inner
        .selectFrom('perms_assetpermission_assets')
        .select('assetpermission_id')
        .where('asset_id', '=', assetId)
      return withNodes && nodeKeys.length > 0 ? direct.unionAll(namingNodes(inner, nodeKeys)) : direct
    })

export const concernsNodes = (keys: readonly string[]) => (eb: Builder) =>
  eb('p.id', 'in', (inner: Builder) => namingNodes(inner, keys))

const namingNodes = (eb: Builder, keys: readonly string[]) =>
  eb
    .selectFrom('perms_assetpermission_nodes as pn')
    .innerJoin('assets_node as n', 'n.id', 'pn.node_id')
    .select('pn.assetpermission_id')
    .where('n.key', 'in', keys)

/** "Active, started and not expired", now. */
export const validNow = (now: number) => (eb: Builder) =>
  eb.and([eb('p.is_active', '=', true), eb('p.date_start', '<', now), eb('p.date_expired', '>', now)])

/**
 * Permissions that are valid now and name the user or a group of theirs; of the current organization, or of all in the
 * root view.
 */
export function validOf(ctx: Context, userId: string): SelectQueryBuilder<{ p: AnyRow }, 'p', AnyRow> {
  const all = permissions(ctx.rawDb).where(validNow(ctx.now)).where(concernsUser(userId))
  return ctx.isRootOrg ? all : all.where(ofOrganization(ctx.orgId))
}

/**
 * "Of the organization", for permissions that are few already. Deliberately not a plain comparison: SQLite has no
 * statistics of its tables and would use the index on the organization, reading all of its permissions.
 */
export const ofOrganization = (orgId: string) => (eb: Builder) => eb(eb.fn.coalesce('p.org_id', eb.val('')), '=', orgId)

export const permissions = (db: Db) =>
  db.selectFrom('perms_assetpermission as p') as unknown as SelectQueryBuilder<{ p: AnyRow }, 'p', AnyRow>

/** Keys of every node an asset is in, and of their ancestors; the organization's root when it is in none. */
export async function keysAbove(ctx: Context, assetId: string): Promise<string[]> {
  if (ctx.inTransaction) return storedKeysAbove(ctx, assetId)
  const index = await placementsOnce(ctx)
  const asset = index.assetAt(assetId)
  if (asset === undefined) return []
  const nodes = index.nodesOf(asset)
  const tops = nodes.length > 0 ? nodes : index.roots.filter((root) => index.node(root).org_id === index.orgOf(asset))
  return [...new Set(tops.flatMap((node) => lineage(index.node(node).key)))]
}

/** The same from the tables, including uncommitted changes of the transaction. */
async function storedKeysAbove(ctx: Context, assetId: string): Promise<string[]> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('assets_asset_nodes as m')
    .innerJoin('assets_node as n', 'n.id', 'm.node_id')
    .select('n.key')
    .where('m.asset_id', '=', assetId)
    .execute()
  if (rows.length === 0) {
    const root = await ctx.acrossOrganizations
      .selectFrom('assets_asset as a')
      .innerJoin('assets_node as n', 'n.org_id', 'a.org_id')
      .select('n.key')
      .where('a.id', '=', assetId)
      .where('n.parent_key', '=', '')
      .execute()
    return root.map(({ key }) => key)
  }
  return [...new Set(rows.flatMap(({ key }) => lineage(key)))]
}

/** The rules that grant a user access to an asset now, regardless of the current organization; none means no access. */
export async function rulesFor(ctx: Context, userId: string, assetId: string): Promise<Rule[]> {
  const keys = await keysAbove(ctx, assetId)
  const rows = await permissions(ctx.rawDb)
    .selectAll('p')
    .where(validNow(ctx.now))
    // The user condition first, which SQLite then uses for the lookup: a root may be named by thousands of permissions.
    .where(concernsUser(userId))
    .where(concernsAsset(assetId, keys))
    .orderBy('p.date_expired', 'desc')
    .orderBy('p.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    accounts: JSON.parse(row.accounts),
    protocols: JSON.parse(row.protocols),
    actions: Number(row.actions),
    date_expired: Number(row.date_expired),
  }))
}
