import { roleIds, rootOrgId } from '@castellan/contract/ids'
import { builtinRoles, orgPermissions, systemPermissions } from '@castellan/contract/permissions'
import type { Caller, Context, Services } from '../../kernel/context.ts'
import { defineEvent } from '../../kernel/events.ts'

/** Roles, their rights or their holders changed. */
export const rolesChanged = defineEvent<object>('rbac.roles.changed')

interface HeldRole {
  role_id: string
  scope: 'system' | 'org'
  org_id: string | null
  permissions: string
}

/** Rights of built-in roles come from the catalogue, of custom ones from their row. */
export function roleCodes(id: string, stored: readonly string[], scope: 'system' | 'org'): readonly string[] {
  if (id === roleIds.systemAdmin) return systemPermissions
  if (id === roleIds.orgAdmin) return orgPermissions
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

const cache = new Map<string, ReadonlySet<string>>()
const cacheSize = 20_000
/** Counts the changes heard of: what was read before one must not be kept after it. */
let generation = 0

function forget(): void {
  generation += 1
  cache.clear()
}

export function forgetPermissions(services: Services): void {
  services.events.on(rolesChanged, forget)
}

/** Codes a person holds in an organisation: system roles everywhere, the organisation's roles in it (identity.md §8.1). */
export async function permissionsOf(
  ctx: Context,
  caller: Pick<Caller, 'id'>,
  orgId: string,
): Promise<ReadonlySet<string>> {
  const key = `${caller.id}|${orgId}`
  const known = cache.get(key)
  if (known) return known
  const asked = generation
  const codes = new Set<string>()
  for (const { role_id, scope, org_id, permissions } of await held(ctx, caller.id)) {
    const here = scope === 'system' ? org_id === null : org_id === orgId && orgId !== rootOrgId
    if (here) for (const code of roleCodes(role_id, JSON.parse(permissions), scope)) codes.add(code)
  }
  if (cache.size >= cacheSize) cache.clear()
  if (asked === generation) cache.set(key, codes)
  return codes
}
