import { roleIds, rootOrgId } from '@castellan/contract/ids'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { permissionDenied } from '../../kernel/module/errors.ts'
import { accessIn, roleCodes } from './effective.ts'

/** Roles that every user holds: their permissions are not an escalation for a user administrator. */
const everybodysRoles = new Set<string>([roleIds.user, roleIds.orgUser])

interface HeldRole {
  user_id: string
  role_id: string
  org_id: string | null
  scope: 'system' | 'org'
  permissions: string
}

async function heldBy(ctx: Context, userIds: readonly string[]): Promise<HeldRole[]> {
  const found: HeldRole[] = []
  for (const some of batches(userIds))
    found.push(
      ...((await ctx.acrossOrganizations
        .selectFrom('rbac_rolebinding as b')
        .innerJoin('rbac_role as r', 'r.id', 'b.role_id')
        .select(['b.user_id', 'b.role_id', 'b.org_id', 'r.scope', 'r.permissions'])
        .where('b.user_id', 'in', some)
        .execute()) as HeldRole[]),
    )
  return found
}

/**
 * Users outside the caller's authority. A caller who changes a user's credentials can act as that user, so they need
 * `code` in every organization of the user, and every permission of every role the user holds. Components may change no
 * users.
 * @param code the permission that the change itself requires, such as `users.change_user`
 */
export async function usersBeyond(ctx: Context, userIds: readonly string[], code: string): Promise<Set<string>> {
  const { caller } = ctx
  if (!caller || caller.isSuperuser) return new Set()
  if (caller.isServiceAccount) return new Set(userIds)
  const beyond = new Set<string>()
  for (const { user_id, role_id, org_id, scope, permissions } of await heldBy(ctx, userIds)) {
    if (beyond.has(user_id)) continue
    const own = (await accessIn(ctx, caller, org_id ?? rootOrgId)).codes
    const granted = everybodysRoles.has(role_id) ? [] : roleCodes(role_id, JSON.parse(permissions), scope)
    if ((org_id !== null && !own.has(code)) || !granted.every((one) => own.has(one))) beyond.add(user_id)
  }
  return beyond
}

/** Only a system administrator grants or removes the system administrator role. */
export function demandRightToGive(ctx: Context, given: readonly unknown[]): void {
  if (ctx.caller && !ctx.caller.isSuperuser && given.includes(roleIds.systemAdmin)) throw permissionDenied()
}
