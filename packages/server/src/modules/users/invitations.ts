import { roleIds } from '@castellan/contract/ids'
import { errors } from '@castellan/contract/messages/errors'
import { usersMessages } from '@castellan/contract/messages/users'
import { batches } from '../../db/batches.ts'
import { base, type Field } from '../../kernel/fields/field.ts'
import { keyOf, normalUuid } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { created, type Reply } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { failureAs, invalid, permissionDenied, quoted, Rejected, text } from '../../kernel/module/errors.ts'
import { holdingsOf, replaceRoles, roleDisplay } from '../rbac/index.ts'
import { leaveOrganization } from './membership.ts'
import { rolesField } from './role-fields.ts'

const orgRoles = rolesField('org')

/** Fields of an invitation for OPTIONS. */
export const invitation: Record<string, Field> = {
  org_roles: { ...orgRoles, default: undefined },
  users: base('field', { required: true }),
}

async function invitedUsers(ctx: Context, sent: unknown): Promise<string[]> {
  if (sent === undefined) throw invalid({ users: [text(errors.required)] })
  if (sent === null) throw invalid({ users: [text(errors.null)] })
  if (!Array.isArray(sent)) throw invalid({ users: [text(errors.not_a_list, { type: typeof sent })] })
  const ids = sent.map((item) => {
    const key = keyOf(item)
    const id = normalUuid(key)
    if (!id) throw invalid({ users: [text(errors.not_a_uuid, { input: quoted(key) })] })
    return id
  })
  const known = new Set<string>()
  for (const some of batches(ids))
    for (const row of await ctx.rawDb
      .selectFrom('users_user')
      .select('id')
      .where('id', 'in', some)
      .where('is_service_account', '=', false)
      .execute())
      known.add(row.id)
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw invalid({ users: [text(errors.does_not_exist, { pk: missing })] })
  return [...new Set(ids)]
}

async function invitedRoles(ctx: Context, sent: unknown): Promise<string[]> {
  if (sent === undefined || sent === null) return []
  try {
    const ids = orgRoles.parse?.(sent, ctx) as string[]
    await orgRoles.resolve?.(ctx, [ids], (_index, problem) => {
      throw new Rejected(problem)
    })
    return ids
  } catch (error) {
    if (error instanceof Rejected) throw invalid({ org_roles: error.problem })
    throw error
  }
}

/**
 * An invitation alone only makes ordinary members: other roles, and changes to existing members, need the permission to
 * bind roles.
 */
async function demandRightToBind(ctx: Context, users: readonly string[], roles: readonly string[]): Promise<void> {
  if (ctx.can('rbac.add_orgrolebinding')) return
  const isMember = (await holdingsOf(ctx, users)).some(({ orgId }) => orgId === ctx.orgId)
  if (isMember || roles.some((id) => id !== roleIds.orgUser)) throw permissionDenied()
}

/** Makes users members of the current organization with exactly the given roles. */
export async function inviteUsers(ctx: Context, body: unknown): Promise<Reply> {
  const sent = objectOf(body)
  if (ctx.isRootOrg) throw failureAs(400, 'error', text(errors.no_organization))
  const users = await invitedUsers(ctx, sent.users)
  const roles = await invitedRoles(ctx, sent.org_roles)
  if (!ctx.me.isSuperuser && users.includes(ctx.me.id)) throw failureAs(400, 'error', text(usersMessages.invite_self))
  await demandRightToBind(ctx, users, roles)
  await replaceRoles(ctx, users, ctx.orgId, roles)
  const names = roles.length
    ? await ctx.rawDb.selectFrom('rbac_role').select(['id', 'name']).where('id', 'in', roles).execute()
    : []
  return created({
    users,
    org_roles: names.map((role) => ({
      id: role.id,
      display_name: roleDisplay(role as { id: string; name: string }, ctx.language),
      name: role.name,
    })),
  })
}

/** Ends users' membership of the current organization; does nothing in the global view. */
export async function removeFromOrganization(ctx: Context, userIds: readonly string[]): Promise<void> {
  if (ctx.isRootOrg || userIds.length === 0) return
  const members = (await holdingsOf(ctx, userIds)).filter((one) => one.orgId === ctx.orgId).map((one) => one.userId)
  await replaceRoles(ctx, [...new Set(members)], ctx.orgId, [])
  await leaveOrganization(ctx, userIds, ctx.orgId)
}
