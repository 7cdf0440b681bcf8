import type { Context } from '../../../kernel/context.ts'
import type { ListQuery } from '../../../kernel/resource.ts'
import { placementsOnce, subtree, withinOther } from '../../assets/index.ts'
import type { GrantScope } from '../coverage.ts'
import { reachBy } from '../named-things.ts'
import { type Ids, validOf } from '../valid-permissions.ts'

/** What permissions give somebody: as places in the index, and ready to stand in a statement. */
export interface Grant {
  /** Permissions that give something now: their ids, as a sub-select. */
  readonly permissions: Ids
  readonly reach: GrantScope
  /** Keys of the granted nodes of which no other granted one is above. */
  readonly granted: readonly string[]
  /** Organizations whose root is granted: everything in them is. */
  readonly wholeOrgs: readonly string[]
}

/** What a person is granted now in the current organization, or in all of them in the root view. */
export const grantOf = (ctx: Context, userId: string): Promise<Grant> =>
  ctx.once(`perms.grant ${ctx.orgId} ${userId}`, () => grantBy(ctx, validOf(ctx, userId).select('p.id') as Ids))

/** What some permissions give together. */
export async function grantBy(ctx: Context, permissions: Ids): Promise<Grant> {
  const [index, rows] = await ctx.together(
    () => placementsOnce(ctx),
    () => permissions.execute(),
  )
  const ids = rows.map(({ id }) => id as string)
  const reach = await reachBy(ctx, index, ids)
  const granted = [...reach.granted].map((at) => index.node(at))
  return {
    permissions,
    reach,
    granted: granted.map(({ key }) => key),
    wholeOrgs: granted.filter(({ parent_key }) => parent_key === '').map(({ org_id }) => org_id),
  }
}

/** Ids of the nodes that are granted or below a granted one. */
export const coveredNodes = (ctx: Context, grant: Grant): Ids =>
  ctx.unscoped
    .selectFrom('assets_node as g')
    .innerJoin('assets_node as n', (join) => join.on(withinOther('n.key', 'g.key')))
    .select('n.id')
    .where('g.key', 'in', grant.granted)

/** Ids of the assets that permissions name themselves. */
export const directAssets = (ctx: Context, grant: Grant): Ids =>
  ctx.unscoped
    .selectFrom('perms_assetpermission_assets')
    .select('asset_id')
    .where('assetpermission_id', 'in', grant.permissions)

/** Ids of the assets in granted nodes or below them. */
const assetsByNodes = (ctx: Context, grant: Grant): Ids =>
  ctx.unscoped
    .selectFrom('assets_asset_nodes as m')
    .select('m.asset_id')
    .where('m.node_id', 'in', coveredNodes(ctx, grant))

/** From so many assets on, a page is found faster by walking assets in order than by sorting what is granted. */
export const walking = { from: 2000 }
/** So many granted nodes are tested one by one on each asset that is passed; more are looked up. */
const mostRanges = 200

/** Whether the assets in granted nodes are many. */
function areMany({ reach: { index, granted } }: Grant): boolean {
  let many = 0
  for (const node of granted) {
    many += index.totals[node] ?? 0
    if (many >= walking.from) return true
  }
  return false
}

/** The placements of an asset `t` in granted nodes or below them. */
function placedInGranted(ctx: Context, grant: Grant) {
  const placements = ctx.unscoped
    .selectFrom('assets_asset_nodes as m')
    .select('m.asset_id')
    .whereRef('m.asset_id', '=', 't.id')
  return grant.granted.length > mostRanges
    ? placements.where('m.node_id', 'in', coveredNodes(ctx, grant))
    : placements
        .innerJoin('assets_node as n', 'n.id', 'm.node_id')
        .where((eb) => eb.or(grant.granted.map((key) => subtree(key, 'n.key')(eb))))
}

/** Whether everything in the current organization is granted, by its root. */
export const isWhole = (ctx: Context, grant: Grant): boolean => !ctx.isRootOrg && grant.wholeOrgs.includes(ctx.orgId)

/** A list of assets (`t`) narrowed to the granted ones. */
export function grantedOnly(ctx: Context, query: ListQuery, grant: Grant): ListQuery {
  // Whoever is granted an organization's root is granted all of it: no set has to be made.
  if (isWhole(ctx, grant)) return query.where('t.org_id', '=', ctx.orgId)
  const walk = grant.granted.length > 0 && areMany(grant)
  return query.where((eb) => {
    const ways = [eb('t.id', 'in', directAssets(ctx, grant))]
    if (walk) ways.push(eb.exists(placedInGranted(ctx, grant)))
    else if (grant.granted.length > 0) ways.push(eb('t.id', 'in', assetsByNodes(ctx, grant)))
    if (grant.wholeOrgs.length > 0) ways.push(eb('t.org_id', 'in', [...grant.wholeOrgs]))
    return eb.or(ways)
  })
}

/** A list of assets (`t`) narrowed to those that permissions name themselves. */
export const directOnly = (ctx: Context, query: ListQuery, grant: Grant): ListQuery =>
  query.where('t.id', 'in', directAssets(ctx, grant))
