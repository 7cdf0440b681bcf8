import type { Context } from '../../../kernel/module/context.ts'
import type { ListQuery } from '../../../kernel/resource/resource.ts'
import { placementsOnce, subtree, withinOther } from '../../assets/index.ts'
import type { GrantScope } from '../coverage.ts'
import { reachBy } from '../named-things.ts'
import { type Ids, validOf } from '../valid-permissions.ts'

/** The scope of a user's permissions: as indexes, and as conditions for queries. */
export interface Grant {
  /** Ids of the permissions that grant access now, as a subselect. */
  readonly permissions: Ids
  readonly reach: GrantScope
  /** Keys of the granted nodes without a granted ancestor. */
  readonly granted: readonly string[]
  /** Organizations whose root is granted, and with it all their assets. */
  readonly wholeOrgs: readonly string[]
}

/** A user's grants now, in the current organization, or in all of them in the root view. */
export const grantOf = (ctx: Context, userId: string): Promise<Grant> =>
  ctx.once(`perms.grant ${ctx.orgId} ${userId}`, () => grantBy(ctx, validOf(ctx, userId).select('p.id') as Ids))

/** The combined grants of permissions. */
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
  ctx.acrossOrganizations
    .selectFrom('assets_node as g')
    .innerJoin('assets_node as n', (join) => join.on(withinOther('n.key', 'g.key')))
    .select('n.id')
    .where('g.key', 'in', grant.granted)

/** Ids of the directly granted assets. */
export const directAssets = (ctx: Context, grant: Grant): Ids =>
  ctx.rawDb
    .selectFrom('perms_assetpermission_assets')
    .select('asset_id')
    .where('assetpermission_id', 'in', grant.permissions)

/** Ids of the assets in granted nodes or below them. */
const assetsByNodes = (ctx: Context, grant: Grant): Ids =>
  ctx.rawDb
    .selectFrom('assets_asset_nodes as m')
    .select('m.asset_id')
    .where('m.node_id', 'in', coveredNodes(ctx, grant))

/**
 * From this number of assets on, a page is found faster by reading assets in order than by sorting the granted ones.
 */
export const walking = { from: 2000 }
/** Maximum number of granted nodes tested one by one per asset; more are looked up. */
const mostRanges = 200

/** Whether granted nodes contain many assets. */
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
  const placements = ctx.rawDb
    .selectFrom('assets_asset_nodes as m')
    .select('m.asset_id')
    .whereRef('m.asset_id', '=', 't.id')
  return grant.granted.length > mostRanges
    ? placements.where('m.node_id', 'in', coveredNodes(ctx, grant))
    : placements
        .innerJoin('assets_node as n', 'n.id', 'm.node_id')
        .where((eb) => eb.or(grant.granted.map((key) => subtree(key, 'n.key')(eb))))
}

/** Whether the root of the current organization is granted. */
export const isWhole = (ctx: Context, grant: Grant): boolean => !ctx.isRootOrg && grant.wholeOrgs.includes(ctx.orgId)

/** Narrows a list of assets (`t`) to the granted ones. */
export function grantedOnly(ctx: Context, query: ListQuery, grant: Grant): ListQuery {
  // A granted root grants the whole organization, so no set is needed.
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

/** Narrows a list of assets (`t`) to the directly granted ones. */
export const directOnly = (ctx: Context, query: ListQuery, grant: Grant): ListQuery =>
  query.where('t.id', 'in', directAssets(ctx, grant))
