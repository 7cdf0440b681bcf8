import { roleIds, rootOrgId } from '@castellan/contract/ids'
import { rbacMessages } from '@castellan/contract/messages/rbac'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { permissionDenied, text } from '../../kernel/module/errors.ts'
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

/** A role in its scope: everywhere when `orgId` is null, else in that organization. */
export interface GivenRole {
  readonly roleId: string
  readonly orgId: string | null
}

const refusal = () => permissionDenied(text(rbacMessages.more_than_held))

/**
 * Throws 403 unless the caller holds, where they give or take a role, every permission of it. Nobody gives what they do
 * not hold, to others or to themselves; only a system administrator gives the system administrator role. Components
 * give no roles. The roles that every user has can always be given.
 */
export async function demandRightToGive(ctx: Context, given: readonly GivenRole[]): Promise<void> {
  const { caller } = ctx
  const wanted = given.filter(({ roleId }) => !everybodysRoles.has(roleId))
  if (!caller || caller.isSuperuser || wanted.length === 0) return
  const isAdmins = wanted.some(({ roleId }) => roleId === roleIds.systemAdmin)
  if (caller.isServiceAccount || isAdmins) throw refusal()
  const roles = await rolesBy(ctx, [...new Set(wanted.map(({ roleId }) => roleId))])
  for (const { roleId, orgId } of wanted) {
    const { codes: own } = await accessIn(ctx, caller, orgId ?? rootOrgId)
    if (!roles.get(roleId)?.every((code) => own.has(code))) throw refusal()
  }
}

async function rolesBy(ctx: Context, ids: readonly string[]): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const some of batches(ids))
    for (const row of await ctx.rawDb
      .selectFrom('rbac_role')
      .select(['id', 'scope', 'permissions'])
      .where('id', 'in', some)
      .execute())
      found.set(row.id, roleCodes(row.id, JSON.parse(row.permissions), row.scope))
  return found
}

/**
 * Throws 403 unless the caller holds everywhere each of these permissions, which they put into a role or take from it.
 * A role applies in every organization in which somebody holds it, and its author may hold it.
 */
export async function demandRightToChange(ctx: Context, codes: readonly string[]): Promise<void> {
  const { caller } = ctx
  if (!caller || caller.isSuperuser || codes.length === 0) return
  const { codes: own } = await accessIn(ctx, caller, rootOrgId)
  if (caller.isServiceAccount || !codes.every((code) => own.has(code))) throw refusal()
}
