import { usersMessages } from '@castellan/contract/messages/users'
import type { Handling } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { permissionDenied, text } from '../../kernel/module/errors.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { usersBeyond } from '../rbac/index.ts'
import type { UserChange, UserRow } from './user-fields.ts'

/** Fields of a user that belong to the membership in the current organization. All others apply everywhere. */
const ofMembership = new Set(['id', 'org_roles', 'groups'])

const refusal = () => permissionDenied(text(usersMessages.beyond_scope))

/**
 * Throws 403 for a change of the users themselves (password, second factor, keys, addresses, state, expiry), unless the
 * caller's authority covers every organization and every role of each of them.
 */
export async function demandAuthority(ctx: Context, userIds: readonly string[]): Promise<void> {
  if ((await usersBeyond(ctx, userIds, 'users.change_user')).size > 0) throw refusal()
}

/** Whether a change alters the user and not only the membership. */
function changesUser({ before, row, values }: UserChange): boolean {
  const { fields, columnOf } = findResource('users.user')
  return Object.keys(values).some((name) => {
    const field = fields[name]
    if (!field || ofMembership.has(name)) return false
    // The sent password and the system roles have no column: any sent value counts as a change.
    if (!field.column) return name === 'system_roles' || (name === 'password' && Boolean(values.password))
    const column = columnOf(name) as keyof UserRow
    // The wire has a precision of seconds.
    const wireValue = (value: unknown) =>
      field.type === 'datetime' && value ? Math.floor(Number(value) / 1000) : value
    return JSON.stringify(wireValue(before?.[column]) ?? null) !== JSON.stringify(wireValue(row[column]) ?? null)
  })
}

/** The same check for updates through detail, bulk calls and files: unchanged values may be sent along. */
export async function demandAuthorityForChanges(ctx: Context, changes: readonly UserChange[]): Promise<void> {
  const changed = changes.filter((change) => change.before && changesUser(change))
  await demandAuthority(
    ctx,
    changed.map(({ row }) => row.id),
  )
}

type OnUser = (handling: Handling & { row: UserRow }) => unknown | Promise<unknown>

/** Wraps an action on a user's credentials or state. */
export const withAuthority =
  (handle: OnUser): OnUser =>
  async (handling) => {
    await demandAuthority(handling.ctx, [handling.row.id])
    return handle(handling)
  }
