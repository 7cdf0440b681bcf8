import { defaultOrgId, roleIds, rootOrgId } from '@castellan/contract/ids'
import { builtinRoles, orgPermissions, systemPermissions } from '@castellan/contract/permissions'
import { defineEvent } from '../../kernel/events/events.ts'
import type { Caller, Context, OrgPlace, Services } from '../../kernel/module/context.ts'

/** Roles, their permissions or their bindings changed. */
export const rolesChanged = defineEvent<object>('rbac.roles.changed')

interface HeldRole {
  role_id: string
  scope: 'system' | 'org'
  org_id: string | null
  permissions: string
}

/** Permissions of built-in roles come from the catalog, of custom ones from their row. */
export function roleCodes(id: string, stored: readonly string[], scope: 'system' | 'org'): readonly string[] {
  const builtin = builtinRoles.find((role) => role.id === id)
  const codes: readonly string[] = builtin ? builtin.permissions : stored
  const universe = new Set<string>(scope === 'org' ? orgPermissions : systemPermissions)
  return codes.filter((code) => universe.has(code))
}

const held = async (ctx: Context, userId: string): Promise<HeldRole[]> =>
  (await ctx.services.database.reader
    .selectFrom('rbac_rolebinding as b')
    .innerJoin('rbac_role as r', 'r.id', 'b.role_id')
    .select(['b.role_id', 'b.org_id', 'r.scope', 'r.permissions'])
    .where('b.user_id', '=', userId)
    .execute()) as HeldRole[]

/** A user's access to an organization. */
export interface OrgAccess {
  /** Permission codes in that organization. */
  readonly codes: ReadonlySet<string>
  /** Whether the user may act there at all: by a role in it, or by a system role other than the one every user has. */
  readonly belongs: boolean
}

const cache = new Map<string, OrgAccess>()
const cacheSize = 20_000
/** Counts change events: a value read before one must not be cached after it. */
let generation = 0

function forget(): void {
  generation += 1
  cache.clear()
}

export function forgetPermissions(services: Services): void {
  services.events.on(rolesChanged, forget)
}

/** The codes every user holds; they give no access to an organization the user does not belong to. */
const everyUsers = new Set(roleCodes(roleIds.user, [], 'system'))
/** The codes that give access to the view over all organizations. */
const intoRoot = ['orgs.view_rootorg', 'orgs.view_alljoinedorg']

/** A user's access to an organization: system roles apply everywhere, organization roles in theirs. */
export async function accessIn(ctx: Context, caller: Pick<Caller, 'id'>, orgId: string): Promise<OrgAccess> {
  const key = `${caller.id}|${orgId}`
  const known = cache.get(key)
  if (known) return known
  const asked = generation
  const codes = new Set<string>()
  let isMember = false
  let isSystemWide = false
  for (const { role_id, scope, org_id, permissions } of await held(ctx, caller.id)) {
    const inSystem = scope === 'system' && org_id === null
    const here = inSystem || (scope === 'org' && org_id === orgId && orgId !== rootOrgId)
    if (!here) continue
    const granted = roleCodes(role_id, JSON.parse(permissions), scope)
    for (const code of granted) codes.add(code)
    if (!inSystem) isMember = true
    else if (granted.some((code) => !everyUsers.has(code))) isSystemWide = true
  }
  const seesRoot = orgId === rootOrgId && intoRoot.some((code) => codes.has(code))
  const access = { codes, belongs: isMember || isSystemWide || seesRoot }
  if (cache.size >= cacheSize) cache.clear()
  if (asked === generation) cache.set(key, access)
  return access
}

/** A user's codes in an organization, whether or not they belong to it. */
export const permissionsOf = async (ctx: Context, caller: Pick<Caller, 'id'>, orgId: string) =>
  (await accessIn(ctx, caller, orgId)).codes

/** The first organization, by name, in which the user holds a role. */
async function homeOf(ctx: Context, userId: string): Promise<string> {
  const row = await ctx.services.database.reader
    .selectFrom('rbac_rolebinding as b')
    .innerJoin('orgs_organization as o', 'o.id', 'b.org_id')
    .select('o.id')
    .where('b.user_id', '=', userId)
    .orderBy('o.name')
    .limit(1)
    .executeTakeFirst()
  return row ? String(row.id) : defaultOrgId
}

/**
 * The organization a request acts in: the requested one, or, when the caller does not belong to it, one of the caller's
 * own. Then nothing of the requested organization is read, and routes that require a permission reject the call.
 * @param isNamed whether the request names the organization explicitly
 */
export async function placeOf(ctx: Context, caller: Caller, orgId: string, isNamed: boolean): Promise<OrgPlace> {
  const { codes, belongs } = await accessIn(ctx, caller, orgId)
  if (belongs) return { orgId, codes, isOutsider: false }
  const home = await homeOf(ctx, caller.id)
  const own = await accessIn(ctx, caller, home)
  return { orgId: home, codes: own.codes, isOutsider: isNamed }
}
